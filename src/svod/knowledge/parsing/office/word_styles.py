"""What a paragraph of a Word document is, by its style and numbering."""

import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from svod.knowledge.parsing.office.xml import attribute, child, name_of
from svod.knowledge.parsing.tables import counted

_HEADING = re.compile(r"(?:heading|заголовок|überschrift|titre|título)\s*(\d)", re.IGNORECASE)
_TITLE = frozenset({"title", "название", "заголовок"})
_CODE = re.compile(
    r"(?:source )?code|html preformatted|preformatted text|исходный код|код", re.IGNORECASE
)
_QUOTE = re.compile(r"(?:intense )?quote|block text|(?:выделенная )?цитата\s*\d?", re.IGNORECASE)
_LONGEST_CHAIN = 20
_MOST_NUMBER = 100_000
_DEEPEST_OUTLINE = 6
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщэюя"
_MARK = re.compile(r"%(\d)")


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says of its paragraphs."""

    name: str = ""
    outline: int | None = None
    numbering: str | None = None
    indent: int | None = None


@dataclass(frozen=True, slots=True)
class _Level:
    kind: str
    text: str
    start: int


@dataclass(slots=True)
class Numbering:
    """The numbers that Word shows before paragraphs, counted on as it counts."""

    levels: dict[str, dict[int, _Level]] = field(default_factory=dict[str, dict[int, _Level]])
    """By the id of the abstract list, then by depth."""
    lists: dict[str, tuple[str, dict[int, int]]] = field(
        default_factory=dict[str, tuple[str, dict[int, int]]]
    )
    """By the id that paragraphs name: the abstract list, and where it starts anew."""
    counts: dict[str, dict[int, int]] = field(default_factory=dict[str, dict[int, int]])
    begun: set[str] = field(default_factory=set[str])

    def mark(self, list_id: str, depth: int) -> str | None:
        """The mark of the next paragraph in a list: `-` or a number; None if it shows none."""
        if list_id not in self.lists:
            return None
        abstract, restarts = self.lists[list_id]
        levels = self.levels.get(abstract, {})
        level = levels.get(depth)
        if level is None or level.kind == "none":
            return None
        counts = self.counts.setdefault(abstract, {})
        if list_id not in self.begun:
            self.begun.add(list_id)
            for restarted, start in restarts.items():
                counts[restarted] = start - 1
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]
        if level.kind == "bullet":
            return "-"

        def number(found: re.Match[str]) -> str:
            above = int(found[1]) - 1
            kind = levels[above].kind if above in levels else "decimal"
            usual = levels[above].start if above in levels else 1
            return _number(
                counts.setdefault(above, usual), kind if above == depth else _plain(kind)
            )

        return _MARK.sub(number, level.text).strip() or None


def _plain(kind: str) -> str:
    return "decimal" if kind == "bullet" else kind


def _number(value: int, kind: str) -> str:
    match kind:
        case "lowerLetter" | "upperLetter":
            letter = chr(ord("a") + (value - 1) % 26) * ((value - 1) // 26 + 1)
        case "russianLower" | "russianUpper":
            letter = _RUSSIAN[(value - 1) % len(_RUSSIAN)]
        case "lowerRoman" | "upperRoman":
            letter = _roman(value)
        case "decimalZero":
            return f"{value:02}"
        case _:
            return str(value)
    return letter.upper() if kind.startswith(("upper", "russianUpper")) else letter


def _roman(value: int) -> str:
    letters = ""
    for worth, letter in _ROMAN:
        letters += letter * (value // worth)
        value %= worth
    return letters


def read_styles(root: Element) -> dict[str, Style]:
    """The paragraph styles by their id, each with what it takes from those it is based on."""
    elements = {attribute(e, "styleId") or "": e for e in root if name_of(e) == "style"}
    return {style_id: _style(style_id, elements) for style_id in elements}


def _style(style_id: str, elements: dict[str, Element]) -> Style:
    name = attribute(child(elements[style_id], "name"), "val") or ""
    outline = numbering = indent = None
    current: str | None = style_id
    for _ in range(_LONGEST_CHAIN):
        element = elements.get(current or "")
        if element is None:
            break
        properties = child(element, "pPr")
        if outline is None:
            outline = _integer(attribute(child(properties, "outlineLvl"), "val"))
        if outline is None and (
            found := _HEADING.match(attribute(child(element, "name"), "val") or "")
        ):
            outline = int(found[1]) - 1
        if numbering is None:
            numbering = attribute(child(properties, "numPr", "numId"), "val")
            indent = _integer(attribute(child(properties, "numPr", "ilvl"), "val"))
        current = attribute(child(element, "basedOn"), "val")
    return Style(name, outline, numbering, indent)


def _integer(text: str | None) -> int | None:
    return counted(text, 0, most=_MOST_NUMBER) if text and text.isdecimal() else None


def read_numbering(root: Element) -> Numbering:
    """The lists that a document defines."""
    numbering = Numbering()
    for element in root:
        if name_of(element) == "abstractNum":
            numbering.levels[attribute(element, "abstractNumId") or ""] = {
                depth: _Level(
                    kind=attribute(child(level, "numFmt"), "val") or "decimal",
                    text=attribute(child(level, "lvlText"), "val") or "",
                    start=_integer(attribute(child(level, "start"), "val")) or 1,
                )
                for level in element
                if name_of(level) == "lvl"
                and (depth := _integer(attribute(level, "ilvl"))) is not None
            }
        elif name_of(element) == "num":
            restarts = {
                depth: start
                for override in element
                if name_of(override) == "lvlOverride"
                and (depth := _integer(attribute(override, "ilvl"))) is not None
                and (start := _integer(attribute(child(override, "startOverride"), "val")))
                is not None
            }
            abstract = attribute(child(element, "abstractNumId"), "val") or ""
            numbering.lists[attribute(element, "numId") or ""] = (abstract, restarts)
    return numbering


def heading_level(style: Style, direct_outline: str | None) -> int | None:
    """The level of a heading, 1..6; None for what is no heading."""
    outline = _integer(direct_outline)
    if outline is None:
        outline = style.outline
    if style.name.strip().lower() in _TITLE:
        return 1
    return outline + 1 if outline is not None and outline < _DEEPEST_OUTLINE else None


def is_code(style: Style) -> bool:
    """Whether a style is one of those that programs use for code."""
    return _CODE.fullmatch(style.name.strip()) is not None


def is_quote(style: Style) -> bool:
    """Whether a style is one of those for quotations."""
    return _QUOTE.fullmatch(style.name.strip()) is not None

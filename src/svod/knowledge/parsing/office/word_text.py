"""The words of one paragraph of a Word document, as a reader sees them."""

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from svod.knowledge.parsing.office.xml import attribute, child, is_on, name_of

_UNSEEN = frozenset(
    (
        *("del", "moveFrom", "instrText", "delText", "delInstrText", "rPr", "pPr", "annotationRef"),
        *("footnoteRef", "endnoteRef", "separator", "continuationSeparator", "sdtPr", "sdtEndPr"),
        *(
            "commentRangeStart",
            "commentRangeEnd",
            "bookmarkStart",
            "bookmarkEnd",
            "proofErr",
            "ruby",
        ),
    )
)
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": "", "ptab": "\t"}


@dataclass(slots=True)
class Words:
    """A paragraph's text, with what stands beside it."""

    parts: list[str] = field(default_factory=list[str])
    notes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The notes that it refers to: their sort and id."""
    boxes: list[Element] = field(default_factory=list[Element])
    """Text boxes that are anchored in it."""

    @property
    def text(self) -> str:
        """The text itself."""
        return "".join(self.parts)


def words_of(paragraph: Element) -> Words:
    """The text of a paragraph: without what was deleted or is hidden, with what was inserted."""
    words = Words()
    _gather(paragraph, words)
    return words


def _gather(element: Element, words: Words) -> None:
    for inner in element:
        match name_of(inner):
            case "t":
                words.parts.append(inner.text or "")
            case name if name in _SIGNS:
                words.parts.append(_SIGNS[name])
            case "r" if is_on(child(inner, "rPr", "vanish")):
                pass
            case "AlternateContent":
                _gather(_alternative(inner), words)
            case "footnoteReference" | "endnoteReference" as name:
                words.notes.append((name.removesuffix("Reference"), attribute(inner, "id") or ""))
            case "txbxContent":
                words.boxes.append(inner)
            case "oMath":
                words.parts.append(_formula(inner))
            case name if name not in _UNSEEN:
                _gather(inner, words)
            case _:
                pass


def _alternative(element: Element) -> Element:
    """One of two forms of the same thing, which are there for newer and older programs."""
    choice, fallback = child(element, "Choice"), child(element, "Fallback")
    chosen = choice if choice is not None and len(choice) else fallback
    return chosen if chosen is not None else Element("none")


def _formula(element: Element) -> str:
    """A formula in one line, as it would be typed."""
    name = name_of(element)
    match name:
        case "t":
            return element.text or ""
        case "f":
            return f"{_grouped(child(element, 'num'))}/{_grouped(child(element, 'den'))}"
        case "sSup":
            return f"{_grouped(child(element, 'e'))}^{_grouped(child(element, 'sup'))}"
        case "sSub":
            return f"{_grouped(child(element, 'e'))}_{_grouped(child(element, 'sub'))}"
        case "rad":
            return f"√{_grouped(child(element, 'e'))}"
        case _ if name.endswith("Pr"):
            return ""
        case _:
            return "".join(_formula(inner) for inner in element)


def _grouped(element: Element | None) -> str:
    text = _formula(element) if element is not None else ""
    return text if len(text) <= 1 or text.isalnum() else f"({text})"

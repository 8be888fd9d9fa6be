"""Where sentences begin and end, in Russian and English."""

import re

Span = tuple[int, int]

_NEW_UNIT = re.compile(r"[ \t]*(?:[-*+•–—▪●]|\d{1,3}(?:\.\d{1,3})*[.)]|[A-Za-zА-Яа-я]\))[ \t]+")
_OWN_LINE = re.compile(r"[ \t]*(?:\||#{1,6}[ \t]|```|~~~|===|---)")
_LINE = re.compile(r"[^\n]*\n?")
_END = re.compile(r"[.!?…。！？]+(?:[\"'»”’)\]]|\[\d{1,3}\])*")
_WIDE_ENDS = "。！？"
_OPENING = "\"'«“„‘([*_ —–-"
"""What may stand before the first letter of a sentence; a dash begins direct speech."""
_TOKEN = re.compile(r"[^\W_](?:[\w.-]*\w)?$")
_NEXT_WORD = re.compile(r"\w+")
_LONGEST_TOKEN = 24
_MARKER = re.compile(r"\s*\(?(?:\d{1,3}(?:\.\d{1,3})*|\w)[.)]+")

NEVER_LAST = frozenset(
    """
    т.е т.к т.н т.ч т.о ул им проф акад доц канд докт см ср рис табл стр гл разд прил напр пер
    просп пл наб бул обл респ пос дер оз гос зам зав св преп тов гр г-н г-жа гос-во ст пп абз тел
    факс инв ред изд сост ил сб вып пункт подп корп стр-ние кв оф эт e.g i.e dr mr mrs ms prof st
    no nos fig figs eq eqs sec ch vs cf viz gen col capt lt sgt rev hon pres gov sen rep messrs mt
    vol art approx ca resp dept univ assn ave blvd rd
    """.split()  # noqa: SIM905
)
"""Abbreviations that something always follows."""

MAYBE_LAST = frozenset(
    """
    т.д т.п др пр г гг в вв руб коп тыс млн млрд трлн долл н.э мин сек час ч м км кг шт экз л мл
    чел etc inc ltd co corp llc jr sr al a.m p.m b.c a.d bros est min max ed eds pp p jan feb mar
    apr jun jul aug sep sept oct nov dec
    """.split()  # noqa: SIM905
)
"""Abbreviations that may close a sentence: they do when a capital letter follows."""

STARTERS = frozenset(
    """
    The This That These Those It He She They We You In On At For But And However When While If As
    There Then Its His Her Their Our Он Она Оно Они Мы Вы Это Эта Этот Эти При Для Но По Если
    Когда Как Так Также Все Его Их Наш Однако Затем Поэтому После Потом Тогда
    """.split()  # noqa: SIM905
)
"""Words that begin a sentence even after an initial (`vitamin C. It …`)."""


def sentences(text: str) -> list[Span]:
    """Spans of the sentences of a text, in order; none begins or ends in white space.

    List items, table rows and headings are sentences of their own; a long item is split further.
    Every letter and digit of the text lies in exactly one span.
    """
    spans: list[Span] = []
    for start, end in _units(text):
        spans.extend(_split(text, start, end))
    return spans


def _units(text: str) -> list[Span]:
    """Runs of lines that cannot share a sentence with what stands around them."""
    units: list[Span] = []
    start: int | None = None
    for line in _LINE.finditer(text):
        at, end = line.span()
        content = line[0]
        alone = _OWN_LINE.match(content) is not None
        if start is not None and (alone or not content.strip() or _NEW_UNIT.match(content)):
            units.append((start, at))
            start = None
        if alone:
            units.append((at, end))
        elif start is None and content.strip():
            start = at
    if start is not None:
        units.append((start, len(text)))
    return units


def _split(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    if _OWN_LINE.match(text, start, end) is None:
        marker = _MARKER.match(text, start, end)
        after_marker = marker.end() if marker else start
        for mark in _END.finditer(text, start, end):
            if mark.end() > after_marker and _ends_sentence(text, start, mark, end):
                spans.append((start, mark.end()))
                start = mark.end()
    spans.append((start, end))
    return [span for span in (_trimmed(text, *span) for span in spans) if span[0] < span[1]]


def _ends_sentence(text: str, start: int, mark: re.Match[str], end: int) -> bool:
    following = mark.end()
    if following < end and not text[following].isspace():
        return mark[0][0] in _WIDE_ENDS
    while following < end and text[following].isspace():
        following += 1
    if following == end:
        return False
    while following < end and text[following] in _OPENING:
        following += 1
    follower = text[following : following + 1]
    if follower.islower():
        return False
    if not mark[0].startswith(".") or mark[0].startswith(".."):
        return True
    return _dot_ends(
        text[max(start, mark.start() - _LONGEST_TOKEN) : mark.start()], text, following
    )


def _dot_ends(before: str, text: str, following: int) -> bool:
    token = _TOKEN.search(before)
    if token is None:
        return True
    word, follower = token[0], text[following : following + 1]
    lower = word.lower()
    previous = before[: token.start()].rstrip()
    joined = f"{previous[-2]}.{lower}" if _is_split_abbreviation(previous, lower) else lower
    if joined in NEVER_LAST or lower in NEVER_LAST:
        return False
    if lower == "г" and not previous[-1:].isdigit():  # г. Москва; but: в 2020 г. Компания…
        return False
    if joined in MAYBE_LAST or (len(lower) > 1 and lower in MAYBE_LAST):
        return follower.isupper()
    if (len(word) == 1 and word.isalpha()) or re.fullmatch(r"\w(?:\.\w)+", word):
        return _ends_after_letter(word, previous, text, following)
    return True


def _is_split_abbreviation(previous: str, letter: str) -> bool:
    """Whether a letter is the second half of `т. д.` or `н. э.`."""
    return len(letter) == 1 and previous.endswith(".") and previous[-2:-1].islower()


def _ends_after_letter(word: str, previous: str, text: str, following: int) -> bool:
    if word in {"г", "в", "ч", "м", "л"} and previous[-1:].isdigit():
        return text[following : following + 1].isupper()
    next_word = _NEXT_WORD.match(text, following)
    return next_word is not None and next_word[0] in STARTERS


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end

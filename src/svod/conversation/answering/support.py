"""Whether a sentence says only what its cited places say (R14).

A number, date, name or negation of the sentence that its places lack makes it unsupported; so does
a negation of theirs that the sentence leaves out. Endings, date formats, separators of thousands
and «ё» are folded first. It is a check of facts, not of sense: it cannot see that two true words
were joined into a false sentence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from svod.conversation.answering.dates import WrittenDate, dates
from svod.conversation.answering.plain import plain
from svod.knowledge.indexing.words import words


class Fact(StrEnum):
    """What is checked."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that a sentence says and its places do not, as it is written."""

    fact: Fact
    said: str


def lacks(sentence: str, places: Sequence[str]) -> list[Lack]:
    """What a sentence says that the cited places do not; empty means supported.

    Args:
        sentence: one sentence, without citation markers.
        places: the texts of its citations, as they stand in the source.
    """
    said = _read(sentence)
    # A place counts with and without its marks: a link's address is part of it too.
    there = [_read(text) for place in places for text in (plain(place), place)]
    return [
        *_lacking_dates(said, there),
        *_lacking_numbers(said, there),
        *_lacking_names(said, there),
        *_lacking_negations(said, there),
    ]


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    term: str
    start: int
    clause: int


@dataclass(frozen=True, slots=True)
class _Read:
    """A text as the check sees it; numbers are those outside of its dates."""

    text: str
    dates: tuple[WrittenDate, ...]
    numbers: tuple[tuple[str, frozenset[str]], ...]
    tokens: tuple[_Token, ...]
    negated: tuple[tuple[_Token, tuple[_Token, ...]], ...]


_NUMBER = re.compile(
    r"(?<![\w.,])[-−+]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?![\w])"
    r"|(?<![\w])(?<![^\W\d_][-/.])\d+(?:[.,]\d+)*"
)
_THOUSANDS = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*")
_TOKEN = re.compile(r"[^\W_]+(?:[-'’.&+#/]+[^\W_]+)*[+#]*")
_SENTENCE_START = re.compile(r"[.!?:]\s*[«\"“(]?\s*$")
_CLAUSE = re.compile(r"[,;:.!?()|\n—–]")
_NEGATIONS = frozenset(
    [
        "не",
        "нет",
        "ни",
        "без",
        "нельзя",
        "никогда",
        "никто",
        "никого",
        "никому",
        "ничего",
        "ничто",
        "ничем",
        "нигде",
        "никак",
        "никакой",
        "никакая",
        "никакие",
        "никаких",
        "невозможно",
        "недопустимо",
        "неверно",
        "not",
        "no",
        "never",
        "cannot",
        "without",
        "none",
        "nobody",
        "nothing",
        "nowhere",
        "neither",
        "nor",
    ]
)
_SHORTENED_NOT = re.compile(r"n['’]t$", re.IGNORECASE)
_REACH = 3
"""Words after a negation, within its clause, that it may speak about."""
_FUNCTION_WORDS = frozenset(
    [
        "и",
        "а",
        "но",
        "или",
        "что",
        "чтобы",
        "как",
        "если",
        "же",
        "ли",
        "бы",
        "то",
        "это",
        "его",
        "её",
        "их",
        "в",
        "во",
        "на",
        "с",
        "со",
        "к",
        "ко",
        "о",
        "об",
        "от",
        "до",
        "для",
        "из",
        "у",
        "по",
        "за",
        "при",
        "над",
        "под",
        "быть",
        "был",
        "была",
        "было",
        "были",
        "есть",
        "a",
        "an",
        "the",
        "and",
        "or",
        "but",
        "of",
        "to",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "may",
        "might",
        "shall",
        "should",
        "must",
        "that",
        "this",
        "it",
        "its",
        "any",
    ]
)


def _read(text: str) -> _Read:
    found = tuple(dates(text))
    tokens = tuple(_tokens(text))
    return _Read(text, found, tuple(_numbers(text, found)), tokens, tuple(_negated(tokens)))


def _numbers(text: str, apart_from: Sequence[WrittenDate]) -> Iterator[tuple[str, frozenset[str]]]:
    for match in _NUMBER.finditer(text):
        if not any(date.start <= match.start() < date.end for date in apart_from):
            yield match.group(), _values(match.group())


def _values(written: str) -> frozenset[str]:
    """What a number may mean: «1,000» is a thousand to some and one to others."""
    compact = re.sub(r"[ \u00a0\u202f+\-−]", "", written)
    values = {_value(compact.replace(",", "."))}
    if _THOUSANDS.fullmatch(compact):
        values.add(_value(re.sub(r"[.,]", "", compact)))
    elif mixed := re.fullmatch(r"(\d{1,3}(?:,\d{3})+)(\.\d+)|(\d{1,3}(?:\.\d{3})+)(,\d+)", compact):
        whole, part = (mixed[1], mixed[2]) if mixed[1] else (mixed[3], mixed[4])
        values.add(_value(re.sub(r"[.,]", "", whole) + part.replace(",", ".")))
    return frozenset(values)


def _value(number: str) -> str:
    if number.count(".") != 1:
        return number
    whole, part = number.split(".")
    return f"{whole}.{part}".rstrip("0").rstrip(".")


def _tokens(text: str) -> Iterator[_Token]:
    terms = {(word.start, word.end): word.term for word in words(text)}
    clause = 0
    last = 0
    for match in _TOKEN.finditer(text):
        clause += bool(_CLAUSE.search(text, last, match.start()))
        last = match.end()
        term = terms.get(match.span(), _fold(match.group()))
        yield _Token(match.group(), term, match.start(), clause)


def _fold(text: str) -> str:
    return text.casefold().replace("ё", "е").replace("’", "'")


def _is_negation(token: _Token) -> bool:
    return _fold(token.text) in _NEGATIONS or bool(_SHORTENED_NOT.search(token.text))


def _negated(tokens: Sequence[_Token]) -> Iterator[tuple[_Token, tuple[_Token, ...]]]:
    """Each negation with the words that it speaks about, nearest first."""
    for at, token in enumerate(tokens):
        if not _is_negation(token):
            continue
        yield token, tuple(_about(tokens, at))


def _about(tokens: Sequence[_Token], negation: int) -> Iterator[_Token]:
    reached = 0
    for word in islice(tokens, negation + 1, None):
        if word.clause != tokens[negation].clause or reached == _REACH:
            return
        if not _is_negation(word) and _fold(word.text) not in _FUNCTION_WORDS:
            reached += 1
            yield word


def _lacking_dates(said: _Read, there: Sequence[_Read]) -> Iterator[Lack]:
    known = [reading for read in there for date in read.dates for reading in date.readings]
    for date in said.dates:
        supported = any(reading.within(other) for reading in date.readings for other in known)
        if not supported:
            yield Lack(Fact.DATE, said.text[date.start : date.end])


def _lacking_numbers(said: _Read, there: Sequence[_Read]) -> Iterator[Lack]:
    known = {value for read in there for _, values in read.numbers for value in values}
    known |= {
        str(reading.year)
        for read in there
        for date in read.dates
        for reading in date.readings
        if reading.year
    }
    for written, values in said.numbers:
        if not values & known:
            yield Lack(Fact.NUMBER, written)


def _lacking_names(said: _Read, there: Sequence[_Read]) -> Iterator[Lack]:
    known = {form for read in there for token in read.tokens for form in _forms(token)}
    for token in _names(said):
        in_date = any(date.start <= token.start < date.end for date in said.dates)
        if not in_date and not _forms(token) & known:
            yield Lack(Fact.NAME, token.text)
    if (opening := _other_first_name(said, there)) and not _forms(opening) & known:
        yield Lack(Fact.NAME, opening.text)


def _other_first_name(said: _Read, there: Sequence[_Read]) -> _Token | None:
    """The capital at a sentence's start, if the name after it has another first part elsewhere.

    It may be any word («Contact Maria»), so it counts only against «Anna Maria».
    """
    if len(said.tokens) < 2 or not said.tokens[1].text[0].isupper():  # noqa: PLR2004 - a pair
        return None
    opening, name = said.tokens[:2]
    before = [
        (read.tokens[at - 1].text if at else "")
        for read in there
        for at, token in enumerate(read.tokens)
        if token.term == name.term
    ]
    return opening if before and all(word[:1].isupper() for word in before) else None


def _forms(token: _Token) -> set[str]:
    return {token.term, _fold(token.text)}


def _names(said: _Read) -> Iterator[_Token]:
    """Capitalised words, and words of letters with digits or of the other alphabet."""
    russian = bool(re.search("[а-яё]", said.text, re.IGNORECASE))
    for at, token in enumerate(said.tokens):
        text = token.text
        if not any(letter.isalpha() for letter in text):
            continue
        first = at == 0 or bool(
            _SENTENCE_START.search(said.text, max(0, token.start - 8), token.start)
        )
        foreign = russian and bool(re.fullmatch(r"[A-Za-z][\w.&+#/'’-]*", text))
        mixed = any(letter.isdigit() for letter in text) or any(
            letter.isupper() for letter in text[1:]
        )
        capitalised = text[0].isupper() and not first
        if foreign or mixed or (capitalised and text != "I" and not _is_negation(token)):
            yield token


def _lacking_negations(said: _Read, there: Sequence[_Read]) -> Iterator[Lack]:
    denied = [(read, token, about) for read in there for token, about in read.negated]
    denied_terms = {word.term for _, _, about in denied for word in about}
    plain_terms = {term for read in there for term in _affirmed(read)}
    for token, about in said.negated:
        terms = {word.term for word in about}
        if not denied or (terms and not terms & denied_terms and terms & plain_terms):
            yield Lack(Fact.NEGATION, token.text)
    own = {token.term for token in said.tokens} - {
        word.term for _, about in said.negated for word in about
    }
    for _, token, about in denied:
        nearest = about[0].term if about else None
        if nearest in own and nearest not in plain_terms:
            yield Lack(Fact.NEGATION, f"{token.text} {about[0].text}")
            return


def _affirmed(read: _Read) -> set[str]:
    """The terms that stand somewhere without a negation before them."""
    denied = {word.start for _, about in read.negated for word in about}
    return {token.term for token in read.tokens if token.start not in denied}

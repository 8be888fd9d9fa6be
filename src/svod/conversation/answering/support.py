"""Whether a sentence says only what its cited places say (R14).

A number, date, name or negation of the sentence that its places lack makes it unsupported; so does
a negation of theirs that the sentence leaves out. Endings, date formats, separators of thousands
and «ё» are folded first, and names of the other alphabet are compared by their sound. It is a check of facts, not of sense: it cannot see that two true words
were joined into a false sentence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from svod.conversation.answering.dates import WrittenDate, dates
from svod.conversation.answering.negations import Negation, Token, affirmed, negations, tokens
from svod.conversation.answering.numbers import WrittenNumber, numbers
from svod.conversation.answering.plain import plain
from svod.conversation.answering.sounds import sounds_like


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


_SENTENCE_START = re.compile(r"[.!?:]\s*[«\"“(]?\s*$")
_NEAR = 8
"""Characters before a word that tell whether a sentence starts with it."""
_LATIN = re.compile(r"[A-Za-z][\w.&+#/'’-]*")


@dataclass(frozen=True, slots=True)
class _Read:
    """A text as the check sees it; `numbers` are those outside of its dates."""

    text: str
    dates: tuple[WrittenDate, ...]
    numbers: tuple[WrittenNumber, ...]
    tokens: tuple[Token, ...]
    negations: tuple[Negation, ...]


def _read(text: str) -> _Read:
    found_dates = tuple(dates(text))
    found_tokens = tuple(tokens(text))
    outside = (number for number in numbers(text) if not _within(number.start, found_dates))
    return _Read(text, found_dates, tuple(outside), found_tokens, tuple(negations(found_tokens)))


def _within(start: int, found: Sequence[WrittenDate]) -> bool:
    return any(date.start <= start < date.end for date in found)


def _lacking_dates(said: _Read, there: Sequence[_Read]) -> Iterator[Lack]:
    known = [reading for read in there for date in read.dates for reading in date.readings]
    for date in said.dates:
        supported = any(reading.within(other) for reading in date.readings for other in known)
        if not supported:
            yield Lack(Fact.DATE, said.text[date.start : date.end])


def _lacking_numbers(said: _Read, there: Sequence[_Read]) -> Iterator[Lack]:
    known = {value for read in there for number in read.numbers for value in number.values}
    known |= {
        str(reading.year)
        for read in there
        for date in read.dates
        for reading in date.readings
        if reading.year
    }
    for number in said.numbers:
        if not number.values & known:
            yield Lack(Fact.NUMBER, number.text)


def _lacking_names(said: _Read, there: Sequence[_Read]) -> Iterator[Lack]:
    known = {form for read in there for token in read.tokens for form in token.forms}
    for token in _names(said):
        if _within(token.start, said.dates) or token.forms & known:
            continue
        # «Берлин» of an answer may stand in its source as Berlin.
        if not sounds_like(token.text, known):
            yield Lack(Fact.NAME, token.text)
    if (opening := _other_first_name(said, there)) and not opening.forms & known:
        yield Lack(Fact.NAME, opening.text)


def _names(said: _Read) -> Iterator[Token]:
    """Capitalised words, and words of letters with digits or of the other alphabet."""
    russian = bool(re.search("[а-яё]", said.text, re.IGNORECASE))
    for token in said.tokens:
        text = token.text
        if not any(letter.isalpha() for letter in text):
            continue
        before = said.text[max(0, token.start - _NEAR) : token.start]
        first = (token.start < _NEAR and not before.strip(' «"“(')) or _SENTENCE_START.search(
            before
        )
        foreign = russian and _LATIN.fullmatch(text)
        mixed = any(letter.isdigit() for letter in text) or text[1:] != text[1:].lower()
        capital = text[0].isupper() and not first and text != "I" and not token.is_negation
        if foreign or mixed or capital:
            yield token


def _other_first_name(said: _Read, there: Sequence[_Read]) -> Token | None:
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


def _lacking_negations(said: _Read, there: Sequence[_Read]) -> Iterator[Lack]:
    denied = [negation for read in there for negation in read.negations]
    denied_terms = {word.term for negation in denied for word in negation.about}
    affirmed_terms = {term for read in there for term in affirmed(read.tokens, read.negations)}
    for negation in said.negations:
        terms = {word.term for word in negation.about}
        turned = terms and not terms & denied_terms and terms & affirmed_terms
        if turned or not denied:
            yield Lack(Fact.NEGATION, negation.token.text)
    own = {token.term for token in said.tokens} - {
        word.term for negation in said.negations for word in negation.about
    }
    for negation in denied:
        nearest = negation.about[0] if negation.about else None
        if nearest and nearest.term in own and nearest.term not in affirmed_terms:
            yield Lack(Fact.NEGATION, f"{negation.token.text} {nearest.text}")
            return

"""Negations, and the words that each of them speaks about."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from svod.knowledge.indexing.words import words

REACH = 3
"""Words after a negation, within its clause, that it may speak about."""

_TOKEN = re.compile(r"[^\W_]+(?:[-'’.&+#/]+[^\W_]+)*[+#]*")
_CLAUSE = re.compile(r"[,;:.!?()|\n—–]")
_SHORTENED_NOT = re.compile(r"n['’]t$", re.IGNORECASE)
_NEGATIONS = frozenset(
    """
    не нет ни без нельзя никогда никто никого никому ничего ничто ничем нигде никак никакой никакая
    никакие никаких невозможно недопустимо неверно
    not no never cannot without none nobody nothing nowhere neither nor
    """.split()  # noqa: SIM905 - words, read as a text
)
_FUNCTION_WORDS = frozenset(
    """
    и а но или что чтобы как если же ли бы то это его ее их в во на с со к ко о об от до для из у по
    за при над под быть был была было были есть
    a an the and or but of to in on at by for with from as is are was were be been being do does did
    has have had will would can could may might shall should must that this it its any
    """.split()  # noqa: SIM905 - words, read as a text
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it is written, the term it is found by, where it starts, and its clause's number."""

    text: str
    term: str
    start: int
    clause: int

    @property
    def folded(self) -> str:
        """The word in small letters, «ё» as «е»."""
        return self.text.casefold().replace("ё", "е").replace("’", "'")

    @property
    def forms(self) -> frozenset[str]:
        """By what it equals another: its stem or its letters."""
        return frozenset({self.term, self.folded})

    @property
    def is_negation(self) -> bool:
        """Whether it denies what follows."""
        return self.folded in _NEGATIONS or bool(_SHORTENED_NOT.search(self.text))


@dataclass(frozen=True, slots=True)
class Negation:
    """A word that denies, and the words it speaks about, nearest first."""

    token: Token
    about: tuple[Token, ...]


def tokens(text: str) -> Iterator[Token]:
    """The words of a text in order, stop words too."""
    terms = {(word.start, word.end): word.term for word in words(text)}
    clause = last = 0
    for match in _TOKEN.finditer(text):
        clause += bool(_CLAUSE.search(text, last, match.start()))
        last = match.end()
        written = Token(match.group(), "", match.start(), clause)
        term = terms.get(match.span(), written.folded)
        yield Token(written.text, term, written.start, clause)


def negations(found: Sequence[Token]) -> Iterator[Negation]:
    """The negations among the words of a text."""
    for at, token in enumerate(found):
        if token.is_negation:
            yield Negation(token, tuple(_about(found, at)))


def affirmed(found: Sequence[Token], denied: Sequence[Negation]) -> set[str]:
    """The terms that stand somewhere without a negation before them."""
    places = {word.start for negation in denied for word in negation.about}
    return {token.term for token in found if token.start not in places}


def _about(found: Sequence[Token], at: int) -> Iterator[Token]:
    reached = 0
    for word in islice(found, at + 1, None):
        if word.clause != found[at].clause or reached == REACH:
            return
        if not word.is_negation and word.folded not in _FUNCTION_WORDS:
            reached += 1
            yield word

"""A query as both sides of the search understand it."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from svod.foundation.storage import Vault
from svod.knowledge.indexing.words import query_words, words

MOST_TERMS = 128
"""More distinct words than this are a text, whose beginning says what is meant."""
MEANT_SHARE = 0.8
"""What a word that was corrected weighs, beside one that was found as it was typed."""

_QUOTED = re.compile(r'"[^"]*"|«[^»]*»|“[^”]*”|„[^“”]*[“”]')


@dataclass(frozen=True, slots=True)
class AskedTerms:
    """Parallel lists: hashes of terms, the number of the word each stands for, and its share."""

    terms: list[int]
    words: list[int]
    shares: list[float]


NOTHING_ASKED = AskedTerms([], [], [])


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, and its words.

    `terms` are distinct; `phrases` are the quoted parts that must stand in a hit; `typed` gives,
    for each term that can be found at all, the word as it was typed; `meant` the terms that stand
    in the place of an unknown one: what it may have been meant to be.
    """

    text: str
    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    typed: Mapping[str, str]
    meant: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def asks_beyond_phrases(self) -> bool:
        """Whether words stand outside the quotation marks, as in a question that quotes."""
        return bool(words(_QUOTED.sub(" ", self.text)))

    @property
    def phrase_terms(self) -> tuple[str, ...]:
        """The terms of the phrases that are indexed: stop words are not."""
        inside = dict.fromkeys(term for phrase in self.phrases for term in phrase)
        return tuple(term for term in inside if term in self.typed)

    @property
    def corrected(self) -> dict[str, str]:
        """What a typed word was corrected to: that term -> the word as it was typed."""
        return {
            term: self.typed[unknown] for unknown, meant in self.meant.items() for term in meant
        }

    def without(self, strange: Collection[str]) -> "Query":
        """The query without some of what its words may have been meant to be."""
        left = {
            unknown: tuple(term for term in meant if term not in strange)
            for unknown, meant in self.meant.items()
        }
        return replace(self, meant={unknown: meant for unknown, meant in left.items() if meant})

    def asked(self, vault: Vault) -> AskedTerms:
        """The terms as a workspace knows them."""
        shares: dict[int, tuple[int, float]] = {}
        for number, term in enumerate(self.terms):
            meant = self.meant.get(term)
            share = MEANT_SHARE if meant else 1.0
            for hashed in vault.terms(meant or (term,)):
                shares.setdefault(hashed, (number, share))
        numbers = [number for number, _ in shares.values()]
        return AskedTerms(list(shares), numbers, [share for _, share in shares.values()])

    def typed_by_hash(self, vault: Vault) -> dict[int, str]:
        """The typed words by the numbers under which a workspace knows them."""
        return dict(zip(vault.terms(self.typed), self.typed.values(), strict=True))


def read_query(text: str) -> Query:
    """The words and phrases of a query."""
    asked = query_words(text)
    typed: dict[str, str] = {}
    for word in words(text):
        typed.setdefault(word.term, text[word.start : word.end])
    return Query(text, asked.terms[:MOST_TERMS], asked.phrases, typed)

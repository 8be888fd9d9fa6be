"""A query as both sides of the search understand it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from svod.foundation.storage import Vault
from svod.knowledge.indexing.words import query_words, words

MOST_TERMS = 128
"""More distinct words than this are a text, whose beginning says what is meant."""

_QUOTED = re.compile(r'"[^"]*"|«[^»]*»|“[^”]*”|„[^“”]*[“”]')


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, and its words.

    `terms` are distinct; `phrases` are the quoted parts that must stand in a hit; `typed` gives,
    for each term that can be found at all, the word as it was typed.
    """

    text: str
    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    typed: Mapping[str, str]

    @property
    def asks_beyond_phrases(self) -> bool:
        """Whether words stand outside the quotation marks, as in a question that quotes."""
        return bool(words(_QUOTED.sub(" ", self.text)))

    @property
    def phrase_terms(self) -> tuple[str, ...]:
        """The terms of the phrases that are indexed: stop words are not."""
        inside = dict.fromkeys(term for phrase in self.phrases for term in phrase)
        return tuple(term for term in inside if term in self.typed)

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

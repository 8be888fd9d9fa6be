"""Queries with words that occur nowhere: typed in the other keyboard layout, or with a typo."""

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from svod.knowledge.indexing.spelling import common_terms, one_typo_away, script_of
from svod.knowledge.indexing.words import PlainWord, other_layout, plain_words
from svod.knowledge.retrieval.looking import Looked, Looking, Place
from svod.knowledge.retrieval.plan import RetrievalPlan
from svod.knowledge.retrieval.query import Query, read_query

OTHER_LAYOUT = "other_layout"
MOST_CORRECTED = 6
"""Words of one query in which typos are looked for, the first ones: each takes some milliseconds."""
MOST_MEANT = 3
"""Words that one may have been meant to be: those that occur most."""
_FEW_CHUNKS = 200
"""So few may hold a language without holding one of its common words."""
_SHORTEST_OTHER = 3
_TOKEN = re.compile(r"[^\s\"«»“”„]+")


@dataclass(frozen=True, slots=True)
class _Other:
    """A query read in the other layout, wholly or in some words, and what of it is known."""

    query: Query
    known: frozenset[str]


class Mending:
    """Looks again for what a query may have been meant to say; words that are known stay."""

    def __init__(self, looking: Looking) -> None:
        self._looking = looking

    async def mended(self, places: Sequence[Place], plan: RetrievalPlan, looked: Looked) -> Looked:
        """What the query finds once its unknown words are read otherwise, or what it found."""
        query = looked.query
        unknown = [term for term in query.terms if term not in looked.known]
        if not unknown:
            return looked
        tokens = _other_tokens(query, unknown)
        whole = other_layout(query.text)
        other = read_query(whole) if whole is not None else None
        asked = {*unknown, *common_terms(), *(other.terms if other else ())}
        asked.update(term for again in tokens.values() for term in again.terms)
        found = await self._looking.known(places, plan, sorted(asked))
        known = looked.known | {term for term in unknown if term in found}
        typed = _typed_otherwise(query, known, found, other=other, tokens=tokens)
        if typed is not None:
            looked = await self._looking.look(places, plan, typed.query)
            looked = replace(looked, notes=(*looked.notes, OTHER_LAYOUT))
            query, known = typed.query, typed.known
        misspelt = _misspelt(query, known)
        if sum(place.card.live for place in places) > _FEW_CHUNKS:
            spoken = {script_of(term) for term in found if term in common_terms()}
            misspelt = [word for word in misspelt if script_of(word.letters) in spoken]
        meant = await self._meant(places, plan, query, misspelt)
        if not meant:
            return looked
        mended = replace(query, meant=meant)
        return await self._looking.look(places, plan, mended, before=looked)

    async def _meant(
        self, places: Sequence[Place], plan: RetrievalPlan, query: Query, misspelt: list[PlainWord]
    ) -> dict[str, tuple[str, ...]]:
        """For each misspelt term those that it may have been meant to be, the commonest first."""
        if not misspelt:
            return {}
        away = await asyncio.to_thread(
            lambda: {word.term: one_typo_away(word.letters) for word in misspelt}
        )
        asked = {term for terms in away.values() for term in terms} - set(query.terms)
        found = await self._looking.known(places, plan, sorted(asked))
        meant: dict[str, tuple[str, ...]] = {}
        for unknown, terms in away.items():
            fitting = sorted((t for t in terms if t in found), key=lambda t: (-found[t], t))
            if fitting:
                meant[unknown] = tuple(fitting[:MOST_MEANT])
        return meant


def _typed_otherwise(
    query: Query,
    known: frozenset[str],
    found: Mapping[str, int],
    *,
    other: Query | None,
    tokens: Mapping[str, Query],
) -> _Other | None:
    """The query as other keys make it: all of it, or the words of which all is known then."""
    if not known:
        now = (
            frozenset(term for term in other.terms if term in found) if other else frozenset[str]()
        )
        # One known word in a long question is chance: `в` is typed with the key of `d`.
        return _Other(other, now) if other and len(now) * 2 > len(other.terms) else None
    meant = {
        token: again.text
        for token, again in tokens.items()
        if again.typed and all(term in found for term in again.terms)
    }
    if not meant:
        return None
    # Beside them what is no word of its own goes over to a preposition or the like.
    meant |= {token: again.text for token, again in tokens.items() if not again.typed}
    text = _TOKEN.sub(lambda token: meant.get(token[0], token[0]), query.text)
    now = known | {term for term in found if term not in common_terms()}
    return _Other(read_query(text), now)


def _other_tokens(query: Query, unknown: Collection[str]) -> dict[str, Query]:
    """The tokens of which nothing is known, as the other layout reads them.

    Short ones only where they are then such as are not indexed: `yf` is `на`.
    """
    tokens: dict[str, Query] = {}
    for match in _TOKEN.finditer(query.text):
        own = read_query(match[0]).terms
        letters = sum(sign.isalpha() for sign in match[0])
        typed = other_layout(match[0])
        if typed is None or not own or any(term not in unknown for term in own):
            continue
        again = read_query(typed)
        if letters >= _SHORTEST_OTHER or not again.typed:
            tokens[match[0]] = again
    return tokens


def _misspelt(query: Query, known: Collection[str]) -> list[PlainWord]:
    words = {
        word.term: word
        for word in plain_words(query.text)
        if word.term in query.terms and word.term not in known
    }
    return list(words.values())[:MOST_CORRECTED]

"""The one analyzer: what is stored and what is asked for become terms in the same way.

Russian and English words are stemmed by their script; numbers, codes, versions and paths stay
exact and are also found by their parts. Whatever changes a term here changes `ANALYZER` too.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from svod.knowledge.indexing.keyboard import other_layout
from svod.knowledge.indexing.stop_words import ASKING
from svod.knowledge.indexing.word_folding import Folded, fold, one_script
from svod.knowledge.indexing.word_parts import LONGEST_KEPT, Part, is_plain, kept_parts, parts

__all__ = [
    "ANALYZER",
    "AVERAGE_LENGTH",
    "K1",
    "B",
    "PlainWord",
    "QueryWords",
    "Word",
    "has_phrase",
    "other_layout",
    "plain_words",
    "query_words",
    "weights",
    "words",
]

ANALYZER = "words.v2"
"""Names the rules; terms made by other rules do not meet these."""
AVERAGE_LENGTH = 100.0
"""Terms in a chunk of about 1,000 characters. A constant, so that stored weights never go stale."""
K1 = 1.2
B = 0.75

_JOINT = r"(?:://|::|->|\.?__|[-_./\\:@#&=+'?])"
_RUN = re.compile(
    r"[^\W0-9_]+(?=[ \n,;!\"()»])"  # most words: nothing can join them, so this saves the rest
    r"|(?<![\w.,-])[0-9]{1,3}(?: [0-9]{3}){1,5}(?:[.,][0-9]+)?(?! ?[0-9])(?![.,][0-9]|[^\W_])(?: ?%)?"
    r"|[0-9]+(?:[.,][0-9]+)*(?![-_./\\:@#&=+'?]?[^\W_])(?: ?%)?"
    r"|\b[A-Za-zСс](?:\+\+|\#)(?!\w)"
    rf"|[^\W_]+(?:(?:{_JOINT}|(?<=[0-9]),(?=[0-9]))[^\W_]+)*"
    r"|[$€£¥₽₴₸%]"
)
_QUOTED = re.compile(
    r'(?<!\w)(?:"([^"]{1,300})"|“([^”]{1,300})”|„([^“”]{1,300})[“”])|«([^«»]{1,300})»'
)


class Word(NamedTuple):
    """A term and the characters it was read from: `text[start:end]`, in code points.

    A tuple, since a long text has 150,000 of them and a frozen dataclass takes thrice the time.
    """

    term: str
    start: int
    end: int


class PlainWord(NamedTuple):
    """A word of a query that may be misspelt: its term, its folded letters, and where it stands."""

    term: str
    letters: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QueryWords:
    """What a query asks for: its distinct terms, and what must stand together.

    A phrase keeps its stop words, which are not indexed: candidates for it are the chunks with all
    of its terms that are in `terms`, and `has_phrase` decides.
    """

    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...] = ()


def words(text: str) -> list[Word]:
    """Every term in order, stop words left out; the parts of an identifier follow the whole."""
    folded = fold(text)
    found: list[Word] = []
    low = high = shift = 0
    for at, run_parts in _runs(folded):
        for term, start, end, is_stop_word in run_parts:
            if is_stop_word:
                continue
            start, end = at + start, at + end  # noqa: PLW2901
            if start < low or end >= high:
                low, high, shift = folded.straight(start)
            straight = low <= start and end < high
            place = (start + shift, end + shift) if straight else folded.origin(start, end)
            found.append(Word(term, *place))
    return found


def weights(terms: Sequence[str]) -> dict[str, float]:
    """What each distinct term of a chunk weighs, before how rare it is: BM25's term frequency part.

    Source: Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond".
    """
    norm = K1 * (1 - B + B * len(terms) / AVERAGE_LENGTH)
    return {term: tf * (K1 + 1) / (tf + norm) for term, tf in Counter(terms).items()}


def query_words(query: str) -> QueryWords:
    """The terms and phrases of a query; its stop words only where there is nothing else."""
    found = [part for _, run_parts in _runs(fold(query)) for part in run_parts]
    kept = [part for part in found if not part.is_stop_word and part.term not in ASKING] or found
    phrases = (_phrase(next(filter(None, quoted.groups()))) for quoted in _QUOTED.finditer(query))
    return QueryWords(
        tuple(dict.fromkeys(part.term for part in kept)),
        tuple(dict.fromkeys(phrase for phrase in phrases if phrase)),
    )


def plain_words(query: str) -> tuple[PlainWord, ...]:
    """The words of a query outside of quotation marks in which a typo may be undone.

    Numbers, codes, versions, paths, identifiers and names in capitals are exact and left out; of a
    hyphenated word its parts are given.
    """
    folded = fold(query)
    quoted = [found.span() for found in _QUOTED.finditer(query)]
    shouts = folded.text.isupper()
    found: list[PlainWord] = []
    for run in _RUN.finditer(folded.text):
        if not is_plain(run[0]) or (_is_name(run[0]) and not shouts):
            continue
        for piece in re.finditer(r"[^\W0-9_]+", run[0]):
            letters = one_script(piece[0].lower(), is_code=False)
            start, end = folded.origin(run.start() + piece.start(), run.start() + piece.end())
            term, *_ = parts(piece[0])
            if not term.is_stop_word and not any(low <= start < high for low, high in quoted):
                found.append(PlainWord(term.term, letters, start, end))
    return tuple(found)


def has_phrase(text: str, phrase: Sequence[str]) -> bool:
    """Whether the terms of a phrase stand in the text one right after another.

    A hyphenated word or identifier counts as its whole or as its parts, whichever fits.
    """
    if not phrase:
        return False
    wanted = set(phrase)
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    starts: list[int] = []
    for at, run_parts in _runs(fold(text)):
        for term, start, end, _ in run_parts:
            starts.append(at + start)
            if term in wanted:
                places[term].append((at + start, at + end))
    if len(places) < len(wanted):
        return False
    starts.sort()
    ends = {end for _, end in places[phrase[0]]}
    for term in phrase[1:]:
        begins = {
            starts[place] for end in ends if (place := bisect_left(starts, end)) < len(starts)
        }
        ends = {end for start, end in places[term] if start in begins}
    return bool(ends)


def _runs(folded: Folded) -> Iterator[tuple[int, tuple[Part, ...]]]:
    shouts = folded.text.isupper()
    for match in _RUN.finditer(folded.text):
        run = match[0]
        found = kept_parts(run) if len(run) <= LONGEST_KEPT else parts(run)
        if not found:
            continue
        # IT, US, WHO: in capitals it is a name, unless everything is.
        if found[0][3] and not shouts and _is_name(run):
            found = tuple(part._replace(is_stop_word=False) for part in found)
        yield match.start(), found


def _is_name(run: str) -> bool:
    return len(run) > 1 and run.isascii() and run.isupper()


def _phrase(quoted: str) -> tuple[str, ...]:
    return tuple(run_parts[0].term for _, run_parts in _runs(fold(quoted)))

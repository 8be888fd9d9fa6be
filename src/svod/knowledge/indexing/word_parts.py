"""What one run of signs is indexed as: the whole, and its parts."""

import re
from functools import cache, lru_cache
from threading import Lock
from typing import NamedTuple

from snowballstemmer.english_stemmer import EnglishStemmer

from svod.knowledge.indexing.russian_stems import RussianStems
from svod.knowledge.indexing.stop_words import LEFTOVERS, STOP_WORDS
from svod.knowledge.indexing.word_folding import one_script

LONGEST_TERM = 96
"""Longer wholes are left to their parts; longer runs of letters are cut into pieces of this size."""
LONGEST_RUN = 400
"""A longer run is no word, number or path: it is taken for its letters and digits only."""
LONGEST_STEMMED = 40
LONGEST_KEPT = 64
"""Runs up to this length are remembered; with the number kept, it bounds the memory."""
RUNS_KEPT = 32_768
YEAR_DIGITS = 4

_LEVELS = tuple(re.compile(f"[^{signs}]+") for signs in (r"/\\:@#&=+?>", r".,", r"\-_'"))
_CAMEL_HINT = re.compile(r"[^\W\d_A-ZА-Я][A-ZА-Я]|[A-ZА-Я]{2}[^\W\d_A-ZА-Я]{2}")
_CAMEL = re.compile(r"[A-ZА-Я]+(?=[A-ZА-Я][^\W\d_A-ZА-Я])|[A-ZА-Я]?[^\W\d_A-ZА-Я]+|[A-ZА-Я]+")
_EDGES = re.compile(r"[\W_]*(.*[^\W_])[\W_]*", re.DOTALL)
_RUNS = re.compile(r"[0-9]+|[^\W0-9_]+")
_LEAVES = re.compile(rf"[^\W_]{{1,{LONGEST_TERM}}}")
_LETTERS = re.compile(r"[^\W0-9_]+")
_HYPHENATED = re.compile(r"[^\W0-9_]+(?:[-'][^\W0-9_]+)+")
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_NUMBER = re.compile(r"[0-9][0-9 .,]*%?")
_VERSION = re.compile(r"[vV][0-9]+(?:\.[0-9]+)+")
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")
_DECIMAL = re.compile(r"([0-9]+)[.,]([0-9]+)")


class Part(NamedTuple):
    """A term and where it stands in its run."""

    term: str
    start: int
    end: int
    is_stop_word: bool = False


def parts(run: str) -> tuple[Part, ...]:
    """Every term of a run, the whole first; at least one. `kept_parts` remembers short runs."""
    found: list[Part] = []
    if len(run) <= LONGEST_RUN:
        _collect(run, 0, found)
    else:
        for leaf in _LEAVES.finditer(run):
            _collect_piece(leaf[0], leaf.start(), found)
    return tuple(dict.fromkeys(found))


kept_parts = lru_cache(maxsize=RUNS_KEPT)(parts)
"""`parts` for runs of up to `LONGEST_KEPT` characters."""


def is_plain(run: str) -> bool:
    """Whether a run is a word, or words joined by hyphens: no number, code, path or identifier."""
    is_word = run.isalpha() or _HYPHENATED.fullmatch(run) is not None
    return is_word and not _CAMEL_HINT.search(run)


def _collect(run: str, at: int, found: list[Part]) -> None:
    if run.isalpha():
        _collect_word(run, at, found)
    elif _NUMBER.fullmatch(run):
        _collect_number(run, at, found)
    elif run.endswith(("++", "#")) or not run[0].isalnum():
        found.append(Part(_exact(run), at, at + len(run)))
    else:
        _collect_compound(run, at, found)


def _collect_word(word: str, at: int, found: list[Part]) -> None:
    if len(word) > LONGEST_TERM:
        for start in range(0, len(word), LONGEST_TERM):
            _collect_word(word[start : start + LONGEST_TERM], at + start, found)
        return
    if not word.isascii() and _IDEOGRAPHS.search(word):
        found.extend(Part(sign.lower(), at + i, at + i + 1) for i, sign in enumerate(word))
        return
    lower = one_script(word.lower(), is_code=False)
    is_stop_word = lower in STOP_WORDS
    found.append(Part(lower if is_stop_word else stem(lower), at, at + len(word), is_stop_word))
    if _CAMEL_HINT.search(word):
        for piece in _CAMEL.finditer(word):
            if len(piece[0]) > 1:
                _add_piece(piece[0], at + piece.start(), found)


def _add_piece(word: str, at: int, found: list[Part]) -> None:
    lower = one_script(word.lower(), is_code=False)
    if lower not in STOP_WORDS:
        found.append(Part(stem(lower), at, at + len(word)))


def _collect_number(number: str, at: int, found: list[Part]) -> None:
    """`1 500,00`, `1,500.00` and `1500.00` are one number; dotted ones keep their beginnings."""
    if number.endswith("%"):
        digits = number[:-1].rstrip()
        inner: list[Part] = []
        _collect_number(digits, at, inner)
        found.append(Part(inner[0].term + "%", at, at + len(number)))
        found.extend(inner)
        return
    end = at + len(number)
    for value in dict.fromkeys(_values(number)):
        pieces = range(0, len(value), LONGEST_TERM)
        found.extend(Part(value[start : start + LONGEST_TERM], at, end) for start in pieces)
    shortest = 1 if " " in number else YEAR_DIGITS
    found.extend(
        Part(group[0], at + group.start(), at + group.end())
        for group in re.finditer("[0-9]+", number)
        if shortest <= len(group[0]) <= LONGEST_TERM
    )


def _values(number: str) -> list[str]:
    number = number.replace(" ", "")
    decimal = _DECIMAL.fullmatch(number)
    values: list[str] = []
    if _GROUPED.fullmatch(number):
        mark = max(number.rfind("."), number.rfind(","))
        if number.count(number[mark]) == 1 and len({".", ","} & set(number)) == len(".,"):
            whole, fraction = number[:mark], number[mark + 1 :]
        else:
            whole, fraction = number, ""
        whole = whole.replace(",", "").replace(".", "")
        values += [f"{whole}.{fraction}" if fraction else whole]
        if fraction and not fraction.strip("0"):
            values.append(whole)
    if decimal:
        values.append(f"{decimal[1]}.{decimal[2]}")
        if not decimal[2].strip("0"):
            values.append(decimal[1])
    elif not values:
        values.append(number)
        pieces = number.split(".") if len(number) <= LONGEST_TERM else []
        values += [".".join(pieces[:count]) for count in range(len(pieces) - 1, 1, -1)]
    return values


def _collect_compound(run: str, at: int, found: list[Part]) -> None:
    if "'" in run and run[run.rindex("'") + 1 :].lower() in LEFTOVERS:
        _collect_possessor(run, at, found)
        return
    if len(run) <= LONGEST_TERM:
        found.append(Part(_whole(run), at, at + len(run)))
    if _VERSION.fullmatch(run):
        _collect_number(run[1:], at + 1, found)
        return
    for level in _LEVELS:
        pieces = list(level.finditer(run))
        if len(pieces) > 1:
            for piece in pieces:
                if inner := _EDGES.fullmatch(piece[0]):
                    _collect_piece(inner[1], at + piece.start() + inner.start(1), found)
            return
    _collect_letters_and_digits(run, at, found)


def _collect_possessor(run: str, at: int, found: list[Part]) -> None:
    base = run[: run.rindex("'")]
    if run.lower().endswith("n't"):
        found.append(Part(run.lower(), at, at + len(run), is_stop_word=True))
    else:
        _collect(base, at, found)


def _collect_letters_and_digits(run: str, at: int, found: list[Part]) -> None:
    for piece in _RUNS.finditer(run):
        start = at + piece.start()
        if not piece[0].isdigit():
            # Signs such as Roman numerals are neither letters nor 0-9: there the run is one piece.
            if 1 < len(piece[0]) < len(run):
                _collect_piece(piece[0], start, found)
            continue
        _collect_number(piece[0], start, found)


def _collect_piece(piece: str, at: int, found: list[Part]) -> None:
    """A part of a whole: stop words among them say nothing by themselves."""
    inner: list[Part] = []
    _collect(piece, at, inner)
    found.extend(part for part in inner if not part.is_stop_word)


def _whole(run: str) -> str:
    """`мини-отеля` and `e-mail` are found as one word too; what has digits stays as it is."""
    if _HYPHENATED.fullmatch(run):
        words = [one_script(word.lower(), is_code=False) for word in re.split("[-']", run)]
        return stem("".join(words))
    return _exact(run)


def _exact(run: str) -> str:
    is_code = any(sign.isdigit() for sign in run)
    return _LETTERS.sub(lambda letters: one_script(letters[0], is_code=is_code), run.lower())


class _English:
    """The English stemmer, one caller at a time: it keeps the word at hand in itself."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._snowball = EnglishStemmer()

    def stem(self, word: str) -> str:
        with self._lock:
            return str(self._snowball.stemWord(word))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


_russian = cache(RussianStems)
_english = cache(_English)


def fresh_stem(word: str) -> str:
    """The stem of a lower-case word by its script; words of other scripts stay as they are."""
    if len(word) > LONGEST_STEMMED:
        return word
    if "а" <= word[0] <= "я":
        return _russian().stem(word)
    return _english().stem(word) if "a" <= word[0] <= "z" else word


stem = lru_cache(maxsize=RUNS_KEPT)(fresh_stem)
"""`fresh_stem` that remembers."""

"""What a word with one slip of the finger in it may have been meant to be.

Nothing is kept for this: no list of words, no hashes of misspelt ones. From the typed word come the
stems of words that lie one insertion, deletion, replacement or swap away; which of them occur where
the asker may look, the index itself says. Stems, not forms, so that a typo is undone also where the
texts hold the word in other forms only.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product

from svod.knowledge.indexing.stop_words import STOP_WORDS
from svod.knowledge.indexing.word_folding import fold, one_script
from svod.knowledge.indexing.word_parts import fresh_stem, stem

SHORTEST_MEANT = 5
"""Letters of a word from which on a typo in it is looked for (R2)."""
SHORTEST_TYPED = SHORTEST_MEANT - 1
LONGEST_TYPED = 32
_SHORTEST_STEM = 3
_LONGEST_ENDING = 7

_RUSSIAN = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
_ENGLISH = "abcdefghijklmnopqrstuvwxyz"
_COMMON = """год время человек день новый первый один два большой другой работа дело часть сделать
    стать получить день место случай вопрос система страна можно нужно каждый
    one two new first time year use used make made work part people name need get day know number
    way form state system""".split()  # noqa: SIM905
_VOWELS = frozenset("аеиоуыэюяaeiouy")
_SOFTENED = "бпвмф"
"""Letters after which stems lose an `л`."""
_STANDS_FOR = {_RUSSIAN: ("з", "э"), _ENGLISH: ("q", "o")}
"""For a consonant and a vowel that are not known yet: letters that no ending has and no rule of
stems asks for."""

_CASES = """а я о е ы и у ю ь ой ей ий ый ом ем ам ям ах ях ов ев ами ями ого его ому ему ую юю ая яя
    ое ее ые ие ым им ых их ыми ими ою ею ию ия ии ием ией иям иях иями ью ья ье ьи ьев ьям ьем
    ость ости остью остей остям остями остях""".split()  # noqa: SIM905
_VERBS = """ть ти чь л ла ло ли на но ны н т ет ит ат ят ут ют ешь ишь ем им ете ите йте й у ю я в вши
    ать ять еть ить уть оть ал ала ало али ял яла яло яли ел ела ело ели ил ила ило или ул ула
    ает яет уют ают яют ивает ывает овать ировать ан ана ано аны ен ена ено ены ят ая яв ив ав""".split()  # noqa: SIM905
_PARTICIPLES = "нн енн анн янн вш ивш ывш ующ ющ ущ ащ ящ ем им ом н ск ов еньк ейш айш".split()  # noqa: SIM905
_ADJECTIVES = """ый ий ой ая яя ое ее ые ие ого его ому ему ым им ом ем ых их ыми ими ую юю ой
    ей""".split()  # noqa: SIM905
_SUFFIXES = """s es ed d ing ings er ers est ly y ies ied ier iest ness nesses ment ments ation ations
    ion ions tion tions ible able ibly ably ability ic ical ically al ally ial ful fully less ity
    ities ous ously ive ively ize izes ized izing ise ised ising e ance ence ances ences ant ent
    ism ist ists or ors ship en""".split()  # noqa: SIM905
_ENDINGS = {
    _RUSSIAN: frozenset(
        ending
        for start in (
            *_CASES,
            *_VERBS,
            *(part + case for part, case in product(_PARTICIPLES, _ADJECTIVES)),
            *(f"{noun}{case}" for noun, case in product(("ени", "ани", "ни", "ти"), "еяю")),
        )
        for ending in (start, f"{start}ся", f"{start}сь")
    ),
    _ENGLISH: frozenset(_SUFFIXES),
}


def script_of(word: str) -> str:
    """`ru` or `en` by the letters of a lower-case word; empty for what is neither."""
    if set(word) <= set(_RUSSIAN):
        return "ru"
    return "en" if set(word) <= set(_ENGLISH) else ""


@cache
def common_terms() -> frozenset[str]:
    """Terms that texts of a language hardly do without: where none is known, it is not spoken."""
    return frozenset(stem(word) for word in _COMMON)


def one_typo_away(word: str) -> dict[str, str]:
    """The stems of words one typo away from a folded, lower-case word, each with such a word.

    A few hundred of them, at about 5 ms: use a thread. Empty for what is no single word of one
    alphabet, or is shorter than four letters. Irregular forms may be missing.
    """
    alphabet = next((one for one in (_RUSSIAN, _ENGLISH) if set(word) <= set(one)), None)
    if alphabet is None or not SHORTEST_TYPED <= len(word) <= LONGEST_TYPED:
        return {}
    own = stem(word)
    meant: dict[str, str] = {}
    for found, term in (*_with_less(word), *_with_more(word, alphabet)):
        if len(found) >= SHORTEST_MEANT and term != own and found not in STOP_WORDS:
            meant.setdefault(term, found)
    return meant


def as_compared(word: str) -> str:
    """A word as it is compared with others: folded, lower-case, of one script."""
    return one_script(fold(word).text.lower(), is_code=False)


def is_like(typed: str, found: str) -> bool:
    """Whether a word of a text can be what was meant by a typed one, both folded and lower-case.

    One typo, and endings that differ: stems alone take `переменный` and `перья` for one word.
    """
    alike = _longest_alike(typed, found)
    if alike == (len(typed), len(found)):
        return True
    if min(alike) < _SHORTEST_STEM or (typed[0] != found[0] and sum(alike) <= 2 * _SHORTEST_STEM):
        return False
    # Of a long form more is ending: `укзать`, `указ-ывают`.
    return 2 * alike[0] >= len(typed) and 5 * alike[1] >= 2 * len(found)


def _longest_alike(one: str, other: str) -> tuple[int, int]:
    """The longest beginnings of two words that are at most one typo apart.

    Source: Damerau 1964, "A technique for computer detection and correction of spelling errors".
    """
    best = (0, 0)
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, opposite in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != opposite))
            if i > 1 < j and (letter, one[i - 2]) == (other[j - 2], opposite):
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
            if cost <= 1 and (i + j, i) > (sum(best), best[0]):
                best = (i, j)
    return best


def _with_less(word: str) -> Iterator[tuple[str, str]]:
    """A letter too many was typed, or two changed places."""
    for at in range(len(word)):
        yield (found := word[:at] + word[at + 1 :]), fresh_stem(found)
    for at in range(len(word) - 1):
        if word[at] != word[at + 1]:
            swapped = word[at + 1] + word[at]
            yield (found := word[:at] + swapped + word[at + 2 :]), fresh_stem(found)


def _with_more(word: str, alphabet: str) -> Iterator[tuple[str, str]]:
    """A letter was left out, or another was typed in its place."""
    for at in range(len(word) + 1):
        yield from _filled(word[:at], word[at:], alphabet)
        if at < len(word):
            yield from _filled(word[:at], word[at + 1 :], alphabet)


def _filled(head: str, tail: str, alphabet: str) -> Iterator[tuple[str, str]]:
    """Words with some letter in the gap.

    Inside a stem, two letters tell what the stem of each other one is; one that makes an ending is
    tried itself.
    """
    at = len(head)
    hard = head.replace("ь", "")  # as stems have it
    for unknown in _STANDS_FOR[alphabet]:
        stemmed = fresh_stem(head + unknown + tail)
        rest = stemmed[len(hard) + 1 :] if stemmed.startswith(hard + unknown) else None
        for letter in alphabet:
            if (letter in _VOWELS) != (unknown in _VOWELS):
                continue
            found = head + letter + tail
            is_softened = rest is not None and rest[:1] == "л" and letter in _SOFTENED
            if is_softened or _ends_well(found, at, alphabet):
                yield found, fresh_stem(found)
            elif rest is not None:
                yield found, (hard + letter + rest).replace("ь", "")


def _ends_well(word: str, at: int, alphabet: str) -> bool:
    """Whether the letter at a place belongs to an ending that words have."""
    first = max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING)
    return any(word[start:] in _ENDINGS[alphabet] for start in range(first, at + 1))

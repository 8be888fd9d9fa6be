"""Codes match exactly, and a word is found by its other forms: sets of our own, in full."""

import random

import pytest

from fakes.shelf import Shelf
from fakes.word_forms import FORM_PAIRS
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.retrieval import Retrieval, RetrievalPlan

TWINS = str.maketrans("ABCEHKMOPTXY", "АВСЕНКМОРТХУ")


def codes(chance: random.Random) -> list[str]:
    """500 codes that differ little: joined by - / . _, some in letters of both scripts."""
    made: dict[str, None] = {}
    while len(made) < 500:
        letters = "".join(chance.choices("ABCEHKMOPTXY", k=chance.choice((2, 3))))
        number = str(chance.randrange(1000, 1100))
        tail = chance.choice(("", "", "7", "B", "02"))
        sign = chance.choice("-/._")
        made.setdefault(sign.join(part for part in (letters, number, tail) if part))
    return list(made)


@pytest.mark.spec("N-35", "R2")
async def test_of_500_codes_each_is_found_first_by_itself_in_letters_of_either_script(
    database: Database,
) -> None:
    chance = random.Random(35)  # noqa: S311 - a seeded corpus
    shelf = Shelf(database)
    skus = codes(chance)
    # In the texts, too, a look-alike may have slipped in.
    written = [code.translate(TWINS) if chance.random() < 0.3 else code for code in skus]
    prices = [chance.randrange(100, 999) for _ in skus]
    for at in range(0, len(skus), 100):
        texts = zip(written[at : at + 100], prices[at : at + 100], strict=True)
        await shelf.add(*(f"Артикул {code}: насос, цена {price}." for code, price in texts))
    retrieval, caller = Retrieval(database, None, SystemClock()), shelf.caller()
    missed: list[str] = []
    for at, code in enumerate(skus):
        forms = (code, code.lower(), code.translate(TWINS), code[0].translate(TWINS) + code[1:])
        query = forms[at % len(forms)]
        found = await retrieval.search(caller, RetrievalPlan(query, limit=2))
        ranks = [hit.rank_score for hit in found.hits]
        is_first = bool(found.hits) and f"Артикул {written[at]}:" in found.hits[0].text
        if not is_first or ranks[1:2] == ranks[:1] or found.corrected:
            missed.append(query)
    assert missed == []


@pytest.mark.spec("N-34", "R2")
@pytest.mark.parametrize("swapped", [False, True])
async def test_a_word_is_found_by_its_other_form_in_over_98_of_100_pairs(
    database: Database, *, swapped: bool
) -> None:
    shelf, pairs = Shelf(database), [pair[::-1] if swapped else pair for pair in FORM_PAIRS]
    assert len(pairs) >= 200
    item_ids = [await shelf.add(f"Здесь речь идёт про {held}.") for _, held in pairs]
    retrieval, caller = Retrieval(database, None, SystemClock()), shelf.caller()
    missed: list[str] = []
    for item_id, (asked, held) in zip(item_ids, pairs, strict=True):
        found = await retrieval.search(caller, RetrievalPlan(asked, limit=5))
        if item_id not in {hit.item_id for hit in found.hits}:
            missed.append(f"{asked} {held}")
    assert len(missed) <= 0.02 * len(pairs), "; ".join(missed)


@pytest.mark.spec("N-34", "R2")
async def test_a_misspelt_form_finds_the_other_in_over_90_of_100_pairs(database: Database) -> None:
    chance = random.Random(34)  # noqa: S311 - seeded typos
    shelf = Shelf(database)
    pairs = [pair for pair in FORM_PAIRS if len(pair[0]) >= 5 and pair[0].isalpha()]
    item_ids = [await shelf.add(f"Здесь речь идёт про {held}.") for _, held in pairs]
    retrieval, caller = Retrieval(database, None, SystemClock()), shelf.caller()
    missed: list[str] = []
    for item_id, (asked, held) in zip(item_ids, pairs, strict=True):
        typed = misspelt(asked, chance)
        found = await retrieval.search(caller, RetrievalPlan(typed, limit=10))
        if item_id not in {hit.item_id for hit in found.hits}:
            missed.append(f"{asked} {typed} {held}")
    assert len(missed) <= 0.1 * len(pairs), "; ".join(missed)


def misspelt(word: str, chance: random.Random) -> str:
    """The word with a letter left out, put in, replaced, or swapped with the next."""
    letter = chance.choice("абвгдежзиклмнопрстуфхцчшщыэюя")
    at = chance.randrange(len(word) - 1)
    head, tail = word[:at], word[at:]
    typed = chance.choice(
        (
            head + tail[1:],
            head + letter + tail,
            head + letter + tail[1:],
            head + tail[1] + tail[0] + tail[2:],
        )
    )
    return typed if typed != word else word + letter

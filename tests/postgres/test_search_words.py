"""Words behind keyed hashes rank as BM25 does in the clear, also after changes and deletions."""

import math
import random
from collections import Counter

import pytest

from fakes.shelf import Shelf
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.indexing.words import AVERAGE_LENGTH, K1, B, query_words, words
from svod.knowledge.retrieval import Mode, Retrieval, RetrievalPlan

DOCUMENTS = 200
QUERIES = 40
NOUNS = {
    "en": "contract invoice warranty keyboard engine garden teacher window ticket planet river server",
    "ru": "договор счёт гарантия клавиатура двигатель огород учитель окно билет планета река сервер",
}
VERBS = {
    "en": "signed paid returned opened repaired painted moved measured cancelled described",
    "ru": "подписан оплачен возвращён открыт починен покрашен сдвинут измерен отменён описан",
}


def sentence(rng: random.Random, lang: str) -> str:
    nouns, verbs = NOUNS[lang].split(), VERBS[lang].split()
    said = " ".join(
        f"{rng.choice(nouns)} {rng.choice(verbs)} {rng.randint(1, 40)}"
        for _ in range(rng.randint(1, 30))
    )
    return f"{said} {rng.choice(nouns)}-{rng.randint(1, 5)}."


def bm25(texts: list[str], query: str) -> list[float]:
    """Okapi BM25 over the terms in the clear, with the analyzer's constant average length."""
    found = [Counter(word.term for word in words(text)) for text in texts]
    scores = [0.0] * len(texts)
    for term in query_words(query).terms:
        df = sum(term in terms for terms in found)
        idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
        for at, terms in enumerate(found):
            norm = K1 * (1 - B + B * terms.total() / AVERAGE_LENGTH)
            scores[at] += idf * terms[term] * (K1 + 1) / (terms[term] + norm)
    return scores


@pytest.mark.spec("R2", "X6", "K18")
@pytest.mark.parametrize("lang", ["en", "ru"])
async def test_the_first_ten_equal_bm25_in_the_clear_after_a_fifth_changed_or_went(
    database: Database, lang: str
) -> None:
    rng = random.Random(7)  # noqa: S311 - a seeded corpus
    shelf = Shelf(database)
    texts = {
        await shelf.add(text): text for text in (sentence(rng, lang) for _ in range(DOCUMENTS))
    }
    ids = list(texts)
    for item_id in rng.sample(ids, DOCUMENTS // 10):
        texts[item_id] = sentence(rng, lang)
        await shelf.change(item_id, texts[item_id])
    gone = rng.sample(ids, DOCUMENTS // 10)
    await shelf.remove(gone)
    for item_id in gone:
        del texts[item_id]
    retrieval, caller = Retrieval(database, None, SystemClock()), shelf.caller()
    kept = list(texts.items())
    same = wanted_places = 0
    for _ in range(QUERIES):
        query = sentence(rng, lang)[: rng.randint(12, 80)].rsplit(" ", 1)[0]
        scores = bm25([text for _, text in kept], query)
        tenth = sorted(scores, reverse=True)[9]
        # Of equal scores any may come first.
        wanted = {kept[at][0] for at, score in enumerate(scores) if 0 < score >= tenth - 1e-5}
        found = await retrieval.search(caller, RetrievalPlan(query, mode=Mode.WORDS))
        assert [hit.text for hit in found.hits] == [texts[hit.item_id] for hit in found.hits]
        same += len({hit.item_id for hit in found.hits} & wanted)
        wanted_places += min(10, len(wanted))
    assert wanted_places > QUERIES * 5
    assert same / wanted_places >= 0.99


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("getUserById", "Call getUserById(7) first."),
        ("get_user", "def get_user(name): pass"),
        ("ERR-4041", "It failed with ERR-4041."),
        ("3.11.2", "Python 3.11.2 is required."),
        ("src/app/main.py", "Edit src/app/main.py."),
        ("ежик", "Ёжик в тумане."),
        ("1500", "Стоит 1 500 рублей."),
    ],
)
async def test_names_numbers_and_codes_match_exactly(
    database: Database, query: str, holds: str
) -> None:
    shelf = Shelf(database)
    others = ["Call setUserById(7).", "ERR-4042", "Python 3.11.3", "src/app/mine.py", "1 501 и 15"]
    await shelf.add(holds, *others)
    retrieval = Retrieval(database, None, SystemClock())
    found = await retrieval.search(shelf.caller(), RetrievalPlan(query, mode=Mode.WORDS))
    assert found.hits[0].text == holds
    assert all(hit.rank_score < found.hits[0].rank_score for hit in found.hits[1:])

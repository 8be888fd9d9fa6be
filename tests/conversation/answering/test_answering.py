"""From a question to a cited answer, or to an honest «not found»."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scripted_evidence import NOBODY, ScriptedRetriever, ScriptedTexts, a_hit, found

from svod.conversation.answering import (
    Answer,
    Answering,
    Question,
    QuestionEmpty,
    QuestionTooLong,
)
from svod.foundation.errors import Language
from svod.foundation.providers.embedding import ModelCard, Purpose, Vectors
from svod.knowledge.retrieval import Found, Mode, RetrievalPlan

RETURNS = (
    "# Возврат\n\nМагазин работает с 2010 года. Вернуть товар можно в течение 21 дня после "
    "покупки. Нужен чек. Уценённый товар возврату не подлежит."
)
SHIPPING = (
    "# Shipping\n\nThe shop opened in 2010. Parcels reach Berlin within 4 days. "
    "A courier calls first. Fragile parcels are not left at the door."
)
BOTH = [
    ("ru", "В течение скольких дней можно вернуть товар?", RETURNS, "21 дня"),
    ("en", "Within how many days do parcels reach Berlin?", SHIPPING, "4 days"),
]


class SenseOf:
    """An embedder that knows which texts mean the same: those that share one of its words."""

    def __init__(self, *senses: Sequence[str]) -> None:
        self._senses = senses
        self.texts: list[str] = []

    @property
    def card(self) -> ModelCard:
        size = len(self._senses) + 1
        mean = np.full(size, 0.3, dtype=np.float32)
        spread = 0.2 * np.eye(size, dtype=np.float32)
        return ModelCard(f"senses:{size}", size, 512, "0" * 64, mean, spread)

    @property
    def ready(self) -> bool:
        return True

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        if purpose is Purpose.COMPARE:
            self.texts.extend(texts)
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def _vector(self, text: str) -> list[float]:
        held = [float(any(word in text.casefold() for word in sense)) for sense in self._senses]
        vector = np.array([*held, 0.3])
        return list(vector / np.linalg.norm(vector))


class NeverReady(SenseOf):
    """An embedder whose vectors come too late."""

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:  # noqa: ARG002
        raise TimeoutError


async def ask(
    query: str, result: Found, *, embedder: SenseOf | None = None, **rest: object
) -> Answer:
    plan = RetrievalPlan(query, **rest)  # pyright: ignore[reportArgumentType]
    answering = Answering(ScriptedRetriever(result), embedder, meaning_within_ms=400)
    return await answering.ask(NOBODY, Question(plan))


def sentences_of(answer: Answer) -> list[tuple[str, list[int]]]:
    """What is said, with the numbers behind it."""
    return [
        (match[1].strip(), [int(n) for n in re.findall(r"\d+", match[2])])
        for match in re.finditer(r"(.+?) ((?:\[\d+\])+)", answer.text, re.DOTALL)
    ]


@pytest.mark.spec("R14", "R15")
@pytest.mark.parametrize(("lang", "query", "text", "fact"), BOTH)
async def test_the_answer_is_a_cited_sentence_of_the_evidence(
    lang: str, query: str, text: str, fact: str
) -> None:
    canonical = "Предисловие.\n\n" + text
    answer = await ask(query, found(a_hit(text, start=len(canonical) - len(text))))
    assert answer.answered
    assert answer.language == lang
    assert fact in answer.text
    assert sentences_of(answer)[0][1] == [1]
    for citation in answer.citations:
        assert citation.text == canonical[citation.start : citation.end]
    assert answer.meta.model is None
    assert "model" not in answer.text
    assert "модел" not in answer.text


@pytest.mark.spec("R14")
async def test_citations_are_numbered_as_they_appear_and_each_place_has_one_number() -> None:
    table = (
        "| Тариф | Цена |\n|---|---|\n| Пробный | 0 ₽ |\n| Базовый | 300 ₽ |\n| Полный | 900 ₽ |"
    )
    answer = await ask("Цена на тариф базовый и полный", found(a_hit(table)))
    assert sentences_of(answer)[:2] == [
        ("Тариф: Базовый; Цена: 300 ₽", [1, 2]),
        ("Тариф: Полный; Цена: 900 ₽", [1, 3]),
    ]
    assert [citation.n for citation in answer.citations] == [1, 2, 3]
    assert len({(c.start, c.end) for c in answer.citations}) == len(answer.citations)


@pytest.mark.spec("R15")
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("Цена тарифа базовый?", ["Тариф: Базовый; Цена: 300 ₽"]),
        ("Какая цена у тарифов?", ["Тариф: Пробный; Цена: 0 ₽", "Тариф: Базовый; Цена: 300 ₽"]),
    ],
)
async def test_of_the_rows_of_a_table_the_one_asked_for_is_said(
    query: str, said: list[str]
) -> None:
    table = "| Тариф | Цена |\n|---|---|\n| Пробный | 0 ₽ |\n| Базовый | 300 ₽ |"
    assert [text for text, _ in sentences_of(await ask(query, found(a_hit(table))))] == said


@pytest.mark.spec("R15")
async def test_sentences_of_one_source_stand_in_reading_order() -> None:
    text = "Alpha beta gamma is small. Rain fell. Snow too. Gamma, delta, alpha and beta grow."
    answer = await ask("alpha beta gamma delta", found(a_hit(text)))
    starts = [citation.start for citation in answer.citations]
    assert len(starts) == 2
    assert starts == sorted(starts)


@pytest.mark.spec("R18", "R15")
@pytest.mark.parametrize(
    ("query", "text", "expected", "sense"),
    [
        (
            "Когда звонит курьер?",
            SHIPPING,
            "A courier calls first.",
            ["звонит", "calls"],
        ),
        (
            "Do I need a receipt?",
            RETURNS,
            "Нужен чек.",
            ["receipt", "чек"],
        ),
    ],
)
async def test_meaning_finds_the_sentence_in_the_other_language(
    query: str, text: str, expected: str, sense: list[str]
) -> None:
    answer = await ask(query, found(a_hit(text)), embedder=SenseOf(sense))
    assert sentences_of(answer)[0] == (expected, [1])
    assert answer.language is (Language.RU if query.startswith("Когда") else Language.EN)


@pytest.mark.spec("R6")
@pytest.mark.parametrize(("lang", "query", "text", "fact"), BOTH)
async def test_without_vectors_in_time_words_alone_answer(
    lang: str, query: str, text: str, fact: str
) -> None:
    answer = await ask(query, found(a_hit(text)), embedder=NeverReady([]))
    assert fact in answer.text
    assert answer.language == lang


class LateAfter(SenseOf):
    """An embedder that gives some batches of sentences and then comes too late."""

    left = 1

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        if purpose is Purpose.COMPARE:
            self.left -= 1
            if self.left < 0:
                raise TimeoutError
        return await super().embed(texts, purpose=purpose)


@pytest.mark.spec("R6")
async def test_what_was_compared_in_time_counts() -> None:
    rain = " ".join(f"Дождь {'идёт ' * 20}{number}." for number in range(200))
    hits = [a_hit("Магазин открыт. Нужен чек. Товар новый."), a_hit(rain, item=2)]
    embedder = LateAfter(["receipt", "чек"])
    answer = await ask("Do I need a receipt?", found(*hits), embedder=embedder)
    assert embedder.left < 0
    assert sentences_of(answer)[0] == ("Нужен чек.", [1])


async def test_what_is_compared_by_meaning_is_bounded() -> None:
    text = " ".join(f"Sentence {number} is about rain and wind." for number in range(400))
    embedder = SenseOf(["rain"])
    hits = [a_hit(text, item=item) for item in range(1, 9)]
    await ask("What about the wind?", found(*hits), embedder=embedder)
    assert 0 < len(embedder.texts) <= 40
    assert sum(embedder.count_tokens(embedder.texts)) <= 1_200


@pytest.mark.spec("R14")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Price of Max?", "| Max | $90 |"),
        ("Цена тарифа Полный?", "| Полный | 900 ₽ |"),
    ],
)
async def test_a_header_outside_of_the_chunk_is_cited_where_it_stands(
    query: str, text: str
) -> None:
    header = "| Plan | Price 2025 |\n| --- | --- |"
    canonical = f"Text.\n\n{header}\n| Min | $10 |\n{text}"
    start = canonical.index(text)
    hit = a_hit(text, start=start, header=header)
    answering = Answering(
        ScriptedRetriever(found(hit)),
        None,
        meaning_within_ms=400,
        texts=ScriptedTexts({1: canonical}),
    )
    answer = await answering.ask(NOBODY, Question(RetrievalPlan(query)))
    assert [citation.text for citation in answer.citations] == ["| Plan | Price 2025 |", text]
    assert all(c.text == canonical[c.start : c.end] for c in answer.citations)
    assert answer.text.startswith("Plan: ")

    without = await ask(query, found(hit))
    assert [citation.text for citation in without.citations] == [text]
    assert "2025" not in without.text


@pytest.mark.spec("R14")
async def test_the_same_sentence_in_two_sources_is_said_once() -> None:
    hits = [a_hit("Вернуть товар можно за 21 день.", item=item) for item in (1, 2)]
    answer = await ask("За сколько дней можно вернуть товар?", found(*hits))
    assert len(answer.citations) == 1


@pytest.mark.spec("R16")
@pytest.mark.parametrize(
    ("query", "lang", "says"),
    [
        ("Кто выиграл чемпионат по шахматам?", "ru", "не нашлось ответа на вопрос «Кто выиграл"),
        ("Who won the chess championship?", "en", "Nothing in the knowledge base answers “Who won"),
    ],
)
async def test_nothing_found_is_said_in_the_language_of_the_question(
    query: str, lang: str, says: str
) -> None:
    nearest = a_hit("Отчёт за март.", title="Отчёт [1]", score=0.01)
    answer = await ask(query, found(nearest))
    assert not answer.answered
    assert answer.language == lang
    assert says in answer.text
    assert "Отчёт (1)" in answer.text
    assert answer.nearest == nearest
    assert answer.citations == ()
    nothing = await ask(query, found())
    assert (nothing.answered, nothing.nearest) == (False, None)


@pytest.mark.spec("R18")
async def test_the_language_can_be_asked_for() -> None:
    question = Question(RetrievalPlan("Где ключ?"), language=Language.EN)
    answering = Answering(ScriptedRetriever(found()), None, meaning_within_ms=400)
    answer = await answering.ask(NOBODY, question)
    assert answer.text.startswith("Nothing in the knowledge base")


@pytest.mark.spec("R6", "R7a")
@pytest.mark.parametrize(
    ("query", "ready", "says"),
    [
        ("Где ключ?", 0.4, "готово 40 %"),
        ("Где ключ?", 1.0, "не успел ответить"),
        ("Where is the key?", 0.4, "40 % ready"),
        ("Where is the key?", 1.0, "did not answer in time"),
    ],
)
async def test_it_is_said_when_meaning_had_no_part(query: str, ready: float, says: str) -> None:
    result = found(used_meaning=False, meaning_ready=ready)
    assert says in (await ask(query, result, embedder=SenseOf([]))).text
    assert says not in (await ask(query, result)).text
    assert says not in (await ask(query, result, embedder=SenseOf([]), mode=Mode.WORDS)).text


@pytest.mark.spec("R16")
async def test_it_is_said_where_was_looked() -> None:
    answer = await ask("Где ключ?", found(), levels=("domain:example.com",), namespaces=("hr",))
    assert "domain:example.com, hr" in answer.text


@pytest.mark.parametrize("query", ["", "  \n\t", "\x00\x00", "\ud800", "?!.", " "])
async def test_an_empty_question_is_refused(query: str) -> None:
    with pytest.raises(QuestionEmpty):
        await ask(query, found())


async def test_a_too_long_question_is_refused() -> None:
    with pytest.raises(QuestionTooLong) as refused:
        await ask("о" * 2_001, found())
    assert refused.value.facts == {"length": 2_001, "limit": 2_000}


async def test_what_cannot_be_written_is_left_out_of_the_question() -> None:
    retriever = ScriptedRetriever(found())
    answering = Answering(retriever, None, meaning_within_ms=250)
    answer = await answering.ask(NOBODY, Question(RetrievalPlan("Где\x00 \ud800ключ\r\nот [1]?")))
    assert retriever.plans[0].query == "Где ключ от [1]?"
    assert retriever.plans[0].meaning_within_ms == 250
    answer.text.encode()
    assert "[1]" not in answer.text


@pytest.mark.spec("R2")
async def test_a_question_typed_in_the_other_layout_chooses_by_what_was_meant() -> None:
    result = replace(
        found(a_hit("Магазин открыт. Нужен чек. Товар новый.")),
        notes=("other_layout",),
        query="чек",
    )
    answer = await ask("xtr", result)
    assert sentences_of(answer)[0][0] == "Нужен чек."

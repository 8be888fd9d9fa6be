"""Questions over documents as they are really read and split."""

from dataclasses import replace

import pytest
from scripted_evidence import NOBODY, ScriptedRetriever, ScriptedTexts, a_hit, found

from svod.conversation.answering import Answer, Answering, Question
from svod.knowledge.chunking import SplitSettings, split
from svod.knowledge.indexing.words import words
from svod.knowledge.parsing.reading import read_document
from svod.knowledge.parsing.source import Source
from svod.knowledge.retrieval import Hit, RetrievalPlan

ROWS = "\n".join(
    f"| ШК-{number} | Шкаф № {number} | {number * 100 + 7} ₽ |" for number in range(90)
)
RU = f"""# Магазин «Ёлка»

Магазин работает с **2010 года**. Он стоит на [Лесной улице](https://example.com/map), дом 5.

## Возврат

Вернуть товар можно в течение 21 дня. Уценённый товар возврату не подлежит.

Для возврата нужны:

- чек;
- паспорт покупателя;
- упаковка.

## Вопросы

**Можно ли оплатить картой?**

Да, картами «Мир» и по QR-коду.

**Как быстро привезут заказ?**

За 2 дня по городу, за 5 дней по области.

## Цены

| Артикул | Название | Цена |
| --- | --- | ---: |
{ROWS}
"""
EN = """# Svod client

Install it with one command. It needs Python 3.11 or newer.

```python
with Client() as client:
    client.add_note("text")

print(client.ask("How?").answer)
```

## Limits

1. A note holds at most 1,000,000 characters.
2. A file holds at most 100 MB.

> The limits do not change before version 2.0.

| Plan | Requests a minute |
|------|------------------:|
| Free | 60 |
| Team | 600 |
"""
CASES = [
    (RU, "За сколько дней можно вернуть товар?", "21 дня"),
    (RU, "Какой товар возврату не подлежит?", "Уценённый товар возврату не подлежит."),
    (RU, "Что нужно для возврата?", "паспорт покупателя"),
    (RU, "Можно ли оплатить картой?", "картами «Мир» и по QR-коду"),
    (RU, "Как быстро привезут заказ по области?", "за 5 дней по области"),
    (RU, "Сколько стоит шкаф № 77?", "Название: Шкаф № 77; Цена: 7707 ₽"),
    (RU, "На какой улице стоит магазин?", "Он стоит на Лесной улице, дом 5."),
    (EN, "Which Python does it need?", "It needs Python 3.11 or newer."),
    (EN, "How many characters can a note hold?", "at most 1,000,000 characters"),
    (EN, "How many requests a minute on the Team plan?", "Plan: Team; Requests a minute: 600"),
    (EN, "client.ask answer print", 'print(client.ask("How?").answer)'),
    (EN, "Do the limits change before version 2.0?", "do not change before version 2.0"),
]


def hits_of(chunks: list[Hit], query: str) -> list[Hit]:
    """The chunks that share most words with the question."""
    asked = {word.term for word in words(query)}
    return sorted(chunks, key=lambda hit: -len(asked & {word.term for word in words(hit.text)}))


async def ask(text: str, query: str) -> tuple[Answer, str]:
    document = read_document(Source(text.encode(), "note.md"))
    cut = split(
        document,
        SplitSettings(chunk_size=400),
        title="Doc",
        count_tokens=None,
        max_tokens=500,
    )
    hits = [
        replace(
            a_hit(chunk.text, start=chunk.start, header=chunk.header, headings=chunk.heading_path),
            page=chunk.page,
        )
        for chunk in cut
    ]
    answering = Answering(
        ScriptedRetriever(found(*hits_of(hits, query)[:8])),
        None,
        meaning_within_ms=400,
        texts=ScriptedTexts({1: document.text}),
    )
    return await answering.ask(NOBODY, Question(RetrievalPlan(query))), document.text


@pytest.mark.spec("R14", "R15")
@pytest.mark.parametrize(("text", "query", "fact"), CASES)
async def test_the_fact_is_said_and_every_citation_stands_in_the_document(
    text: str, query: str, fact: str
) -> None:
    answer, canonical = await ask(text, query)
    assert fact in answer.text
    assert answer.meta.removed_sentences == 0
    assert answer.citations
    for citation in answer.citations:
        assert citation.text == canonical[citation.start : citation.end]
        assert f"[{citation.n}]" in answer.text

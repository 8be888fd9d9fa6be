"""Failures are problem+json in the reader's language, with codes that stay."""

import json
from string import Formatter
from typing import Any

import httpx2
import pytest

from fakes.rooms import Scripted
from svod.foundation.errors import SvodError
from svod.interfaces.api import errors, problems, validation
from svod.interfaces.api.language import preferred

BOTH = ("en", "ru")
TITLES = {"en": "Not found", "ru": "Не найдено"}


def _cyrillic(text: str) -> bool:
    return any("а" <= letter.lower() <= "я" for letter in text)


@pytest.mark.spec("I1")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_failure_is_told_as_problem_json_in_the_readers_language(
    owner: httpx2.AsyncClient, lang: str
) -> None:
    response = await owner.get(
        "/api/knowledge/items/0000000000zzz",
        headers={"Accept-Language": lang, "X-Request-Id": "seen-by-me"},
    )
    problem = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["content-language"] == lang
    assert problem["status"] == response.status_code == 404
    assert problem["code"] == "items.not_found"
    assert problem["type"].endswith(problem["code"])
    assert problem["title"] == TITLES[lang]
    assert problem["request_id"] == response.headers["x-request-id"] == "seen-by-me"
    assert _cyrillic(problem["detail"]) == _cyrillic(problem["hint"]) == (lang == "ru")


@pytest.mark.spec("I1")
@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ru", "ru"),
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"),
        ("en-GB,en;q=0.9,ru;q=0.8", "en"),
        ("de,ru;q=0.3,en;q=0.2", "ru"),
        ("*", "en"),
        ("ru;q=nonsense,en;q=0.1", "en"),
        (";;;,,q=", "en"),
    ],
)
def test_the_better_liked_language_is_spoken(header: str, language: str) -> None:
    assert preferred(header).value == language


@pytest.mark.spec("I1", "X17")
@pytest.mark.parametrize(
    "foreign", ["nonsense", "0", "0000000000zzz", "ZZZZZZZZZZZZZ", "%00", "👻"]
)
async def test_an_id_that_cannot_be_read_is_answered_as_one_that_is_not_there(
    owner: httpx2.AsyncClient, foreign: str
) -> None:
    for method, rest in [
        ("GET", ""),
        ("PATCH", ""),
        ("DELETE", ""),
        ("POST", "/refresh"),
        ("GET", "/text"),
        ("GET", "/versions"),
        ("GET", "/source"),
    ]:
        body = {"json": {"title": "t"}} if method == "PATCH" else {}
        unknown = await owner.request(
            method,
            f"/api/knowledge/items/0000000000zz0{rest}",
            **body,
            headers={"X-Request-Id": "x"},
        )
        response = await owner.request(
            method, f"/api/knowledge/items/{foreign}{rest}", **body, headers={"X-Request-Id": "x"}
        )
        assert response.status_code == 404
        assert response.content == unknown.content


@pytest.mark.spec("I1", "X8")
@pytest.mark.parametrize("lang", BOTH)
async def test_every_field_that_does_not_fit_is_named(owner: httpx2.AsyncClient, lang: str) -> None:
    response = await owner.post(
        "/api/knowledge/search",
        json={"query": "", "limit": 51, "mode": "magic", "colour": "red", "layers": ["K_ODD"]},
        headers={"Accept-Language": lang},
    )
    problem = response.json()
    assert response.status_code == 422
    assert problem["code"] == "api.fields_invalid"
    assert {(one["field"], one["code"]) for one in problem["errors"]} == {
        ("query", "string_too_short"),
        ("limit", "less_than_equal"),
        ("mode", "enum"),
        ("colour", "extra_forbidden"),
        ("layers.0", "literal_error"),
    }
    assert all(_cyrillic(one["message"]) == (lang == "ru") for one in problem["errors"])
    assert "magic" not in response.text


@pytest.mark.spec("I1", "X8")
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "api.not_json"),
        (b"\xff\xfe{}", 400, "api.not_json"),
        (b'{"text": NaN}', 400, "api.not_json"),
        (b"[" * 10_000 + b"]" * 10_000, 400, "api.json_too_deep"),
        (b'{"text":' * 40 + b"1" + b"}" * 40, 400, "api.json_too_deep"),
        (b'{"text": "a\\u0000b"}', 422, "api.unfit_text"),
        (b'{"text": "\\ud83d"}', 422, "api.unfit_text"),
        (b'{"\\ud83d": 1}', 422, "api.unfit_text"),
        (b'"text"', 422, "api.fields_invalid"),
        (b"null", 422, "api.fields_invalid"),
        (b"", 422, "api.fields_invalid"),
    ],
    ids=lambda value: str(value)[:20],
)
async def test_a_body_that_cannot_be_taken_is_told_so_and_nothing_is_kept(
    owner: httpx2.AsyncClient, scripted: Scripted, body: bytes, status: int, code: str
) -> None:
    response = await owner.post(
        "/api/knowledge/notes", content=body, headers={"Content-Type": "application/json"}
    )
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert not scripted.items.kept


@pytest.mark.spec("X8")
async def test_a_whole_surrogate_pair_is_a_letter_like_any_other(owner: httpx2.AsyncClient) -> None:
    response = await owner.post(
        "/api/knowledge/notes",
        content=rb'{"text": "\ud83d\ude00 \u0451"}',
        headers={"Content-Type": "application/json"},
    )
    item_id = response.json()["item"]["item_id"]
    text = await owner.get(f"/api/knowledge/items/{item_id}/text")
    assert text.json()["text"] == "😀 ё"


@pytest.mark.spec("I1")
async def test_paths_and_methods_that_are_not_there_are_problems_too(
    owner: httpx2.AsyncClient,
) -> None:
    nowhere = await owner.get("/api/nowhere")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "api.no_such_path")
    wrong = await owner.put("/api/whoami")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "api.wrong_method")
    assert wrong.headers["allow"] == "GET"


@pytest.mark.spec("I1", "X13")
async def test_a_fault_of_ours_is_told_without_its_words(
    owner: httpx2.AsyncClient, scripted: Scripted
) -> None:
    scripted.retrieval.broken = True
    response = await owner.post("/api/knowledge/search", json={"query": "x"})
    assert (response.status_code, response.json()["code"]) == (500, "api.unexpected")
    assert "secret" not in response.text
    assert response.json()["request_id"] == response.headers["x-request-id"]


@pytest.mark.spec("I1")
async def test_what_does_not_answer_now_says_when_to_come_again(owner: httpx2.AsyncClient) -> None:
    response = await owner.post("/api/knowledge/ask", json={"question": "unavailable"})
    assert response.status_code == 503
    assert int(response.headers["retry-after"]) > 0


@pytest.mark.spec("I1")
@pytest.mark.parametrize("given", ["", "ключ", "a b", "x" * 65, "a\nb"])
async def test_a_request_id_that_could_not_stand_in_a_log_is_replaced(
    owner: httpx2.AsyncClient, given: str
) -> None:
    headers: Any = {b"X-Request-Id": given.encode()}
    response = await owner.get("/health", headers=headers)
    assert response.headers["x-request-id"] not in {"", given}


@pytest.mark.spec("X4")
@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("127.0.0.1:8765", True),
        ("localhost", True),
        ("LOCALHOST:1", True),
        ("[::1]:8765", True),
        ("192.168.1.7:8765", True),
        ("svod.example", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example:8765", False),
        ("", False),
    ],
)
async def test_a_name_that_is_not_ours_is_refused_before_the_key_is_looked_at(
    owner: httpx2.AsyncClient, host: str, *, ours: bool
) -> None:
    response = await owner.get("/api/whoami", headers={"Host": host})
    assert (response.status_code == 200) == ours
    if not ours:
        assert response.json()["code"] == "api.host_refused"


@pytest.mark.spec("X4")
@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer svod_wrong", "Basic b3duZXI6eA==", "svod_owner"]
)
async def test_without_a_valid_key_nothing_is_told(nobody: httpx2.AsyncClient, header: str) -> None:
    response = await nobody.get("/api/whoami", headers={"Authorization": header})
    assert response.status_code == 401
    assert response.json()["code"] == "workspaces.unauthenticated"
    assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.spec("I1")
def test_every_error_of_the_api_says_the_same_facts_in_both_languages() -> None:
    def facts(text: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    classes = [
        one
        for module in (errors, problems)
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, SvodError)
    ]
    said = [one.says for one in classes] + [one.hint for one in classes if one.hint]
    said += validation._SAID.values()
    assert len(said) > 30
    assert all(facts(one.en) == facts(one.ru) for one in said)
    assert json.dumps([one.code for one in classes])

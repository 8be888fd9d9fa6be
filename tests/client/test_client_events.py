"""The client hears an answer as it comes about."""

import httpx2
import pytest

from fakes.rooms import Scripted
from svod.client import Client, NotAvailable, ServerFailed
from svod.client.events import Event, read_events
from svod.client.results import Answer, AnswerDelta, Evidence


@pytest.mark.spec("R18")
@pytest.mark.parametrize("question", ["Срок?", "nothing"])
def test_an_answer_is_heard_in_parts_and_then_whole(client: Client, question: str) -> None:
    first, *parts, last = list(client.ask_stream(question))
    assert isinstance(first, Evidence)
    assert all(isinstance(part, AnswerDelta) for part in parts)
    assert isinstance(last, Answer)
    assert "".join(part.text for part in parts if isinstance(part, AnswerDelta)) == last.answer
    assert last.answered == bool(first.sources)
    assert last.citations == client.ask(question).citations


@pytest.mark.spec("R18")
@pytest.mark.parametrize(
    ("question", "kind", "code"),
    [
        ("unavailable", NotAvailable, "svod.unavailable"),
        ("breaks", NotAvailable, "svod.unavailable"),
        ("crashes", ServerFailed, "api.unexpected"),
    ],
)
def test_a_failure_is_of_its_kind_wherever_it_comes(
    client: Client, question: str, kind: type[Exception], code: str
) -> None:
    with pytest.raises(kind) as failed:
        list(client.ask_stream(question))
    assert getattr(failed.value, "code", None) == code


@pytest.mark.spec("N-64")
def test_leaving_ends_the_work_on_the_server(client: Client, scripted: Scripted) -> None:
    hearing = client.ask_stream("slow")
    assert isinstance(next(hearing), Evidence)
    hearing.close()
    assert scripted.answering.left.wait(20)


@pytest.mark.parametrize("body", ["", "event: evidence\ndata: {}\n\n", "event: answer\ndata: {"])
def test_a_reply_that_ends_without_an_answer_broke_off(body: str) -> None:
    def reply(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, text=body.replace("{}", '{"sources": []}'))

    client = Client("http://127.0.0.1:1", "k", transport=httpx2.MockTransport(reply))
    with pytest.raises(NotAvailable) as failed:
        list(client.ask_stream("Срок?"))
    assert failed.value.code == "client.broken_off"


def test_events_are_read_as_the_standard_says() -> None:
    text = ': hi\n\nevent: a\ndata: {"x":\ndata: 1}\n\ndata:"ё"\n\nevent: lost\n\ndata: 2'
    assert list(read_events(text.split("\n"))) == [Event("a", {"x": 1}), Event("message", "ё")]

"""Calls that search and ask."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import httpx2

from svod.client.calls import Calls
from svod.client.decoding import decode
from svod.client.events import read_events
from svod.client.found import Context, Found
from svod.client.results import Answer, AnswerDelta, Evidence
from svod.client.transport import Call


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question is asked."""

    language: str | None
    levels: Sequence[str] | None
    namespaces: Sequence[str] | None
    kinds: Sequence[str] | None
    read_for: str | None
    min_score: float
    sentences: int


class FindingCalls(Calls):
    """Searching and asking."""

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        mode: str = "both",
        levels: Sequence[str] | None = None,
        namespaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        read_for: str | None = None,
        min_score: float = 0.0,
    ) -> Found:
        """The chunks that fit a query best; `read_for` a level, what is read for it."""
        body = {
            "query": query,
            "limit": limit,
            "mode": mode,
            "min_score": min_score,
            **_where(levels, namespaces, kinds, read_for),
        }
        return self._get(Found, Call("POST", "/api/knowledge/search", body=body))

    def context(
        self,
        query: str,
        *,
        limit: int = 20,
        budget_characters: int | None = None,
        levels: Sequence[str] | None = None,
        namespaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        read_for: str | None = None,
        min_score: float = 0.0,
    ) -> Context:
        """What a prompt on this should know: pinned notes, and the chunks that fit best."""
        body: dict[str, object] = {
            "query": query,
            "limit": limit,
            "min_score": min_score,
            **_where(levels, namespaces, kinds, read_for),
        }
        if budget_characters is not None:
            body["budget_characters"] = budget_characters
        return self._get(Context, Call("POST", "/api/knowledge/context", body=body))

    def ask(
        self,
        question: str,
        *,
        language: str | None = None,
        levels: Sequence[str] | None = None,
        namespaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        read_for: str | None = None,
        min_score: float = 0.0,
        sentences: int = 3,
    ) -> Answer:
        """A cited answer, in the question's language unless another is named."""
        asked = Asked(language, levels, namespaces, kinds, read_for, min_score, sentences)
        return self._get(Answer, _asking(question, asked))

    def ask_stream(
        self,
        question: str,
        *,
        language: str | None = None,
        levels: Sequence[str] | None = None,
        namespaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        read_for: str | None = None,
        min_score: float = 0.0,
        sentences: int = 3,
    ) -> Generator[Evidence | AnswerDelta | Answer]:
        """The same as it comes about: the evidence, parts of the text, and last the whole answer.

        Closing the generator ends the work on the server.
        """
        asked = Asked(language, levels, namespaces, kinds, read_for, min_score, sentences)
        call = replace(_asking(question, asked), headers={"Accept": "text/event-stream"})
        with closing(self._transport.send(call, stream=True)) as response:
            try:
                for event in read_events(response.iter_lines()):
                    match event.name:
                        case "evidence":
                            yield decode(Evidence, event.data)
                        case "answer_delta":
                            yield decode(AnswerDelta, event.data)
                        case "answer":
                            yield decode(Answer, event.data)
                            return
                        case "error":
                            raise self._transport.told(event.data, event.data["status"])
                        case _:
                            pass  # a newer server may tell more
            except (httpx2.TransportError, ValueError):
                raise self._transport.broken_off() from None
        raise self._transport.broken_off()


def _asking(question: str, asked: Asked) -> Call:
    body = {
        "question": question,
        "language": asked.language,
        "min_score": asked.min_score,
        "sentences": asked.sentences,
        **_where(asked.levels, asked.namespaces, asked.kinds, asked.read_for),
    }
    return Call("POST", "/api/knowledge/ask", body=body)


def _where(
    levels: Sequence[str] | None,
    namespaces: Sequence[str] | None,
    kinds: Sequence[str] | None,
    read_for: str | None,
) -> dict[str, object]:
    named = {"levels": levels, "namespaces": namespaces, "kinds": kinds}
    where: dict[str, object] = {
        name: list(value) for name, value in named.items() if value is not None
    }
    return where | ({"read_for": read_for} if read_for is not None else {})

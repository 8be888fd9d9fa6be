"""Calls that search and ask."""

from collections.abc import Sequence

from svod.client.calls import Calls
from svod.client.results import Answer, Found
from svod.client.transport import Call


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
        min_score: float = 0.0,
    ) -> Found:
        """The chunks that fit a query best."""
        body = {
            "query": query,
            "limit": limit,
            "mode": mode,
            "min_score": min_score,
            **_where(levels, namespaces, kinds),
        }
        return self._get(Found, Call("POST", "/api/knowledge/search", body=body))

    def ask(
        self,
        question: str,
        *,
        language: str | None = None,
        levels: Sequence[str] | None = None,
        namespaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        min_score: float = 0.0,
        sentences: int = 3,
    ) -> Answer:
        """A cited answer, in the question's language unless another is named."""
        body = {
            "question": question,
            "language": language,
            "min_score": min_score,
            "sentences": sentences,
            **_where(levels, namespaces, kinds),
        }
        return self._get(Answer, Call("POST", "/api/knowledge/ask", body=body))


def _where(
    levels: Sequence[str] | None, namespaces: Sequence[str] | None, kinds: Sequence[str] | None
) -> dict[str, list[str]]:
    named = {"levels": levels, "namespaces": namespaces, "kinds": kinds}
    return {name: list(value) for name, value in named.items() if value is not None}

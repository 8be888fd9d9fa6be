"""Calls about judged questions."""

from collections.abc import Iterable, Iterator
from typing import Any

from svod.client.calls import Calls, part
from svod.client.decoding import decode
from svod.client.results import Fitted, Judgement, Judgements
from svod.client.transport import Call

_AT_ONCE = 1_000
_PATH = "/api/knowledge/judgements"


class JudgementCalls(Calls):
    """Judged questions: kept, listed, taken back."""

    def judge(
        self,
        judgements: Iterable[tuple[str, str | None]],
        *,
        level: str = "workspace",
        namespace: str = "",
    ) -> tuple[Judgement, ...]:
        """Say which item answers each question; None where nothing of the collection does.

        Any number is sent, a thousand at a time; what was sent before a failure stays.
        """
        kept: list[Judgement] = []
        pairs = list(judgements)
        for first in range(0, len(pairs), _AT_ONCE):
            body = {
                "judgements": [
                    {"question": question, "item_id": item_id}
                    for question, item_id in pairs[first : first + _AT_ONCE]
                ],
                "level": level,
                "namespace": namespace,
            }
            kept += self._get(Judgements, Call("POST", _PATH, body=body)).judgements
        return tuple(kept)

    def judgements(
        self,
        *,
        level: str | None = None,
        namespace: str | None = None,
        item_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Judgements:
        """One page of judged questions, newest first."""
        query = {
            "level": level,
            "namespace": namespace,
            "item_id": item_id,
            "limit": limit,
            "cursor": cursor,
        }
        return self._get(Judgements, Call("GET", _PATH, query=query))

    def every_judgement(self, **filters: Any) -> Iterator[Judgement]:
        """Every judged question that passes the filters of `judgements`, page after page."""
        cursor = None
        while True:
            page = self.judgements(**filters, limit=200, cursor=cursor)
            yield from page.judgements
            cursor = page.next_cursor
            if cursor is None:
                return

    def fits(self) -> tuple[Fitted, ...]:
        """What was fitted to the judged questions of each collection and pair of languages."""
        found = self._json(Call("GET", f"{_PATH}/fits"))
        return tuple(decode(Fitted, one) for one in found["fits"])

    def delete_judgement(self, judgement_id: str) -> None:
        """Take a judgement back."""
        self._transport.send(Call("DELETE", f"{_PATH}/{part(judgement_id)}"))

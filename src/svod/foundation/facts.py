"""News that goes up: a lower room announces a fact, higher ones listen; `assembly` joins them.

Listeners run in the transaction of the one who announces, in the order they were joined, so that
what follows from a fact is committed with it or not at all.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from svod.foundation.storage import Transaction

Fact = TypeVar("Fact")
Listener = Callable[[Transaction, Fact], Awaitable[None]]


class Facts:
    """Who listens to which kind of fact."""

    def __init__(self) -> None:
        self._listeners: dict[type, list[Listener[Any]]] = defaultdict(list)

    def listen(self, kind: type[Fact], listener: Listener[Fact]) -> None:
        """Let a listener hear every fact of a kind."""
        self._listeners[kind].append(listener)

    async def announce(self, tx: Transaction, fact: object) -> None:
        """Tell those who listen, within the transaction that made it so."""
        for listener in self._listeners[type(fact)]:
            await listener(tx, fact)

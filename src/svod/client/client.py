"""The client: one method an operation of the REST interface."""

from typing import Self

import httpx2

from svod.client.adding_calls import AddingCalls
from svod.client.finding_calls import FindingCalls
from svod.client.item_calls import ItemCalls
from svod.client.judgement_calls import JudgementCalls
from svod.client.people_calls import PeopleCalls
from svod.client.principal_calls import PrincipalCalls
from svod.client.rotation_calls import RotationCalls
from svod.client.settings import find_door
from svod.client.transport import Transport
from svod.client.version_calls import VersionCalls


class Client(
    PrincipalCalls,
    PeopleCalls,
    AddingCalls,
    ItemCalls,
    VersionCalls,
    FindingCalls,
    JudgementCalls,
    RotationCalls,
):
    """Speaks to one Svod server as one principal; any number of threads may share it.

        with svod.Client() as knowledge:
            knowledge.add_note("Returns are taken for 21 days.", title="Returns")
            print(knowledge.ask("How long can I return it?").answer)

    Every method raises a kind of `SvodFailed`: `NotFound`, `NotAllowed`, `Conflict`, `Invalid`,
    `LimitReached`, `NotAvailable` or `ServerFailed`.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        language: str = "en",
        timeout_s: float = 60.0,
        retries: int = 3,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Get ready to speak; nothing is sent yet.

        Args:
            url: the server; else `SVOD_URL`, else this machine at `SVOD_PORT`.
            key: an API key; else `SVOD_API_KEY`, else, for this machine only, the key file in
                `SVOD_DATA`.
            language: of messages: `en` or `ru`.
            timeout_s: longest silence of the server within one call.
            retries: how often a call that may be repeated is repeated.
            transport: carries requests in place of the network; for tests.
        """
        door = find_door(url, key)
        speaking = Transport(
            door, language=language, timeout_s=timeout_s, retries=retries, inner=transport
        )
        super().__init__(speaking, language)

    @property
    def url(self) -> str:
        """The server's address."""
        return self._transport.door.url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the connections go."""
        self._transport.close()

"""Connections that go to the checked addresses only, whatever name they are asked for."""

from collections.abc import Iterable, Sequence

import httpcore2

MOST_ADDRESSES = 4


class CheckedNetwork(httpcore2.AsyncNetworkBackend):
    """The network as one request sees it: one host, at the addresses that were checked.

    No name is resolved here, so none can be resolved differently a second time. TLS goes on asking
    for a certificate of the name. Sockets of this machine cannot be connected to at all.
    """

    def __init__(
        self, network: httpcore2.AsyncNetworkBackend, host: str, addresses: Sequence[str]
    ) -> None:
        self._network = network
        self._host = host
        self._addresses = addresses[:MOST_ADDRESSES]

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - as the library calls it
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first of the addresses that answers."""
        failure: Exception = httpcore2.ConnectError("no address was checked for this host")
        for address in self._addresses if host == self._host else ():
            try:
                return await self._network.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._network.sleep(seconds)

"""The client that commands speak through, in the language of the terminal."""

from typing import TYPE_CHECKING

from svod.cli.language import spoken

if TYPE_CHECKING:
    from svod.client import Client


def open_client() -> "Client":
    """A client for the server that the environment names."""
    from svod.client import Client  # noqa: PLC0415 - a late import keeps `svod --help` fast

    # A person waits: a server that is down is told after about a second.
    return Client(language=spoken().value, retries=2)

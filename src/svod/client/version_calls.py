"""Calls about texts and versions of items: read, listed, compared, brought back."""

import re
from urllib.parse import unquote

from svod.client.calls import Calls, changing, item_path
from svod.client.decoding import decode
from svod.client.results import Item
from svod.client.transport import Call
from svod.client.version_results import Comparison, Source, Text, Version

_NAME = re.compile(r"filename\*=UTF-8''([^;\s]*)")


class VersionCalls(Calls):
    """Texts and versions of items."""

    def text(self, item_id: str, version: int | None = None) -> Text:
        """The canonical text, into which spans point."""
        return self._get(Text, Call("GET", item_path(item_id, "/text"), query={"version": version}))

    def versions(self, item_id: str) -> tuple[Version, ...]:
        """The versions of an item."""
        found = self._json(Call("GET", item_path(item_id, "/versions")))
        return tuple(decode(Version, version) for version in found["versions"])

    def source(self, item_id: str, version: int | None = None) -> Source:
        """What was given: the bytes of a file, the Markdown of a note."""
        call = Call("GET", item_path(item_id, "/source"), query={"version": version})
        response = self._transport.send(call)
        return Source(
            content=response.content,
            media_type=response.headers.get("content-type", "application/octet-stream"),
            name=_file_name(response.headers.get("content-disposition", "")),
        )

    def compare(
        self, item_id: str, from_version: int | None = None, to_version: int | None = None
    ) -> Comparison:
        """How one version became another; by default the newest and the one before it."""
        query = {"from": from_version, "to": to_version}
        return self._get(Comparison, Call("GET", item_path(item_id, "/compare"), query=query))

    def restore(self, item_id: str, version: int, *, expected_revision: int | None = None) -> Item:
        """Bring a version back, as a new one with its content."""
        path = item_path(item_id, "/restore")
        return self._get(Item, changing("POST", path, expected_revision, {"version": version}))


def _file_name(disposition: str) -> str:
    # The server always gives the true name in this form (RFC 8187).
    found = _NAME.search(disposition)
    return unquote(found[1]) if found else ""

"""Sending addresses of pages."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from svod.cli.uploading import Sent, Where, refused
from svod.client import NotAllowed, NotAvailable, SvodFailed

if TYPE_CHECKING:
    from svod.client import Client

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def is_address(text: str) -> bool:
    """Whether a person means a page and not a file."""
    return _ADDRESS.match(text) is not None


def send_links(
    client: "Client",
    urls: Sequence[str],
    where: Where,
    *,
    refresh_days: int | None,
    done: Callable[[Sent], None],
) -> None:
    """Add pages; `done` hears of each. The server fetches them.

    Raises:
        NotAvailable, NotAllowed: nothing more can be sent.
    """
    for url in urls:
        try:
            added = client.add_link(
                url,
                title=where.title,
                level=where.level,
                namespace=where.namespace,
                external_id=where.external_id,
                refresh_days=refresh_days,
            )
        except (NotAvailable, NotAllowed):
            raise
        except SvodFailed as error:
            done(refused(url, error))
        else:
            done(Sent.of(added))

"""Where the next page of a list starts."""

import base64
import binascii
import json
from datetime import datetime

from svod.foundation.ids import ItemId
from svod.knowledge.items.errors import BadCursor


def write_cursor(updated_at: datetime, item_id: ItemId) -> str:
    """A cursor after the item that was changed then."""
    raw = json.dumps([updated_at.isoformat(), item_id]).encode()
    return base64.urlsafe_b64encode(raw).decode()


def read_cursor(cursor: str) -> tuple[datetime, ItemId]:
    """The place in a cursor.

    Raises:
        BadCursor: it was not written by `write_cursor`.
    """
    try:
        moment, item_id = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        return datetime.fromisoformat(moment), ItemId(int(item_id))
    except (binascii.Error, ValueError, TypeError, RecursionError):
        raise BadCursor from None

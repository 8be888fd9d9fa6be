"""Waiting until what was sent has been read."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from svod.cli.uploading import Sent
from svod.client.results import Item

if TYPE_CHECKING:
    from svod.client import Client

_ASKED_AT_ONCE = 32
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 1.0


def wait(
    client: "Client", sent: Sequence[Sent], *, meaning: bool, done: Callable[[Sent], None]
) -> None:
    """Hear of each item as its processing ends; items are read in about the order they were sent.

    Raises:
        SvodFailed: the server went away, or an item was deleted meanwhile.
    """
    unfinished = list(sent)
    pause = _FIRST_PAUSE_S
    with ThreadPoolExecutor(4) as pool:
        while unfinished:
            head, tail = unfinished[:_ASKED_AT_ONCE], unfinished[_ASKED_AT_ONCE:]
            seen = list(pool.map(partial(_look, client), head))
            left = [one for one in seen if not _finished(one.item, meaning=meaning)]
            for one in seen:
                if one not in left:
                    done(one)
            if len(left) == len(head):
                time.sleep(pause)
                pause = min(pause * 1.5, _LONGEST_PAUSE_S)
            else:
                pause = _FIRST_PAUSE_S
            unfinished = left + tail


def _look(client: "Client", sent: Sent) -> Sent:
    return sent.now(client.item(sent.item.item_id)) if sent.item else sent


def _finished(item: Item | None, *, meaning: bool) -> bool:
    if item is None or item.status == "failed":
        return True
    return item.done and (not meaning or item.meaning_ready >= 1)

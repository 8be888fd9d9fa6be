"""`svod.Client`: the REST interface in Python, typed; it imports nothing else of ours.

Takes an address and a key; gives frozen results. It promises that a call which may be repeated is
repeated when the network or the server stumbles, that one which may not is sent once, and that
every failure carries the server's `code`, message and hint.
"""

from svod.client.client import Client
from svod.client.errors import (
    Conflict,
    Invalid,
    LimitReached,
    NotAllowed,
    NotAvailable,
    NotFound,
    ServerFailed,
    SvodFailed,
)

__all__ = [
    "Client",
    "Conflict",
    "Invalid",
    "LimitReached",
    "NotAllowed",
    "NotAvailable",
    "NotFound",
    "ServerFailed",
    "SvodFailed",
]

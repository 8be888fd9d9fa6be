"""Events of a reply (Server-Sent Events), read as they come."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, and what it carries."""

    name: str
    data: Any


def read_events(lines: Iterable[str]) -> Iterator[Event]:
    """The events of a stream's lines; comments, which keep it alive, are passed over."""
    name, data = "message", list[str]()
    for line in lines:
        if line:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
            continue
        if data:
            yield Event(name, json.loads("\n".join(data)))
        name, data = "message", []

"""What calls about texts and versions of items give back."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Version:
    """One version of an item: who made it and when, and which earlier one it brought back."""

    version: int
    title: str
    name: str | None
    media_type: str
    bytes: int
    characters: int | None
    created_by: str
    created_by_name: str | None
    created_at: datetime
    restored_from: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a comparison: `same`, `removed` or `added`."""

    change: str
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch with changes and the lines around it; spans are code points of either text."""

    from_line: int
    to_line: int
    from_span: tuple[int, int]
    to_span: tuple[int, int]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How one version became another; `cut` says that there is more than is told."""

    item_id: str
    from_version: int
    to_version: int
    from_title: str
    to_title: str
    removed: int
    added: int
    cut: bool
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """The canonical text of a version; spans count its Unicode code points."""

    item_id: str
    version: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """What was given: bytes, type and name."""

    content: bytes
    media_type: str
    name: str

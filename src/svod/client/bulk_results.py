"""What calls about many items or notes give back."""

from dataclasses import dataclass

from svod.client.results import Failure


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of one item: `done`, `unchanged` because it was so already, or `failed`."""

    item_id: str
    became: str
    failure: Failure | None


@dataclass(frozen=True, slots=True)
class Bulk:
    """How many items it was done to, and what became of each, in the order they were named."""

    done: int
    unchanged: int
    failed: int
    results: tuple[ItemResult, ...]


@dataclass(frozen=True, slots=True)
class NoteResult:
    """What became of one note: `created`, `updated`, `unchanged`, or why it was not kept."""

    outcome: str | None
    item_id: str | None
    failure: Failure | None


@dataclass(frozen=True, slots=True)
class BulkNotes:
    """How many notes were kept, and what became of each, in their order."""

    created: int
    updated: int
    unchanged: int
    failed: int
    results: tuple[NoteResult, ...]

"""Versions of an item: listed, compared, brought back."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.strict import Asked, Moment, Told
from svod.knowledge.items.comparing import Change, Hunk
from svod.knowledge.items.item import Comparison, Version


class VersionTold(Told):
    """One version of an item, and who made it when.

    `created_by_name` is null for items of the global level; `restored_from` names the version that
    was brought back by it.
    """

    version: int
    title: str
    name: str | None
    media_type: str
    bytes: int
    characters: int | None
    created_by: str
    created_by_name: str | None
    created_at: Moment
    restored_from: int | None

    @classmethod
    def of(cls, version: Version) -> "VersionTold":
        """The version as it is told."""
        return cls(
            version=version.version,
            title=version.title,
            name=version.name,
            media_type=version.media_type,
            bytes=version.bytes,
            characters=version.characters,
            created_by=write_id(version.created_by),
            created_by_name=version.created_by_name,
            created_at=version.created_at,
            restored_from=version.restored_from,
        )


class VersionsTold(Told):
    """Every version of an item, newest first."""

    versions: list[VersionTold]


VERSIONS_EXAMPLE: dict[str, Any] = {
    "versions": [
        {
            "version": 1,
            "title": "Возврат и обмен",
            "name": "returns.md",
            "media_type": "text/markdown",
            "bytes": 2480,
            "characters": 1391,
            "created_by": "0000000000002",
            "created_by_name": "Анна",
            "created_at": "2026-11-30T12:00:00Z",
            "restored_from": None,
        }
    ]
}


class RestoreAsked(Asked):
    """Which version to bring back."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1}]})

    version: Annotated[int, Field(ge=1, le=2**31 - 1)]


class LineTold(Told):
    """A line without its end; a very long one is cut."""

    change: Change
    text: str


class HunkTold(Told):
    """A stretch with changes, and three lines around it.

    Lines count from 1; spans are code points of the text of either version.
    """

    from_line: int
    to_line: int
    from_span: tuple[int, int]
    to_span: tuple[int, int]
    lines: list[LineTold]

    @classmethod
    def of(cls, hunk: Hunk) -> "HunkTold":
        """The hunk as it is told."""
        return cls(
            from_line=hunk.from_line,
            to_line=hunk.to_line,
            from_span=hunk.from_span,
            to_span=hunk.to_span,
            lines=[LineTold(change=line.change, text=line.text) for line in hunk.lines],
        )


class ComparisonTold(Told):
    """How the text and title of one version became those of another.

    `removed` and `added` count lines. `cut` says that there are more changes than are told, or that
    a long line was cut.
    """

    item_id: str
    from_version: int
    to_version: int
    from_title: str
    to_title: str
    removed: int
    added: int
    cut: bool
    hunks: list[HunkTold]

    @classmethod
    def of(cls, comparison: Comparison) -> "ComparisonTold":
        """The comparison as it is told."""
        difference = comparison.difference
        return cls(
            item_id=write_id(comparison.item_id),
            from_version=comparison.earlier,
            to_version=comparison.later,
            from_title=comparison.earlier_title,
            to_title=comparison.later_title,
            removed=difference.removed,
            added=difference.added,
            cut=difference.cut,
            hunks=[HunkTold.of(hunk) for hunk in difference.hunks],
        )


COMPARISON_EXAMPLE: dict[str, Any] = {
    "item_id": "1j5f2k9c0r3ta",
    "from_version": 1,
    "to_version": 2,
    "from_title": "Возврат",
    "to_title": "Возврат и обмен",
    "removed": 1,
    "added": 1,
    "cut": False,
    "hunks": [
        {
            "from_line": 1,
            "to_line": 1,
            "from_span": [0, 57],
            "to_span": [0, 57],
            "lines": [
                {"change": "same", "text": "# Возврат"},
                {"change": "same", "text": ""},
                {"change": "removed", "text": "Вернуть товар можно в течение 14 дней."},
                {"change": "added", "text": "Вернуть товар можно в течение 21 дня."},
            ],
        }
    ],
}

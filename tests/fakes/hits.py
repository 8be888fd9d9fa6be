"""Hits that no search made."""

from dataclasses import replace

from svod.foundation.ids import ItemId, WorkspaceId
from svod.knowledge.retrieval import Hit, Layer, Matched


def hit_of(text: str, *, item: int = 1, start: int = 0, **changes: object) -> Hit:
    """A chunk that says this, at this place of an item of the workspace's level."""
    hit = Hit(
        workspace_id=WorkspaceId(1),
        item_id=ItemId(item),
        version=1,
        title=f"Item {item}",
        external_id=None,
        kind="note",
        layer=Layer.K_DOCUMENT,
        level="workspace",
        namespace="",
        updated_at="2026-11-30T12:00:00+00:00",
        start=start,
        end=start + len(text),
        text=text,
        heading_path=(),
        header="",
        page=None,
        sheet=None,
        score=0.8,
        rank_score=4.0,
        words=0.8,
        cosine=None,
        matched=Matched((), (), meaning=False),
    )
    return replace(hit, **changes)  # type: ignore[arg-type]

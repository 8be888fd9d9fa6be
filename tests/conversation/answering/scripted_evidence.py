"""Evidence written down by a test: documents cut into hits, and a retriever that returns them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from svod.foundation.ids import ItemId, WorkspaceId
from svod.knowledge.items.item import ItemText
from svod.knowledge.retrieval import Found, Hit, Layer, Matched, RetrievalPlan
from svod.knowledge.workspaces.caller import Caller

NOBODY = cast("Caller", None)
"""The scripted retriever asks nothing of the caller."""


def a_hit(
    text: str,
    *,
    item: int = 1,
    title: str = "Notes",
    start: int = 0,
    score: float = 0.9,
    header: str = "",
    headings: tuple[str, ...] = (),
    version: int = 1,
    cosine: float | None = None,
) -> Hit:
    """A chunk found, at a place of its item."""
    return Hit(
        workspace_id=WorkspaceId(1),
        item_id=ItemId(item),
        version=version,
        title=title,
        external_id=f"ext-{item}",
        kind="note",
        layer=Layer.K_DOCUMENT,
        level="workspace",
        namespace="",
        updated_at="2026-11-30T00:00:00Z",
        start=start,
        end=start + len(text),
        text=text,
        heading_path=headings,
        header=header,
        page=None,
        sheet=None,
        score=score,
        rank_score=4 * score,
        words=score,
        cosine=cosine,
        matched=Matched((), (), meaning=cosine is not None),
    )


def found(*hits: Hit, used_meaning: bool = True, meaning_ready: float = 1.0) -> Found:
    """What the retriever returns."""
    return Found(hits, True, used_meaning, meaning_ready, "default")


@dataclass
class ScriptedRetriever:
    """Returns what it was given, and remembers the plans."""

    result: Found
    plans: list[RetrievalPlan] = field(default_factory=list)

    async def search(self, caller: Caller, plan: RetrievalPlan) -> Found:  # noqa: ARG002
        self.plans.append(plan)
        return self.result


@dataclass
class ScriptedTexts:
    """The canonical texts of items."""

    texts: dict[int, str]

    async def text(self, caller: Caller, item_id: ItemId, version: int) -> ItemText:  # noqa: ARG002
        return ItemText(item_id, version, "", self.texts[item_id])


def asked(query: str, hits: Sequence[Hit], **rest: object) -> tuple[ScriptedRetriever, str]:
    """A retriever with these hits, and the question."""
    return ScriptedRetriever(found(*hits, **rest)), query  # pyright: ignore[reportArgumentType]

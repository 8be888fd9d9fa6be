"""Pages to add."""

from typing import Annotated

from pydantic import ConfigDict, Field

from svod.interfaces.api.shapes.adding import ExternalId, RefreshDays, Tags, Title
from svod.interfaces.api.shapes.splitting import SplitAsked
from svod.interfaces.api.shapes.strict import Asked
from svod.knowledge.items.item import Target
from svod.knowledge.items.links.link import LinkDraft


class LinkAsked(Asked):
    """A page to add. A level holds a page once: adding it again gives the item that is there."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"url": "https://example.com/docs/returns", "refresh_days": 7}]
        }
    )

    url: Annotated[
        str,
        Field(
            min_length=1,
            max_length=4000,
            description="An http or https address on the open internet.",
        ),
    ]
    title: Title | None = None
    level: str = "workspace"
    namespace: str = ""
    external_id: ExternalId | None = None
    refresh_days: Annotated[
        RefreshDays | None,
        Field(description="Fetched again so often; null only when asked."),
    ] = None
    split: SplitAsked | None = None
    tags: Tags | None = None

    def draft(self) -> LinkDraft:
        """The page as the items room takes it."""
        return LinkDraft(
            url=self.url,
            title=self.title,
            target=Target(self.level, self.namespace),
            external_id=self.external_id,
            refresh_days=self.refresh_days,
            split=self.split.stored() if self.split else None,
            tags=None if self.tags is None else tuple(self.tags),
        )

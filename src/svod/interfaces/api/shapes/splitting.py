"""How an item is to be split (K21, K23)."""

from typing import Annotated, Literal

from pydantic import Field

from svod.interfaces.api.shapes.strict import Asked

SplitMode = Literal[
    "auto",
    "recursive",
    "paragraph",
    "heading",
    "numbered",
    "qa",
    "separator",
    "fixed-size",
    "fixed_size",
]


class SplitAsked(Asked):
    """Settings of splitting; what is left out is as by default. Sizes are in characters."""

    split_mode: SplitMode | None = None
    separator: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    chunk_size: Annotated[int, Field(ge=1, le=20_000)] | None = None
    chunk_overlap: Annotated[int, Field(ge=0, le=20_000)] | None = None
    max_chunk_size: Annotated[int, Field(ge=1, le=20_000)] | None = None
    context_line: Annotated[str, Field(max_length=300)] | None = None

    def stored(self) -> str:
        """As the items room keeps it."""
        return self.model_dump_json(exclude_none=True)

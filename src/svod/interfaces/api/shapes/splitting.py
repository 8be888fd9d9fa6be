"""How an item is to be split (K21, K23)."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from svod.interfaces.api.shapes.strict import Asked
from svod.knowledge.chunking import SplitSettings

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
    chunk_size: Annotated[int, Field(ge=50, le=20_000)] | None = None
    chunk_overlap: Annotated[int, Field(ge=0, le=20_000)] | None = None
    max_chunk_size: Annotated[int, Field(ge=50, le=20_000)] | None = None
    context_line: Annotated[str, Field(max_length=300)] | None = None

    @model_validator(mode="after")
    def _can_be_split_by(self) -> Self:
        # Refused here: once it is stored, the item could only fail, with nobody there to tell.
        try:
            SplitSettings.model_validate(self.model_dump(exclude_none=True))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            code: Any = first["type"]  # one of those that SplitSettings writes out
            raise PydanticCustomError(code, "{why}", {"why": first["msg"]}) from None
        return self

    def stored(self) -> str:
        """As the items room keeps it."""
        return self.model_dump_json(exclude_none=True)

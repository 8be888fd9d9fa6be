"""How a document is to be split, as a person sets it."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

CHUNK_SIZE = 1000
MAX_CHUNK_SIZE = 2000


class SplitMode(StrEnum):
    """Where chunks begin."""

    AUTO = "auto"
    RECURSIVE = "recursive"
    PARAGRAPH = "paragraph"
    HEADING = "heading"
    NUMBERED = "numbered"
    QA = "qa"
    SEPARATOR = "separator"
    FIXED_SIZE = "fixed-size"


def _mode(given: object) -> object:
    return given.replace("_", "-") if isinstance(given, str) else given


def _one_line(given: object) -> object:
    return (" ".join(given.split()) or None) if isinstance(given, str) else given


class SplitSettings(BaseModel):
    r"""What K21 lets a person choose; sizes are characters of a chunk's own text.

    `chunk_size` is aimed at; a block is cut only beyond `max_chunk_size`, which grows with a larger
    `chunk_size` unless it is given. `separator` understands `\\n` and `\\t` typed as two characters.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    split_mode: Annotated[SplitMode, BeforeValidator(_mode)] = SplitMode.AUTO
    separator: str | None = Field(default=None, min_length=1, max_length=200)
    chunk_size: int = Field(default=CHUNK_SIZE, ge=50, le=20_000)
    chunk_overlap: int = Field(default=0, ge=0)
    max_chunk_size: int = Field(
        default_factory=lambda given: max(MAX_CHUNK_SIZE, given.get("chunk_size", 0)),
        ge=50,
        le=20_000,
    )
    context_line: Annotated[str | None, BeforeValidator(_one_line)] = Field(
        default=None, max_length=300
    )

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if self.max_chunk_size < self.chunk_size:
            raise PydanticCustomError(
                "max_chunk_size_too_small", "max_chunk_size must be at least chunk_size"
            )
        if self.chunk_overlap > self.chunk_size // 2:
            raise PydanticCustomError(
                "chunk_overlap_too_large", "chunk_overlap must be at most half of chunk_size"
            )
        if (self.split_mode is SplitMode.SEPARATOR) != (self.separator is not None):
            raise PydanticCustomError(
                "separator_without_its_mode",
                "separator is given if and only if split_mode is 'separator'",
            )
        return self

    @property
    def typed_separator(self) -> str:
        r"""The separator with the line ends and tabs that were typed as `\\n` and `\\t`."""
        return (self.separator or "").replace("\\n", "\n").replace("\\t", "\t")

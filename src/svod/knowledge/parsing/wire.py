"""How documents and failures cross from the reading child to the server: msgpack, checked on arrival.

The child has read a stranger's file, so what it sends is not trusted more than the file.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from svod.foundation.errors import Language
from svod.knowledge.parsing.document import Block, BlockKind, ParsedDocument, Warned
from svod.knowledge.parsing.errors import FAILURES, ReadingFailed, reading_failure
from svod.knowledge.parsing.packing import Unpackable, packed, unpacked
from svod.knowledge.parsing.warned import WARNINGS
from svod.knowledge.parsing.writing import MOST_BLOCKS, MOST_CHARACTERS

MOST_BYTES = 64 * 1024 * 1024
"""The largest answer that is taken: a full text with a block a line needs about 20 MB."""

_Number = Annotated[int, Field(ge=0, le=MOST_CHARACTERS)]
_Facts = dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=200)] | int]
_Block = tuple[
    int, _Number, _Number, _Number, Annotated[int, Field(ge=0, le=6)], _Number, int | None, int
]
"""Kind, start, end, number of the heading path, level, end of the header, page, number of the sheet."""


class UnreadableAnswer(Exception):
    """The child sent what no honest child sends."""


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)


class _Failed(_Answer):
    kind: Literal["failed"]
    code: str
    facts: _Facts
    trace: Annotated[str, Field(max_length=500)] = ""


class _Document(_Answer):
    kind: Literal["document"]
    text: Annotated[str, Field(max_length=MOST_CHARACTERS)]
    blocks: Annotated[list[_Block], Field(max_length=MOST_BLOCKS)]
    paths: list[tuple[str, ...]]
    sheets: list[str]
    title: str | None
    language: Language | None
    warnings: list[tuple[str, _Facts]]
    truncated: bool
    pages: int | None


_ANSWER: TypeAdapter[_Failed | _Document] = TypeAdapter(
    Annotated[_Failed | _Document, Field(discriminator="kind")]
)
_KINDS = tuple(BlockKind)


def packed_document(document: ParsedDocument) -> bytes:
    """A document as bytes; heading paths and sheets are sent once and then by number."""
    paths = {
        path: number
        for number, path in enumerate(dict.fromkeys(b.heading_path for b in document.blocks))
    }
    sheets = {
        name: number
        for number, name in enumerate(dict.fromkeys(b.sheet for b in document.blocks if b.sheet))
    }
    return packed(
        {
            "kind": "document",
            "text": document.text,
            "blocks": [
                (
                    _KINDS.index(block.kind),
                    block.start,
                    block.end,
                    paths[block.heading_path],
                    block.level,
                    block.header_end,
                    block.page,
                    sheets[block.sheet] if block.sheet else -1,
                )
                for block in document.blocks
            ],
            "paths": list(paths),
            "sheets": list(sheets),
            "title": document.title,
            "language": document.language,
            "warnings": [(warned.code, warned.facts) for warned in document.warnings],
            "truncated": document.truncated,
            "pages": document.pages,
        }
    )


def packed_failure(failure: ReadingFailed, trace: str = "") -> bytes:
    """A failure as bytes; `trace` names the lines of code it came from, and no content."""
    facts = {
        name: value if isinstance(value, int) else str(value)[:200]
        for name, value in failure.facts.items()
    }
    return packed({"kind": "failed", "code": failure.code, "facts": facts, "trace": trace[:500]})


def read_answer(answer: bytes | bytearray) -> tuple[ParsedDocument | ReadingFailed, str]:
    """What the child answered, with the trace of a failure.

    Raises:
        UnreadableAnswer: it is cut short, or says what cannot be.
    """
    try:
        told = _ANSWER.validate_python(unpacked(answer))
        if isinstance(told, _Failed):
            if told.code not in FAILURES:
                raise UnreadableAnswer
            return reading_failure(told.code, told.facts), told.trace
        return _document(told), ""
    except (Unpackable, ValidationError, LookupError) as error:
        raise UnreadableAnswer from error


def _document(told: _Document) -> ParsedDocument:
    blocks: list[Block] = []
    end = 0
    for kind, start, stop, path, level, header_end, page, sheet in told.blocks:
        if not end <= start < stop <= len(told.text) or not start <= header_end <= stop:
            raise UnreadableAnswer
        name = told.sheets[sheet] if sheet >= 0 else None
        blocks.append(
            Block(_KINDS[kind], start, stop, told.paths[path], level, header_end, page, name)
        )
        end = stop
    if "\x00" in told.text or any(code not in WARNINGS for code, _ in told.warnings):
        raise UnreadableAnswer
    return ParsedDocument(
        text=told.text,
        blocks=tuple(blocks),
        title=told.title,
        language=told.language,
        warnings=tuple(Warned(code, _facts(facts)) for code, facts in told.warnings),
        truncated=told.truncated,
        pages=told.pages,
    )


def _facts(facts: Mapping[str, str | int]) -> dict[str, str | int]:
    return dict(facts)

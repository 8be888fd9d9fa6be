"""What reading a file gives: blocks over one canonical text."""

from dataclasses import dataclass
from enum import StrEnum

from svod.foundation.errors import Language


class BlockKind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document that is not split without need: `text[start:end]` of the document.

    `start` and `end` are code points of the canonical text. `heading_path` holds the headings above,
    outermost first, without the block's own. `level` is 1..6 for a heading and 0 otherwise.
    `header_end` is where a table's header (header row and rule) ends, equal to `start` if it has none.
    `place` names where it stands: a page or slide number, or a sheet's name.
    """

    kind: BlockKind
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    level: int = 0
    header_end: int = 0
    page: int | None = None
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class Warned:
    """Something about the reading that a person should know: a code and its facts."""

    code: str
    facts: dict[str, str | int]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    r"""A document as canonical Markdown text, and the blocks it consists of, in order, apart.

    The text holds at most 1,000,000 characters (`truncated` says that more was there), no NUL, no
    lone surrogate, `\n` line ends. A table in it is a Markdown table; a sheet or slide starts with
    a heading that names it.
    """

    text: str
    blocks: tuple[Block, ...]
    title: str | None
    language: Language | None
    warnings: tuple[Warned, ...] = ()
    truncated: bool = False
    pages: int | None = None

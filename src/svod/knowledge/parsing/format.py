"""What one file format is to the rest of the room."""

from collections.abc import Callable
from dataclasses import dataclass

from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Writing


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be read.

    `looks` says by the content alone that it is this one, for certain; None for kinds of text that
    only a name or media type tells apart. `resembles` looks at the beginning of a text whose name
    promises something that is no text (a web page named .xls). `read` writes what it finds, and raises a `ReadingFailed` with
    the format's own reason; whatever else it raises counts as a damaged file. `loads` names modules
    that the reader needs and nobody else: the parser process imports them once, the server never.
    """

    name: str
    media_types: tuple[str, ...]
    extensions: tuple[str, ...]
    read: Callable[[Source, Writing], None]
    looks: Callable[[Source], bool] | None = None
    resembles: Callable[[str], bool] | None = None
    is_text: bool = False
    loads: tuple[str, ...] = ()

    @property
    def media_type(self) -> str:
        """The media type that an item of this format gets."""
        return self.media_types[0]

    def is_named(self, source: Source) -> bool:
        """Whether the source's media type, or else its name, promises this format."""
        return source.essence in self.media_types or source.extension in self.extensions

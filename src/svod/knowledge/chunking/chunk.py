"""A chunk: the piece that is searched and cited."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of a document's canonical text, with the context that travels with it.

    `text` equals `canonical[start:end]`, in code points. `header` is the header of the table that
    the slice continues, empty otherwise. `continued` marks a cut inside a row, function or block.
    """

    start: int
    end: int
    text: str
    heading_path: tuple[str, ...] = ()
    header: str = ""
    page: int | None = None
    sheet: str | None = None
    continued: bool = False

    def with_context(self, title: str, context_line: str = "") -> str:
        """What is embedded and word-indexed (K22): title, headings, context line, header, text."""
        path = " > ".join(part for part in (title, *self.heading_path) if part)
        return "\n".join(part for part in (path, context_line, self.header, self.text) if part)

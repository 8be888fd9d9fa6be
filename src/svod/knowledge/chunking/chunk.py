"""A chunk: the piece that is searched and cited."""

from dataclasses import dataclass

_MARKS = "#>*_-` \t\n\ufeff"
"""What Markdown sets before the words of a first line."""


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
        """What is embedded and word-indexed (K22): title, headings, context line, header, text.

        A text that opens with the title, as that of a note named by its first line, says it once.
        """
        titles = () if _opens_with(self.text, title) else (title,)
        path = " > ".join(part for part in (*titles, *self.heading_path) if part)
        return "\n".join(part for part in (path, context_line, self.header, self.text) if part)


def _opens_with(text: str, title: str) -> bool:
    opening = text.lstrip(_MARKS)
    named = title.rstrip("… ")
    if not named or not opening.startswith(named):
        return False
    return title != named or not opening[len(named) : len(named) + 1].isalnum()

"""The text of a source, with what a person should know about how it was read."""

from svod.knowledge.parsing.encoding import decoded
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Writing


def decoded_source(source: Source, writing: Writing, declared: str | None = None) -> str:
    """The text of a source; guesses and losses are written down as warnings."""
    found = decoded(source.content, declared or source.charset)
    if found.lost:
        writing.warn("characters_lost", count=found.lost, encoding=found.encoding)
    if found.guessed:
        writing.warn("encoding_guessed", encoding=found.encoding)
    return found.text

"""What is to be read: bytes, and what their owner believes them to be."""

from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was given.

    `name` and `media_type` are hints. Where the content says what it is, the content wins; among
    kinds of text, which look alike, a `media_type` wins over the name, and both over guessing.
    """

    content: bytes
    name: str = ""
    media_type: str | None = None

    @property
    def extension(self) -> str:
        """The name's extension in lower case, without the dot; empty if it has none."""
        return PurePosixPath(self.name.replace("\\", "/")).suffix.lower().lstrip(".")

    @property
    def essence(self) -> str:
        """The media type without its parameters, in lower case; empty if none was given."""
        return (self.media_type or "").split(";", 1)[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The charset that the media type names."""
        for parameter in (self.media_type or "").split(";")[1:]:
            key, _, value = parameter.partition("=")
            if key.strip().lower() == "charset" and value.strip():
                return value.strip().strip("\"'").lower()
        return None

"""Notes and files to add, and files to ask about first."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from svod.interfaces.api.shapes.splitting import SplitAsked
from svod.interfaces.api.shapes.strict import Asked
from svod.knowledge.items.bulk.tags import MOST_TAGS
from svod.knowledge.items.item import FileCheck, FileDraft, NoteDraft, Target
from svod.knowledge.items.names import LONGEST_TAG

ExternalId = Annotated[str, Field(min_length=1, max_length=1000)]
Title = Annotated[str, Field(min_length=1, max_length=300)]
Tags = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=LONGEST_TAG)]],
    Field(max_length=MOST_TAGS),
]
RefreshDays = Literal[1, 7, 30]
Sha256 = Annotated[str, Field(pattern="^[0-9a-fA-F]{64}$")]
MOST_FILES_ASKED = 1000


class NoteAsked(Asked):
    """A note to add. The same `external_id` again updates the note."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "title": "Возврат",
                    "text": "Вернуть товар можно в течение 21 дня.",
                    "external_id": "faq-7",
                }
            ]
        }
    )

    text: str
    title: Title | None = None
    level: str = "workspace"
    namespace: str = ""
    external_id: ExternalId | None = None
    pinned: bool = False
    split: SplitAsked | None = None
    tags: Tags | None = None

    def draft(self) -> NoteDraft:
        """The note as the items room takes it."""
        return NoteDraft(
            text=self.text,
            title=self.title,
            target=Target(self.level, self.namespace),
            external_id=self.external_id,
            pinned=self.pinned,
            split=self.split.stored() if self.split else None,
            tags=None if self.tags is None else tuple(self.tags),
        )


class FileAsked(Asked):
    """The fields beside a file's bytes."""

    name: Annotated[str, Field(min_length=1, max_length=255)]
    sha256: Sha256 | None = None
    title: Title | None = None
    level: str = "workspace"
    namespace: str = ""
    external_id: ExternalId | None = None
    copy_: Annotated[bool, Field(alias="copy")] = False
    split: SplitAsked | None = None
    tags: Tags | None = None

    def draft(self, content: bytes | None) -> FileDraft:
        """The file as the items room takes it."""
        return FileDraft(
            name=self.name,
            content=content,
            sha256=bytes.fromhex(self.sha256) if self.sha256 and content is None else None,
            title=self.title,
            target=Target(self.level, self.namespace),
            external_id=self.external_id,
            copy=self.copy_,
            split=self.split.stored() if self.split else None,
            tags=None if self.tags is None else tuple(self.tags),
        )


class FileCheckAsked(Asked):
    """A file that the client has."""

    sha256: Sha256
    external_id: ExternalId | None = None

    def check(self) -> FileCheck:
        """The question as the items room takes it."""
        return FileCheck(bytes.fromhex(self.sha256), self.external_id)


_HASH_EXAMPLE = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


class MissingAsked(Asked):
    """Files that a client has and would add to one place."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"files": [{"sha256": _HASH_EXAMPLE, "external_id": "shop/returns.md"}]}]
        }
    )

    level: str = "workspace"
    namespace: str = ""
    files: Annotated[list[FileCheckAsked], Field(max_length=MOST_FILES_ASKED)]

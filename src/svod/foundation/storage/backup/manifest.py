"""What a backup says of itself, in its first member."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, ValidationError

from svod.foundation.storage.backup.archive import Archive
from svod.foundation.storage.backup.errors import BackupDamaged, BackupTooNew

NAME = "svod-backup.json"
FORMAT = 1
_MOST_BYTES = 1 << 24


class Manifest(BaseModel):
    """The release, the schema and the tables of a backup.

    Attributes:
        format: of the archive.
        version: the release that made it.
        made_at: the moment that it shows.
        migrations: each step of the schema -> its checksum in hexadecimal, if it has one.
        tables: each table -> its columns, in the order in which they were written.
        sequences: each sequence -> the last number drawn from it, if one was.
        master_key: whether the master key is in it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: int
    version: str
    made_at: datetime
    migrations: dict[str, str | None]
    tables: dict[str, list[str]]
    sequences: dict[str, int | None]
    master_key: bool


class _OfAnyFormat(BaseModel):
    format: int
    version: str = "?"


def read_manifest(archive: Archive) -> Manifest:
    """The manifest of an archive.

    Raises:
        BackupDamaged: it has none.
        BackupTooNew: its format is of a later release.
    """
    for first in archive.members():
        if first.name == NAME and first.size <= _MOST_BYTES:
            return _read(archive, first.content())
        break
    raise BackupDamaged(
        file=archive.file, problem_en="it is another archive", problem_ru="это другой архив"
    )


def _read(archive: Archive, text: bytes) -> Manifest:
    try:
        known = _OfAnyFormat.model_validate_json(text)
        if known.format > FORMAT:
            raise BackupTooNew(version=known.version)
        return Manifest.model_validate_json(text)
    except ValidationError:
        raise BackupDamaged(
            file=archive.file,
            problem_en="what it says of itself cannot be read",
            problem_ru="её описание не читается",
        ) from None

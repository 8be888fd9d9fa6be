"""Backup and restore: one file that holds the database as it was at one moment, and every stored file.

Takes an address of a database and the folder of its files; gives one tar archive with checksums, and
an equal server from it. It promises that a copy of a live server is consistent, that an archive is
whole before anything is touched, and that memory does not grow with what is kept.
"""

from svod.foundation.storage.backup.making import Made, make_backup
from svod.foundation.storage.backup.manifest import Manifest
from svod.foundation.storage.backup.restoring import (
    master_key_in,
    require_empty,
    restore_backup,
    verify,
)

__all__ = [
    "Made",
    "Manifest",
    "make_backup",
    "master_key_in",
    "require_empty",
    "restore_backup",
    "verify",
]

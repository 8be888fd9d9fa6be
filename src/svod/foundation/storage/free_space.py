"""Whether the disk has room left."""

import shutil
from pathlib import Path

_LEAST_BYTES = 4 << 20
"""With less, the database cannot even finish what it has begun."""


def disk_is_full(folder: Path) -> bool:
    """Whether the disk of a folder is as good as full; False where the system does not say."""
    try:
        return shutil.disk_usage(folder).free < _LEAST_BYTES
    except OSError:
        return False

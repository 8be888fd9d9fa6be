"""`svod keys rewrap`: another master key, beside a running server or without one."""

from pathlib import Path

from svod.foundation.settings import Settings
from svod.foundation.storage import open_database
from svod.foundation.storage.keys import change_master_key
from svod.serve import words
from svod.serve.process import Voice, database


async def rewrap(settings: Settings, voice: Voice, new_file: Path) -> int:
    """Wrap every data key with the master key in a file, which is made if it does not exist.

    Raises:
        SvodError: it could not be done, and nothing was changed.
    """
    async with database(settings, voice) as dsn:
        opened = await open_database(dsn, connections=4)
        try:
            count = await change_master_key(settings, opened, new_file)
        finally:
            await opened.close()
    voice(words.REWRAPPED, count=count)
    if settings.master_key is None:
        voice(words.KEY_REPLACED, where=settings.data / "master.key")
    else:
        voice(words.KEY_TO_SET, file=new_file)
    return 0

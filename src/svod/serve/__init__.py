"""The server as a process: taking the port, starting every room, saying what it does, stopping.

`up`, `worker`, `backup`, `restore` and `doctor` are what the command line calls; each returns its
exit code.
"""

from collections.abc import Callable
from pathlib import Path

from svod.foundation.errors import Language

Say = Callable[[str], None]


def up(
    *, detach: bool, port: int | None, language: Language, say: Say, api_only: bool = False
) -> int:
    """Serve until stopped, or start a server in the background.

    Args:
        detach: come back when it is ready, leaving it running.
        port: instead of `SVOD_PORT`; 0 takes a free one.
        language: of what is said.
        say: takes each line for the person who started it.
        api_only: answer requests and leave the work to `worker`.

    Raises:
        SvodError: it could not start; says why and what to do.
    """
    import asyncio  # noqa: PLC0415 - the command line must stay quick to start

    from svod.foundation.settings import read_settings  # noqa: PLC0415
    from svod.serve import detached  # noqa: PLC0415
    from svod.serve.process import Voice, run  # noqa: PLC0415
    from svod.serve.running import AlreadyRunning  # noqa: PLC0415

    settings = read_settings()
    if port is not None:
        settings = settings.model_copy(update={"port": port})
    voice = Voice(say, language)
    if detach:
        return detached.start(settings, voice, api_only=api_only)
    try:
        asyncio.run(run(settings, voice, works=not api_only))
    except AlreadyRunning as running:
        voice.say(running.message(language))
    return 0


def worker(*, language: Language, say: Say) -> int:
    """Do jobs until stopped, beside servers that answer requests.

    Raises:
        SvodError: it could not start; says why and what to do.
    """
    import asyncio  # noqa: PLC0415

    from svod.foundation.settings import read_settings  # noqa: PLC0415
    from svod.serve.process import Voice  # noqa: PLC0415
    from svod.serve.working import work  # noqa: PLC0415

    asyncio.run(work(read_settings(), Voice(say, language)))
    return 0


def backup(file: Path, *, with_master_key: bool, language: Language, say: Say) -> int:
    """Write a backup of the server of this data folder, which may run meanwhile; the exit code.

    Raises:
        SvodError: it could not be written; nothing of it is left.
    """
    import asyncio  # noqa: PLC0415

    from svod.foundation.settings import read_settings  # noqa: PLC0415
    from svod.serve import backing_up  # noqa: PLC0415
    from svod.serve.process import Voice  # noqa: PLC0415

    place = file.expanduser().absolute()
    voice = Voice(say, language)
    return asyncio.run(
        backing_up.backup(read_settings(), voice, place, with_master_key=with_master_key)
    )


def restore(file: Path, *, language: Language, say: Say) -> int:
    """Restore a backup into an empty data folder; the exit code.

    Raises:
        SvodError: it could not be restored.
    """
    import asyncio  # noqa: PLC0415

    from svod.foundation.settings import read_settings  # noqa: PLC0415
    from svod.serve import backing_up  # noqa: PLC0415
    from svod.serve.process import Voice  # noqa: PLC0415

    place = file.expanduser().absolute()
    return asyncio.run(backing_up.restore(read_settings(), Voice(say, language), place))


def rewrap(new_file: Path, *, language: Language, say: Say) -> int:
    """Change the master key; the exit code.

    Raises:
        SvodError: it could not be done, and nothing was changed.
    """
    import asyncio  # noqa: PLC0415

    from svod.foundation.settings import read_settings  # noqa: PLC0415
    from svod.serve import rewrapping  # noqa: PLC0415
    from svod.serve.process import Voice  # noqa: PLC0415

    place = new_file.expanduser().absolute()
    return asyncio.run(rewrapping.rewrap(read_settings(), Voice(say, language), place))


def doctor(*, language: Language, say: Say) -> int:
    """Check what the server stands on and say what to do; 0 when all is well, 1 when not."""
    from svod.foundation.settings import read_settings  # noqa: PLC0415
    from svod.serve.checks import check_all  # noqa: PLC0415

    return check_all(read_settings(), language, say)

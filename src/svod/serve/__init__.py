"""The server as a process: taking the port, starting every room, saying what it does, stopping.

`up` and `doctor` are what the command line calls; both return its exit code.
"""

from collections.abc import Callable

from svod.foundation.errors import Language

Say = Callable[[str], None]


def up(*, detach: bool, port: int | None, language: Language, say: Say) -> int:
    """Serve until stopped, or start a server in the background.

    Args:
        detach: come back when it is ready, leaving it running.
        port: instead of `SVOD_PORT`; 0 takes a free one.
        language: of what is said.
        say: takes each line for the person who started it.

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
        return detached.start(settings, voice)
    try:
        asyncio.run(run(settings, voice))
    except AlreadyRunning as running:
        voice.say(running.message(language))
    return 0


def doctor(*, language: Language, say: Say) -> int:
    """Check what the server stands on and say what to do; 0 when all is well, 1 when not."""
    from svod.foundation.settings import read_settings  # noqa: PLC0415
    from svod.serve.checks import check_all  # noqa: PLC0415

    return check_all(read_settings(), language, say)

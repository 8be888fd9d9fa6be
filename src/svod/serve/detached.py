"""`svod up --detach`: the same server in a process of its own, and this one back when it is ready."""

import subprocess
import sys
import time
from pathlib import Path

import httpx2

from svod.foundation.settings import Settings
from svod.serve import words
from svod.serve.process import Voice
from svod.serve.running import find_running, usable

_LONGEST_START_S = 300.0
_LOOK_EVERY_S = 0.1
_SHOWN_LINES = 20


def start(settings: Settings, voice: Voice, *, api_only: bool = False) -> int:
    """Start the server in the background; the exit code of this command.

    Its lines are passed on until it is ready for words; then it goes on alone.
    """
    log = settings.data / "server.log"
    with usable(settings.data):
        opened = log.open("wb")
    command = [sys.executable, "-m", "svod", "up", "--port", str(settings.port)]
    with opened as sink:
        child = subprocess.Popen(  # noqa: S603 - our own program
            [*command, "--api-only"] if api_only else command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    told = 0
    deadline = time.monotonic() + _LONGEST_START_S
    while child.poll() is None and time.monotonic() < deadline:
        told = _pass_on(log, told, voice)
        if _answers(settings.data, child.pid):
            _pass_on(log, told, voice)
            voice(words.DETACHED, pid=child.pid, log=log)
            return 0
        time.sleep(_LOOK_EVERY_S)
    if child.poll() == 0:  # it found one that runs already, and said so
        _pass_on(log, told, voice)
        return 0
    child.terminate()
    voice(words.DID_NOT_START, log=log)
    for line in _lines(log)[-_SHOWN_LINES:]:
        voice.say(line)
    return child.poll() or 5


def _pass_on(log: Path, told: int, voice: Voice) -> int:
    lines = _lines(log)
    for line in lines[told:]:
        if not line.startswith("{"):  # a log line, for machines
            voice.say(line)
    return len(lines)


def _lines(log: Path) -> list[str]:
    text = log.read_text(encoding="utf-8", errors="replace")
    return text[: text.rfind("\n") + 1].splitlines()


def _answers(data: Path, pid: int) -> bool:
    running = find_running(data)
    if running is None or running.pid != pid:
        return False
    try:
        return httpx2.get(f"{running.url}/health", timeout=1.0).is_success
    except httpx2.HTTPError:
        return False

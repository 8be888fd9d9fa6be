"""How soon a fresh clone serves, a stopped server serves again, and a note is found.

    ./svod dev bench start [--warm-only] [--json]

Clones this checkout's commit into a temporary folder, with empty caches, and runs `./svod up` there.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2

from server import ROOT
from svod.client import Client

_LONGEST_S = 600.0


def main(argv: list[str] | None = None) -> int:
    """Run it and print seconds."""
    parser = argparse.ArgumentParser(prog="bench start", description=__doc__)
    parser.add_argument("--warm-only", action="store_true", help="use this checkout's environment")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    folder = Path(tempfile.mkdtemp(prefix="svod-bench-"))
    figures: dict[str, float] = {}
    try:
        clone = ROOT
        if not options.warm_only:
            clone = folder / "clone"
            subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        environment = _environment(folder)
        process, words_s, meaning_s = _start(clone, environment)
        figures |= {"cold_words_s": words_s, "cold_meaning_s": meaning_s}
        figures |= _notes(environment)
        _stop(process)
        process, words_s, meaning_s = _start(clone, environment)
        figures |= {"warm_words_s": words_s, "warm_meaning_s": meaning_s}
        _stop(process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    figures = {name: round(value, 2) for name, value in figures.items()}
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:22} {value:8.2f}")
    return 0


def _environment(folder: Path) -> dict[str, str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    return dict(os.environ) | {  # noqa: TID251 - handed on to the launcher
        "SVOD_DATA": str(folder / "data"),
        "SVOD_PORT": str(port),
        "UV_CACHE_DIR": str(folder / "uv"),
        "PIP_CACHE_DIR": str(folder / "pip"),
    }


def _start(
    clone: Path, environment: dict[str, str]
) -> tuple[subprocess.Popen[bytes], float, float]:
    started = time.monotonic()
    process = subprocess.Popen(
        ["./svod", "up"],
        cwd=clone,
        env=environment,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{environment['SVOD_PORT']}/ready"
    words_s = None
    while time.monotonic() - started < _LONGEST_S:
        try:
            reply = httpx2.get(url, timeout=1).json()
        except (httpx2.HTTPError, ValueError):
            reply = {"status": "not_ready"}
        if reply["status"] == "ready":
            words_s = words_s or time.monotonic() - started
            if not reply["not_ready"]:
                return process, words_s, time.monotonic() - started
        if process.poll() is not None:
            raise RuntimeError(f"./svod up ended with {process.returncode}")
        time.sleep(0.05)
    raise TimeoutError("not ready for meaning in time")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)


def _notes(environment: dict[str, str]) -> dict[str, float]:
    """Seconds from a saved note to its being found, by its word and by its meaning; the worst of five."""
    key = (Path(environment["SVOD_DATA"]) / "cli.key").read_text().strip()
    client = Client(f"http://127.0.0.1:{environment['SVOD_PORT']}", key)
    by_words, by_meaning = 0.0, 0.0
    for number in range(5):
        word = f"zebra{number}marker"
        text = f"Гарантия на насос составляет {number + 2} года. {word}"
        added = client.add_note(text)
        saved = time.monotonic()
        while not client.search(word, mode="words").hits:
            time.sleep(0.02)
        by_words = max(by_words, time.monotonic() - saved)
        while all(
            hit.item_id != added.item.item_id
            for hit in client.search("warranty of the pump", mode="meaning").hits
        ):
            time.sleep(0.02)
        by_meaning = max(by_meaning, time.monotonic() - saved)
        time.sleep(1)
    return {"note_by_words_s": by_words, "note_by_meaning_s": by_meaning}


if __name__ == "__main__":
    sys.exit(main())

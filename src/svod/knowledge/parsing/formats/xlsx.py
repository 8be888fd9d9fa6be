"""Workbooks of Excel, with or without macros (xlsx, xlsm)."""

from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.signatures import is_zip, zip_names
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Writing


def looks_like_workbook(source: Source) -> bool:
    """Whether this is a package with a workbook of XML in it."""
    return is_zip(source.content) and b"xl/workbook.xml" in zip_names(source.content)


def read_xlsx(source: Source, writing: Writing) -> None:
    """Every sheet, under a heading with its name; values as they were last calculated."""
    from svod.knowledge.parsing.office.workbook import write_workbook  # noqa: PLC0415  heavy; see Format.loads

    write_workbook(writing, source.content)


XLSX = Format(
    name="xlsx",
    media_types=(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
    ),
    extensions=("xlsx", "xlsm", "xltx", "xltm"),
    read=read_xlsx,
    looks=looks_like_workbook,
    loads=("svod.knowledge.parsing.office.workbook",),
)

"""Every format that is read, one file each; the order is the order in which content is tried."""

from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.formats.csv import CSV
from svod.knowledge.parsing.formats.docx import DOCX
from svod.knowledge.parsing.formats.html import HTML
from svod.knowledge.parsing.formats.json import JSON
from svod.knowledge.parsing.formats.markdown import MARKDOWN
from svod.knowledge.parsing.formats.pdf import PDF
from svod.knowledge.parsing.formats.text import TEXT
from svod.knowledge.parsing.formats.xlsx import XLSX

PLAIN_TEXT: Format = TEXT
"""What a text is read as when nothing else is known of it."""

FORMATS: tuple[Format, ...] = (PDF, DOCX, XLSX, HTML, JSON, CSV, MARKDOWN, TEXT)

__all__ = ["FORMATS", "PLAIN_TEXT"]

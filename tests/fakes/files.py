"""Small files of every format that is read, in both languages, made on the spot."""

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from docx import Document
from openpyxl import Workbook
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

WORDS = {
    "ru": ("Порядок закупок", "Заявку согласует руководитель отдела.", "Порог", "Способ"),
    "en": ("Buying rules", "The head of the department approves the request.", "Limit", "Method"),
}
"""A heading, a sentence and two names of columns."""
ROWS = {"ru": ("до 100 тысяч", "прямая закупка"), "en": ("up to 100 thousand", "direct purchase")}
LATIN_FONT = "Helvetica"
_CYRILLIC_FONTS = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
)


def a_text(lang: str) -> bytes:
    heading, sentence, *_ = WORDS[lang]
    return f"{heading}\n\n{sentence}\n".encode()


def a_markdown(lang: str) -> bytes:
    heading, sentence, limit, method = WORDS[lang]
    first, second = ROWS[lang]
    table = f"| {limit} | {method} |\n| --- | --- |\n| {first} | {second} |"
    return f"# {heading}\n\n{sentence}\n\n{table}\n".encode()


def a_page(lang: str) -> bytes:
    heading, sentence, limit, method = WORDS[lang]
    first, second = ROWS[lang]
    return (
        f"<!DOCTYPE html><html><head><title>{heading}</title><style>p{{}}</style></head><body>"
        f"<nav><a href='/'>Menu</a></nav><h1>{heading}</h1><p>{sentence}</p>"
        f"<table><tr><th>{limit}</th><th>{method}</th></tr><tr><td>{first}</td><td>{second}</td></tr></table>"
        "<script>var hidden = 1;</script></body></html>"
    ).encode()


def a_csv(lang: str) -> bytes:
    heading, sentence, limit, method = WORDS[lang]
    first, second = ROWS[lang]
    return (
        f'{limit};{method};{heading}\n{first};{second};"{sentence}"\n{first};{second};\n'.encode()
    )


def a_json(lang: str) -> bytes:
    heading, sentence, limit, method = WORDS[lang]
    first, second = ROWS[lang]
    rows = [{limit: first, method: second}, {limit: first, method: second}]
    return json.dumps({"title": sentence, heading: rows}).encode()


def a_docx(lang: str) -> bytes:
    heading, sentence, limit, method = WORDS[lang]
    first, second = ROWS[lang]
    document = Document()
    document.add_heading(heading, 1)
    document.add_paragraph(sentence)
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        [*table.rows[0].cells, *table.rows[1].cells], (limit, method, first, second), strict=True
    ):
        cell.text = text
    return saved(document.save)


def an_xlsx(lang: str) -> bytes:
    heading, sentence, limit, method = WORDS[lang]
    first, second = ROWS[lang]
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = heading
    for row in ((limit, method), (first, second), (sentence, 12.0), (date(2024, 3, 15), 0.5)):
        sheet.append(row)
    return saved(workbook.save)


def a_pdf(lang: str, *, pages: Sequence[Sequence[str]] | None = None) -> bytes:
    heading, sentence, *_ = WORDS[lang]
    return pdf_of(pages or [[heading, sentence]], cyrillic=lang == "ru")


def pdf_of(pages: Sequence[Sequence[str]], *, cyrillic: bool = False) -> bytes:
    """A PDF with lines of text, 20 points apart; an empty page has none."""
    font = LATIN_FONT
    if cyrillic:
        font = "Cyrillic"
        path = next((path for path in _CYRILLIC_FONTS if Path(path).exists()), None)
        if path is None:
            return _pdf_without_font(pages)
        pdfmetrics.registerFont(TTFont(font, path))

    def save(stream: io.BytesIO) -> None:
        canvas = Canvas(stream, pagesize=A4)
        for lines in pages:
            canvas.setFont(font, 12)
            for number, line in enumerate(lines):
                canvas.drawString(72, 760 - 20 * number, line)
            canvas.showPage()
        canvas.save()

    return saved(save)


def _pdf_without_font(pages: Sequence[Sequence[str]]) -> bytes:
    """The same where no font with Cyrillic is installed: codes of its own with a table to Unicode."""
    letters = sorted({letter for lines in pages for line in lines for letter in line})
    codes = {letter: index + 1 for index, letter in enumerate(letters)}
    mapping = "\n".join(f"<{code:02x}> <{ord(letter):04x}>" for letter, code in codes.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin begincmap /CMapName /A def 1 begincodespacerange <00> <ff> "
        f"endcodespacerange {len(codes)} beginbfchar\n{mapping}\nendbfchar endcmap end"
    ).encode()
    widths = " ".join(["600"] * (len(codes) + 1))
    font = f"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /FirstChar 0 /LastChar {len(codes)} /Widths [{widths}] /ToUnicode 4 0 R >>"
    kids = " ".join(f"{5 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        font.encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(cmap), cmap),
    ]
    for number, lines in enumerate(pages):
        shown = "".join(
            f"BT /F 12 Tf 72 {760 - 20 * n} Td <{''.join(f'{codes[c]:02x}' for c in line)}> Tj ET\n"
            for n, line in enumerate(lines)
        ).encode()
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {6 + 2 * number} 0 R /Resources << /Font << /F 3 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown),
        ]
    return pdf_from(objects)


def pdf_from(objects: Sequence[bytes]) -> bytes:
    """A PDF of these objects, the first its catalog."""
    content = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(content)
    content += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        content += b"%010d 00000 n \n" % place
    content += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        start,
    )
    return bytes(content)


def a_slow_pdf(megabytes: int = 150) -> bytes:
    """A small file whose one page takes a reader a very long time."""
    packer = zlib.compressobj(9)
    piece = b"BT /F 12 Tf 1 0 0 1 72 700 Tm (slow) Tj ET\n" * 25_000
    body = b"".join(packer.compress(piece) for _ in range(megabytes)) + packer.flush()
    return pdf_from(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F 3 0 R >> >> >>",
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(body), body),
        ]
    )


def zipped(parts: dict[str, bytes]) -> bytes:
    """A zip archive of these parts."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def with_part(package: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """A zip archive with one of its parts changed or added."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    parts[name] = change(parts.get(name, b""))
    return zipped(parts)


def saved(save: Callable[[io.BytesIO], object]) -> bytes:
    """What a library writes to a stream."""
    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()


FILES: dict[str, Callable[[str], bytes]] = {
    "pdf": a_pdf,
    "docx": a_docx,
    "xlsx": an_xlsx,
    "html": a_page,
    "json": a_json,
    "csv": a_csv,
    "md": a_markdown,
    "txt": a_text,
}
"""A small file of each format, by the format's name."""

"""Write the sample's three office files again: the same bytes on every run.

The other files of `examples/spitsa` are edited by hand; these three come from the text below, so
that a change of theirs can be read in a diff. Needs the development environment:

    .venv/bin/python dev/make_sample.py
"""

import io
import zipfile
from datetime import datetime
from pathlib import Path

import docx
import openpyxl
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "spitsa"
WRITTEN = datetime(2025, 4, 1, 9, 0)  # noqa: DTZ001 (office files keep no zone)


def still(archive: bytes) -> bytes:
    """The same archive with one date on every entry, so that two runs give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as read, zipfile.ZipFile(out, "w") as write:
        for name in read.namelist():
            entry = zipfile.ZipInfo(name, WRITTEN.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            write.writestr(entry, read.read(name))
    return out.getvalue()


CONTRACT = [
    ("1. Предмет договора", [
        "Компания «Спица» передаёт клиенту велосипед во временное пользование, а клиент платит за"
        " прокат и возвращает велосипед в срок.",
        "Велосипед считается переданным, когда клиент подписал карточку и проехал пробный круг.",
    ]),
    ("2. Обязанности клиента", [
        "Клиент не оставляет велосипед без замка даже на минуту.",
        "Клиент не передаёт велосипед другим людям и не выезжает за пределы области.",
        "О поломке или краже клиент сообщает не позже чем через два часа.",
        "Вдвоём на одном велосипеде ездить нельзя, кроме тандема и детского кресла.",
    ]),
    ("3. Ответственность", [
        "Пени за просрочку по договору юридического лица составляют 0,5 % от суммы за каждый день.",
        "За потерянный шлем клиент платит 1 800 рублей, за потерянный замок — 1 200 рублей.",
        "Компания не отвечает за вещи, оставленные в корзине.",
    ]),
    ("4. Срок и расторжение", [
        "Договор с юридическим лицом заключают на один сезон, с 1 апреля по 31 октября.",
        "Любая сторона расторгает договор, предупредив другую за 14 дней.",
        "Споры решает суд по месту нахождения компании, в Ярославле.",
    ]),
]  # fmt: skip


def contract(path: Path) -> None:
    """The rental contract, Russian, with numbered sections and one table."""
    document = docx.Document()
    document.core_properties.title = "Договор проката"
    document.core_properties.author = "Спица"
    document.core_properties.created = document.core_properties.modified = WRITTEN
    document.add_heading("Договор проката велосипеда", level=0)
    document.add_paragraph("Типовая форма № 7, утверждена 1 апреля 2025 года.")
    for heading, paragraphs in CONTRACT:
        document.add_heading(heading, level=1)
        for text in paragraphs:
            document.add_paragraph(text)
    document.add_heading("Приложение. Комплект при выдаче", level=1)
    rows = [
        ("Предмет", "Количество", "Цена при утере, ₽"),
        ("Шлем", "1", "1 800"),
        ("Замок «Краб»", "1", "1 200"),
        ("Фонарь передний", "1", "650"),
        ("Насос", "1", "900"),
    ]
    table = document.add_table(rows=0, cols=3)
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    out = io.BytesIO()
    document.save(out)
    path.write_bytes(still(out.getvalue()))


WORK = [
    ("Работа", "Цена, ₽", "Срок, дней"),
    ("Замена камеры", 400, 1),
    ("Правка колеса", 900, 2),
    ("Замена цепи", 700, 1),
    ("Настройка переключателей", 800, 1),
    ("Прокачка гидравлических тормозов", 1600, 2),
    ("Полное обслуживание", 4200, 3),
    ("Мойка", 500, 1),
]
PARTS = [
    ("Part", "Price, RUB", "In stock in Tver", "In stock in Yaroslavl"),
    ("Inner tube 26 inch", 350, 40, 32),
    ("Inner tube 28 inch", 380, 55, 61),
    ("Chain KMC-type 8 speed", 1150, 12, 9),
    ("Brake pads, pair", 620, 30, 44),
    ("Spark battery 48 V", 38500, 2, 3),
    ("Saddle with springs", 1900, 5, 0),
    ("Freewheel 7 speed, SKU SP-7F-14", 1480, 6, 4),
]


def repair_prices(path: Path) -> None:
    """The workshop's prices: work on a Russian sheet, parts on an English one."""
    book = openpyxl.Workbook()
    book.properties.created = book.properties.modified = WRITTEN
    work = book.create_sheet("Работы", 0)
    del book[book.sheetnames[1]]
    for row in WORK:
        work.append(row)
    parts = book.create_sheet("Parts")
    for row in PARTS:
        parts.append(row)
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as written:
        # The library stamps the hour of saving over the property that was set.
        stamped = written.read("docProps/core.xml").decode()
    head, tail = stamped.split("</dcterms:modified>")
    core = head[: head.rindex(">") + 1] + "2025-04-01T09:00:00Z</dcterms:modified>" + tail
    again = io.BytesIO()
    with zipfile.ZipFile(out) as read, zipfile.ZipFile(again, "w") as write:
        for name in read.namelist():
            write.writestr(name, core if name == "docProps/core.xml" else read.read(name))
    path.write_bytes(still(again.getvalue()))


HANDBOOK = [
    ("Tightening torques", [
        "Pedals are tightened to 35 newton metres; the left one has a left-hand thread.",
        "The stem bolt of a city bicycle takes 9 newton metres, the seat clamp takes 6.",
        "Brake callipers of the Spark are tightened to 8 newton metres with blue thread locker.",
    ]),
    ("Tyre pressure", [
        "City tyres are pumped to 4.5 bar in summer and to 3.8 bar below zero.",
        "Mountain tyres are pumped to 2.6 bar; cargo tyres to 5 bar.",
    ]),
    ("Chains and brakes", [
        "A chain is replaced when it has stretched by 0.75 percent, measured with the gauge.",
        "Brake pads thinner than one millimetre are replaced on the same day.",
        "After every 50 rentals a bicycle goes through the full check of 24 points.",
    ]),
    ("Electric drive", [
        "Error E21 on the display means that the speed sensor has lost its magnet.",
        "Error E30 means that the motor and the display do not hear each other: check the green plug.",
        "The firmware of the display is updated only by the senior mechanic, in February.",
    ]),
]  # fmt: skip


def handbook(path: Path) -> None:
    """The mechanics' handbook, English, two pages: the standard fonts have no Cyrillic."""
    styles = getSampleStyleSheet()
    story: list[Flowable] = [Paragraph("Spitsa workshop handbook, edition 6", styles["Title"])]
    for heading, paragraphs in HANDBOOK:
        story.append(Paragraph(heading, styles["Heading1"]))
        story.extend(Paragraph(text, styles["BodyText"]) for text in paragraphs)
        story.append(Spacer(1, 120))
    story.append(Paragraph("Wheel sizes", styles["Heading1"]))
    story.append(Table([
        ["Model", "Wheel", "Spokes"],
        ["Swallow", "28 inch", "36"],
        ["Spark", "27.5 inch", "32"],
        ["Cargo Tyagach", "20 inch", "40"],
    ]))  # fmt: skip
    SimpleDocTemplate(
        str(path), pagesize=A4, title="Spitsa workshop handbook", author="Spitsa", invariant=1
    ).build(story)


if __name__ == "__main__":
    contract(FOLDER / "ru" / "договор-проката.docx")
    repair_prices(FOLDER / "repair-prices.xlsx")
    handbook(FOLDER / "en" / "workshop-handbook.pdf")

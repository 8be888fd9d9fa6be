"""What a person should know about a reading that succeeded: codes, and their sentences."""

from collections.abc import Mapping

from svod.foundation.errors import Language, Says
from svod.knowledge.parsing.document import Warned

WARNINGS: Mapping[str, Says] = {
    "cut": Says(
        "Only the first {kept} characters were kept; the file holds more.",
        "Сохранены только первые {kept} знаков; в файле есть ещё текст.",
    ),
    "pages_without_text": Says(
        "{count} of {pages} pages have no text: {listed}.",
        "Без текста {count} из {pages} страниц: {listed}.",
    ),
    "pages_unreadable": Says(
        "{count} of {pages} pages could not be read: {listed}.",
        "Не удалось прочитать {count} из {pages} страниц: {listed}.",
    ),
    "glyphs_unmapped": Says(
        "On {count} pages letters have no meaning assigned, so the text may be wrong: {listed}.",
        "На {count} страницах буквам не сопоставлен текст, он может быть неверен: {listed}.",
    ),
    "named_otherwise": Says(
        "The file is named as {named}, but was read as {read_as}, which it is.",
        "Файл назван как {named}, но прочитан как {read_as}: это он и есть.",
    ),
    "macros": Says(
        "The file has macros; they were not run.", "В файле есть макросы; они не выполнялись."
    ),
    "encoding_guessed": Says(
        "The encoding was guessed: {encoding}.", "Кодировка угадана: {encoding}."
    ),
    "characters_lost": Says(
        "{count} places are not valid {encoding} and were replaced.",
        "В {count} местах недопустимая для {encoding} запись; они заменены.",
    ),
    "structure_lost": Says(
        "The structure is too deep or broken; only the text was kept.",
        "Структура слишком глубока или сломана; сохранён только текст.",
    ),
    "columns_too_many": Says(
        "A table has {columns} columns; it was kept as lines of text.",
        "В таблице {columns} столбцов; она сохранена строками текста.",
    ),
    "sparse_sheet": Says(
        "Cells of the sheet lie very far apart; empty rows and columns were left out.",
        "Ячейки листа очень далеко друг от друга; пустые строки и столбцы опущены.",
    ),
    "lines_unreadable": Says(
        "{count} lines are not valid JSON and were kept as they are.",
        "{count} строк — не JSON; они сохранены как есть.",
    ),
}
"""Every warning that a reader gives, by its code."""


def warning_text(warned: Warned, language: Language = Language.EN) -> str:
    """The sentence of a warning in one language."""
    return WARNINGS[warned.code].text(language, **warned.facts)

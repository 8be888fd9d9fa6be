"""Why a file could not be read: one class a reason, the same codes everywhere.

A failure crosses a process border and is stored on the item, so it is made of a code and facts and
can be made again from them: `reading_failure(code, facts)`.
"""

from collections.abc import Mapping
from typing import ClassVar

from svod.foundation.errors import Invalid, Says


class ReadingFailed(Invalid):
    """A file could not be read; each subclass says why, and `code` names it for good."""

    usual: ClassVar[Mapping[str, str | int]] = {}
    """Facts that the sentence needs, for when the place that failed does not know better."""

    def __init__(self, **facts: object) -> None:
        super().__init__(**{**self.usual, **facts})


class EmptyFile(ReadingFailed):
    """There are no bytes, or nothing but white space."""

    code = "empty"
    says = Says("The file is empty.", "Файл пуст.")
    hint = Says(
        "Check that it was saved, and add it again.",
        "Проверьте, что он сохранён, и добавьте снова.",
    )


class NoText(ReadingFailed):
    """The file opened, but no letter is in it."""

    code = "no_text"
    says = Says("No text was found in the file.", "В файле не найдено текста.")
    hint = Says(
        "If these are scanned pages, recognise the text first and add the result.",
        "Если это сканы страниц, сначала распознайте текст и добавьте результат.",
    )


class EncryptedFile(ReadingFailed):
    """A password is needed to open the file."""

    code = "encrypted"
    says = Says("The file is protected by a password.", "Файл защищён паролем.")
    hint = Says(
        "Save a copy without the password and add that.",
        "Сохраните копию без пароля и добавьте её.",
    )


class CorruptFile(ReadingFailed):
    """The content starts like a known format but cannot be read as it."""

    code = "corrupt"
    usual: ClassVar[Mapping[str, str | int]] = {"format": "file"}
    says = Says(
        "The file is damaged or incomplete: it could not be read as {format}.",
        "Файл повреждён или неполон: прочитать его как {format} не удалось.",
    )
    hint = Says(
        "Open it in its own program, save it again, and add the new copy.",
        "Откройте его в своей программе, сохраните заново и добавьте новую копию.",
    )


class WrongType(ReadingFailed):
    """The name or media type promises one format and the content is something unreadable."""

    code = "wrong_type"
    usual: ClassVar[Mapping[str, str | int]] = {"named": "?", "seen": "binary"}
    says = Says(
        "The file is named as {named}, but holds something else ({seen}).",
        "Файл назван как {named}, но внутри другое ({seen}).",
    )
    hint = Says("Check which file was meant.", "Проверьте, тот ли это файл.")


class BinaryFile(ReadingFailed):
    """The bytes are neither text nor a format that is known."""

    code = "binary"
    says = Says(
        "The file holds binary data of an unknown kind, not text.",
        "В файле двоичные данные неизвестного вида, а не текст.",
    )
    hint = Says(
        "Export it to PDF, Word, a spreadsheet or text.",
        "Выгрузите его в PDF, Word, таблицу или текст.",
    )


class UnpackedTooLarge(ReadingFailed):
    """The file would grow beyond the limit when unpacked."""

    code = "unpacked_too_large"
    usual: ClassVar[Mapping[str, str | int]] = {"limit_mb": 300}
    says = Says(
        "Unpacked, the file is larger than {limit_mb} MB or packed suspiciously tightly.",
        "В распакованном виде файл больше {limit_mb} МБ или сжат подозрительно сильно.",
    )
    hint = Says("Split it into smaller files.", "Разделите его на файлы поменьше.")


class TooManyEntries(ReadingFailed):
    """The archive that the file is has too many entries."""

    code = "too_many_entries"
    usual: ClassVar[Mapping[str, str | int]] = {"limit": 10_000}
    says = Says(
        "There are more than {limit} parts inside the file.", "Внутри файла больше {limit} частей."
    )
    hint = Says("Split it into smaller files.", "Разделите его на файлы поменьше.")


class XmlEntities(ReadingFailed):
    """An XML part defines entities: a way to blow up or to read other files."""

    code = "xml_entities"
    says = Says(
        "The file defines XML entities, which are not read for safety.",
        "В файле определены XML-сущности; ради безопасности такие файлы не читаются.",
    )
    hint = Says(
        "Open it in its own program and save it again.",
        "Откройте его в своей программе и сохраните заново.",
    )


class TooDeep(ReadingFailed):
    """Parts of the file are nested deeper than the limit."""

    code = "too_deep"
    usual: ClassVar[Mapping[str, str | int]] = {"limit": 200}
    says = Says(
        "The content is nested deeper than {limit} levels.",
        "Вложенность содержимого больше {limit} уровней.",
    )
    hint = Says("Flatten it and add it again.", "Уменьшите вложенность и добавьте снова.")


class ImageTooLarge(ReadingFailed):
    """A picture has more pixels than may be opened."""

    code = "image_too_large"
    usual: ClassVar[Mapping[str, str | int]] = {"limit_mpx": 50}
    says = Says(
        "The picture is larger than {limit_mpx} megapixels.",
        "Изображение больше {limit_mpx} мегапикселей.",
    )
    hint = Says("Make it smaller and add it again.", "Уменьшите его и добавьте снова.")


class ReadingTimedOut(ReadingFailed):
    """Reading took longer than it may."""

    code = "timeout"
    usual: ClassVar[Mapping[str, str | int]] = {"timeout_s": "?"}
    says = Says(
        "Reading the file took longer than {timeout_s} s.",
        "Чтение файла заняло больше {timeout_s} с.",
    )
    hint = Says(
        "Split the file, or raise SVOD_PARSER_TIMEOUT_S.",
        "Разделите файл или увеличьте SVOD_PARSER_TIMEOUT_S.",
    )


class ReadingOutOfMemory(ReadingFailed):
    """Reading needed more memory than it may have."""

    code = "out_of_memory"
    usual: ClassVar[Mapping[str, str | int]] = {"limit_mb": "?"}
    says = Says(
        "Reading the file needs more than {limit_mb} MB of memory.",
        "Для чтения файла нужно больше {limit_mb} МБ памяти.",
    )
    hint = Says(
        "Split the file, or raise SVOD_PARSER_MEMORY_MB.",
        "Разделите файл или увеличьте SVOD_PARSER_MEMORY_MB.",
    )


class UnsupportedFormat(ReadingFailed):
    """The format is known, or at least the name is, but there is no reader for it."""

    code = "unsupported"
    usual: ClassVar[Mapping[str, str | int]] = {"seen": "?", "formats": "?"}
    says = Says(
        "Files of this kind ({seen}) are not read; these are: {formats}.",
        "Файлы такого вида ({seen}) не читаются; читаются: {formats}.",
    )
    hint = Says(
        "Save it in one of these formats and add that.",
        "Сохраните его в одном из этих форматов и добавьте результат.",
    )


class ReaderDied(ReadingFailed):
    """The reading program stopped without an answer, twice."""

    code = "reader_died"
    says = Says(
        "The program that reads files stopped while it read this one, and again at a second try.",
        "Программа чтения остановилась на этом файле, и при повторной попытке тоже.",
    )
    hint = Says(
        "Try again; if it happens again, save the file in another format.",
        "Попробуйте ещё раз; если повторится, сохраните файл в другом формате.",
    )


FAILURES: Mapping[str, type[ReadingFailed]] = {
    failure.code: failure
    for failure in (
        EmptyFile,
        NoText,
        EncryptedFile,
        CorruptFile,
        WrongType,
        BinaryFile,
        UnpackedTooLarge,
        TooManyEntries,
        XmlEntities,
        TooDeep,
        ImageTooLarge,
        ReadingTimedOut,
        ReadingOutOfMemory,
        UnsupportedFormat,
        ReaderDied,
    )
}
"""Every reason, by its code."""


def reading_failure(code: str, facts: Mapping[str, object]) -> ReadingFailed:
    """The failure that was stored or sent as a code and facts; an unknown code is a dead reader."""
    return FAILURES.get(code, ReaderDied)(**facts)

"""What can go wrong with items."""

from svod.foundation.errors import Conflict, Exhausted, Invalid, NotFound, Says


class ItemNotFound(NotFound):
    """There is no such item, or the caller may not see it."""

    code = "items.not_found"
    says = Says("There is no such item.", "Такого материала нет.")
    hint = Says("`svod items` lists what there is.", "Что есть, покажет `svod items`.")


class VersionNotFound(NotFound):
    """The item has no such version."""

    code = "items.version_not_found"
    says = Says("The item has no version {version}.", "У материала нет версии {version}.")


class TextNotRead(Conflict):
    """The text of this version was not read yet, or could not be."""

    code = "items.text_not_read"
    says = Says("The text of this version has not been read.", "Текст этой версии ещё не прочитан.")
    hint = Says("See the item's status.", "Посмотрите состояние материала.")


class ItemChangedMeanwhile(Conflict):
    """Someone changed the item meanwhile."""

    code = "items.changed_meanwhile"
    says = Says(
        "The item changed meanwhile: it is at revision {revision}.",
        "Материал успели изменить: теперь это редакция {revision}.",
    )
    hint = Says("Read it again, then repeat.", "Прочитайте его снова и повторите.")


class NothingToCancel(Conflict):
    """The item is neither queued nor being read."""

    code = "items.nothing_to_cancel"
    says = Says(
        "There is nothing to cancel: the item is neither waiting nor being read.",
        "Отменять нечего: материал не ждёт очереди и не читается.",
    )


class ExternalIdTaken(Conflict):
    """Another item on the level has this external id."""

    code = "items.external_id_taken"
    says = Says(
        "Another item on this level has this external id already.",
        "На этом уровне такой внешний идентификатор уже занят другим материалом.",
    )
    hint = Says(
        "Give one of the two another external id, or delete it.",
        "Дайте одному из двух другой внешний идентификатор или удалите его.",
    )


class OtherWorkspace(Invalid):
    """An item was to move between the global level and a workspace, which have different keys."""

    code = "items.other_workspace"
    says = Says(
        "An item does not move between the global level and a workspace.",
        "Между общим уровнем и рабочей областью материал не перемещают.",
    )
    hint = Says("Add it there, and delete it here.", "Добавьте его там и удалите здесь.")


class TooManyTags(Invalid):
    """An item would have more tags than it may."""

    code = "items.too_many_tags"
    says = Says(
        "An item has at most {limit} tags.", "У материала может быть не больше {limit} меток."
    )
    hint = Says("Take some away first.", "Сначала уберите лишние.")


class RepeatedExternalId(Invalid):
    """Two notes of one call have the same external id."""

    code = "items.repeated_external_id"
    says = Says(
        "An earlier note of this call has the same external id.",
        "У более ранней заметки этого запроса тот же внешний идентификатор.",
    )
    hint = Says("Send the later one in a call of its own.", "Отправьте её отдельным запросом.")


class NoteEmpty(Invalid):
    """A note without a word."""

    code = "items.note_empty"
    says = Says("The note holds no text.", "В заметке нет текста.")


class NoteTooLong(Invalid):
    """A note holds more than one note may."""

    code = "items.note_too_long"
    says = Says(
        "The note has {characters} characters; the most is {limit}.",
        "В заметке {characters} знаков, а можно не больше {limit}.",
    )
    hint = Says("Split it, or add it as a file.", "Разделите её или добавьте файлом.")


class NotANote(Invalid):
    """Only the text of a note is changed in place."""

    code = "items.not_a_note"
    says = Says("Only a note's text is changed in place.", "На месте меняют только текст заметки.")
    hint = Says("Add the file again instead.", "Файл добавьте заново.")


class FileTooLarge(Exhausted):
    """A file holds more bytes than one file may."""

    code = "items.file_too_large"
    says = Says(
        "The file has {bytes} bytes; the most is {limit}.",
        "В файле {bytes} байт, а можно не больше {limit}.",
    )
    hint = Says("Split it into smaller files.", "Разделите его на файлы поменьше.")


class BytesUnknown(NotFound):
    """The caller can read no file with this hash."""

    code = "items.bytes_unknown"
    says = Says(
        "The server has no bytes with this hash for you.",
        "Файла с таким хешем на сервере для вас нет.",
    )
    hint = Says("Send the bytes.", "Отправьте сам файл.")


class BadName(Invalid):
    """A title, name or external id is empty, too long, or holds control characters."""

    code = "items.bad_name"
    says = Says(
        "The field {field} takes 1 to {limit} characters without control characters.",
        "Поле {field}: от 1 до {limit} знаков, без управляющих символов.",
    )


class BadCursor(Invalid):
    """A cursor that no list of ours gave."""

    code = "items.bad_cursor"
    says = Says("This cursor is not from here.", "Этот курсор не отсюда.")
    hint = Says("Start the list again without it.", "Начните список заново без него.")

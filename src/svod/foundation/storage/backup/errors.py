"""What can go wrong with a backup and a restore."""

from svod.foundation.errors import Conflict, Exhausted, Invalid, Says


class BackupExists(Conflict):
    """The file that the backup would be written to is there already."""

    code = "storage.backup_exists"
    says = Says("{file} is there already.", "{file} уже есть.")
    hint = Says("Name another file, or remove it.", "Назовите другой файл или удалите этот.")


class BackupNotWritten(Conflict):
    """The place for the backup cannot be written to."""

    code = "storage.backup_not_written"
    says = Says("The backup cannot be written: {why}.", "Копию записать не удалось: {why}.")
    hint = Says("Nothing of it was left behind.", "Ничего от неё не осталось.")


class BackupNoRoom(Exhausted):
    """The disk became full while the backup was written."""

    code = "storage.backup_no_room"
    says = Says(
        "The disk of {file} is full; the unfinished backup was removed.",
        "Диск, где лежит {file}, заполнен; недописанная копия удалена.",
    )
    hint = Says("Write it to another disk.", "Запишите её на другой диск.")


class BackupRunning(Conflict):
    """Another backup of this database is being made."""

    code = "storage.backup_running"
    says = Says(
        "Another backup of this database is being made.", "Уже создаётся другая копия этой базы."
    )
    hint = Says("Wait for it to end.", "Дождитесь её окончания.")


class BackupDamaged(Invalid):
    """The file is no backup of ours, or not as it was written."""

    code = "storage.backup_damaged"
    says = Says(
        "{file} is not a whole backup of Svod: {problem_en}. Nothing was touched.",
        "{file} — не целая копия Свода: {problem_ru}. Ничего не тронуто.",
    )
    hint = Says("Take another copy.", "Возьмите другую копию.")


class BackupTooNew(Conflict):
    """The backup's format is of a later release."""

    code = "storage.backup_too_new"
    says = Says(
        "This backup was made by a newer release, {version}.",
        "Эту копию сделал более новый выпуск, {version}.",
    )
    hint = Says("Restore it with that release.", "Восстановите её тем выпуском.")


class TargetNotEmpty(Conflict):
    """There is something already where the backup is to be restored."""

    code = "storage.target_not_empty"
    says = Says(
        "A backup is restored into an empty place only, and {place} holds something.",
        "Копия восстанавливается только на пустое место, а {place} уже занято.",
    )
    hint = Says(
        "Name a new data folder in SVOD_DATA, and with DATABASE_URL a new database.",
        "Укажите новую папку данных в SVOD_DATA, а с DATABASE_URL — и новую базу.",
    )


class RestoreUnfinished(Conflict):
    """A restore into this data folder was broken off."""

    code = "storage.restore_unfinished"
    says = Says(
        "A restore into {data} was broken off; what is there is not whole.",
        "Восстановление в {data} прервалось; то, что там лежит, неполно.",
    )
    hint = Says(
        "Run `svod restore` again with the same file.",
        "Повторите `svod restore` с тем же файлом.",
    )

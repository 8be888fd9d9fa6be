"""What can go wrong with the database, its files and its keys."""

from svod.foundation.errors import Conflict, Exhausted, NotFound, Says, Unavailable


class DatabaseGone(Unavailable):
    """The database does not answer, or went away in the middle."""

    code = "storage.database_gone"
    says = Says("The database does not answer.", "База данных не отвечает.")
    hint = Says(
        "It is tried again at the next request; look at its log if this lasts.",
        "При следующем запросе попытка повторится; если это надолго, посмотрите журнал базы.",
    )


class DatabaseBusy(Unavailable):
    """Every connection is taken, or a statement took longer than it may."""

    code = "storage.database_busy"
    says = Says("The database is too busy to answer in time.", "База данных не успевает ответить.")
    hint = Says("Try again in a moment.", "Повторите чуть позже.")


class DiskFull(Exhausted):
    """There is no room left for the database or for files."""

    code = "storage.disk_full"
    says = Says("The disk is full; nothing was changed.", "Диск заполнен; ничего не изменено.")
    hint = Says(
        "Free some space; a restart is not needed.", "Освободите место; перезапуск не нужен."
    )


class Contended(Conflict):
    """Two changes stood in each other's way, and this one gave way."""

    code = "storage.contended"
    says = Says("Another change was in the way.", "Помешало другое изменение.")
    hint = Says("Try again.", "Повторите.")


class PostgresTooOld(Unavailable):
    """The external server is older than is supported."""

    code = "storage.postgres_too_old"
    says = Says(
        "PostgreSQL {found} is too old; {needed} or newer is needed.",
        "PostgreSQL {found} устарел; нужен {needed} или новее.",
    )


class VectorMissing(Unavailable):
    """The server has no pgvector, or an old one."""

    code = "storage.vector_missing"
    says = Says(
        "The extension pgvector {needed} or newer is needed; found: {found}.",
        "Нужно расширение pgvector {needed} или новее; найдено: {found}.",
    )
    hint = Says(
        "Install pgvector on the database server, then run "
        "`create extension vector` or `alter extension vector update` in this database.",
        "Установите pgvector на сервер базы и выполните в этой базе "
        "`create extension vector` или `alter extension vector update`.",
    )


class SchemaTooNew(Conflict):
    """A newer release has changed this database already."""

    code = "storage.schema_too_new"
    says = Says(
        "A newer release has used this database: it holds the migration {migration}.",
        "С этой базой уже работал более новый выпуск: в ней есть миграция {migration}.",
    )
    hint = Says(
        "Run that release again, or restore a backup made before it.",
        "Запустите тот выпуск снова или восстановите копию, сделанную до него.",
    )


class SchemaTooOld(Unavailable):
    """The database was not yet migrated to this release."""

    code = "storage.schema_too_old"
    says = Says(
        "This database still lacks the migration {migration}.",
        "В этой базе ещё нет миграции {migration}.",
    )
    hint = Says("Start `svod up` once; it migrates.", "Запустите `svod up`: он обновит базу.")


class MigrationChanged(Conflict):
    """A migration differs from what was applied under its name."""

    code = "storage.migration_changed"
    says = Says(
        "The migration {migration} is not the one that was applied to this database.",
        "Миграция {migration} не та, что была применена к этой базе.",
    )
    hint = Says(
        "Run the release that made the database, or start with an empty data folder.",
        "Запустите выпуск, создавший базу, или начните с пустой папки данных.",
    )


class ServerMissing(Unavailable):
    """The embedded server's programs are not installed here."""

    code = "storage.server_missing"
    says = Says(
        "The programs of the embedded PostgreSQL do not run on this machine.",
        "Программы встроенного PostgreSQL на этой машине не запускаются.",
    )
    hint = Says(
        "Set DATABASE_URL to a PostgreSQL with pgvector.",
        "Укажите в DATABASE_URL адрес PostgreSQL с pgvector.",
    )


class NoAccount(Unavailable):
    """The server has no account of the system to run under."""

    code = "storage.no_account"
    says = Says(
        "PostgreSQL needs an ordinary account of this system, and there is none for {account}.",
        "PostgreSQL нужна обычная учётная запись системы, а для {account} её нет.",
    )
    hint = Says(
        "Add a user `svod` (or a line for this number to the system's list of users), "
        "or set DATABASE_URL.",
        "Добавьте пользователя `svod` (или строку с этим номером в список пользователей системы) "
        "или укажите DATABASE_URL.",
    )


class ClusterOfOtherVersion(Conflict):
    """The data folder was written by another major version of PostgreSQL."""

    code = "storage.cluster_of_other_version"
    says = Says(
        "The data in {folder} is of PostgreSQL {found}; this release runs {runs}.",
        "Данные в {folder} записаны PostgreSQL {found}, а этот выпуск работает с {runs}.",
    )
    hint = Says(
        "Run the release that wrote it and restore its backup into a new data folder.",
        "Запустите выпуск, который их записал, и восстановите его копию в новую папку данных.",
    )


class DatabaseDoesNotStart(Unavailable):
    """The embedded server ended while it was starting."""

    code = "storage.database_does_not_start"
    says = Says(
        "The embedded database does not start: {reason}",
        "Встроенная база данных не запускается: {reason}",
    )
    hint = Says("Its log is {log}.", "Её журнал: {log}.")


class MasterKeyUnusable(Conflict):
    """The master key is malformed, or its file can be read by others."""

    code = "storage.master_key_unusable"
    says = Says("The master key in {where} {problem_en}.", "Главный ключ в {where} {problem_ru}.")


class MasterKeyMissing(Conflict):
    """The database holds sealed data, and the key that opened it is not here."""

    code = "storage.master_key_missing"
    says = Says(
        "This database was sealed with a master key that is not in {where}.",
        "База запечатана главным ключом, которого нет в {where}.",
    )
    hint = Says(
        "Put the file back from your copy, or set SVOD_MASTER_KEY; without it nothing opens.",
        "Верните файл из копии или укажите SVOD_MASTER_KEY; без него ничего не открыть.",
    )


class KeysMissing(NotFound):
    """There is no such workspace, or it has no keys."""

    code = "storage.keys_missing"
    says = Says("There is no such workspace.", "Такой рабочей области нет.")


class BlobMissing(Unavailable):
    """A stored file is not where it should be."""

    code = "storage.blob_missing"
    says = Says("A stored file is missing from the disk.", "Сохранённого файла нет на диске.")
    hint = Says("Restore the data folder from a backup.", "Восстановите папку данных из копии.")

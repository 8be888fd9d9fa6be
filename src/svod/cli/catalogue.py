"""Everything the command line says, both languages side by side."""

from collections.abc import Mapping

from svod.cli.item_words import ITEM_WORDS
from svod.cli.language import spoken
from svod.cli.people_words import PEOPLE
from svod.foundation.errors import Says

CATALOGUE: Mapping[str, Says] = {
    **ITEM_WORDS,
    **PEOPLE,
    # What commands and options are for.
    "help": Says(
        "Svod keeps what you know, finds it, and answers, always naming its sources.",
        "Свод хранит знания, находит нужное и отвечает, всегда называя источники.",
    ),
    "help.up": Says("Start the server here.", "Запустить сервер на этой машине."),
    "help.up.detach": Says("Return once it is ready.", "Вернуться, когда сервер готов."),
    "help.up.port": Says("Port to listen on.", "Порт, на котором слушать."),
    "help.up.api_only": Says(
        "Answer requests only; run `svod worker` for the work.",
        "Только отвечать на запросы; работу делает `svod worker`.",
    ),
    "help.worker": Says(
        "Do the work of a server here, in a process of its own.",
        "Делать работу сервера здесь, в отдельном процессе.",
    ),
    "help.backup": Says(
        "Write a backup of the server of this machine, which may be running.",
        "Записать копию сервера этой машины; он может работать.",
    ),
    "help.backup.file": Says("File to write.", "Куда записать."),
    "help.backup.with_key": Says(
        "Put the master key into it too; then the file alone opens everything.",
        "Положить в неё и главный ключ; тогда этот файл открывает всё.",
    ),
    "help.restore": Says(
        "Restore a backup into an empty data folder.",
        "Восстановить копию в пустую папку данных.",
    ),
    "help.restore.file": Says("The backup.", "Файл копии."),
    "help.keys.rotate": Says(
        "Give texts and files new keys; what is there is sealed anew in the background.",
        "Сменить ключи текстов и файлов; имеющееся перешифруется в фоне.",
    ),
    "help.keys.rotate.status": Says("Only say how far it is.", "Только сказать, как идёт смена."),
    "help.keys.rewrap": Says(
        "Change the master key of this server.", "Сменить главный ключ этого сервера."
    ),
    "help.keys.rewrap.file": Says(
        "File of the new master key; made if it does not exist.",
        "Файл нового главного ключа; если его нет, он будет создан.",
    ),
    "help.doctor": Says(
        "Check the server of this machine and say what to do.",
        "Проверить сервер на этой машине и сказать, что делать.",
    ),
    "help.add": Says(
        "Add files, folders, web pages or a note.",
        "Добавить файлы, папки, веб-страницы или заметку.",
    ),
    "help.add.paths": Says(
        "Files, folders and addresses of pages.", "Файлы, папки и адреса страниц."
    ),
    "help.add.refresh_days": Says(
        "For pages: fetch them again every 1, 7 or 30 days.",
        "Для страниц: загружать их заново каждые 1, 7 или 30 дней.",
    ),
    "help.add.text": Says(
        "Add this text as a note; - reads it from the input.",
        "Добавить этот текст заметкой; - читает его из ввода.",
    ),
    "help.add.title": Says(
        "Title, for a note, one file or one page.",
        "Название, для заметки, одного файла или одной страницы.",
    ),
    "help.add.external_id": Says(
        "Your own id, for a note, one file or one page: the same again updates it.",
        "Свой идентификатор, для заметки, одного файла или страницы: тот же обновит материал.",
    ),
    "help.add.copy": Says(
        "Keep a second item where the same file would be recognised.",
        "Завести второй материал там, где такой же файл был бы узнан.",
    ),
    "help.add.wait": Says(
        "Wait until everything is found by its words.",
        "Дождаться, пока всё будет находиться по словам.",
    ),
    "help.add.until": Says(
        "With --wait: words, or meaning too.",
        "Вместе с --wait: ждать слов (words) или и смысла (meaning).",
    ),
    "help.level": Says(
        "Level, one of those `svod whoami` shows.", "Уровень, из тех, что показывает `svod whoami`."
    ),
    "help.namespace": Says("Namespace on that level.", "Раздел на этом уровне."),
    "help.json": Says("Print JSON.", "Вывести JSON."),
    "help.search": Says("Search.", "Искать."),
    "help.search.query": Says("What to search for.", "Что искать."),
    "help.search.limit": Says("At most so many hits.", "Не больше стольких находок."),
    "help.search.mode": Says(
        "What ranks: both, words or meaning.",
        "Что учитывать: both (всё), words (слова) или meaning (смысл).",
    ),
    "help.search.kinds": Says(
        "Only this kind: note, file, link.", "Только этот вид: note, file, link."
    ),
    "help.search.read_for": Says(
        "What is read for this level: it and the broader ones above it.",
        "То, что читается для этого уровня: он сам и более широкие над ним.",
    ),
    "help.search.min_score": Says("Least score, 0 to 1.", "Наименьшая оценка, от 0 до 1."),
    "help.ask": Says("Ask, and get a cited answer.", "Задать вопрос и получить ответ со ссылками."),
    "help.ask.question": Says("The question.", "Вопрос."),
    "help.ask.language": Says(
        "Language of the answer: ru or en; else that of the question.",
        "Язык ответа: ru или en; иначе язык вопроса.",
    ),
    "help.items": Says(
        "List, show, delete, read again.", "Список, показ, удаление, перечитывание."
    ),
    "help.items.list": Says("List items, newest first.", "Список материалов, новые первыми."),
    "help.items.show": Says("Show an item.", "Показать материал."),
    "help.items.delete": Says("Delete items for good.", "Удалить материалы насовсем."),
    "help.items.refresh": Says("Read items again.", "Прочитать материалы заново."),
    "help.items.id": Says("Id of an item.", "Идентификатор материала."),
    "help.items.text": Says("Print its text.", "Вывести его текст."),
    "help.items.version": Says("Of this version.", "Этой версии."),
    "help.items.status": Says(
        "Only these: queued, processing, ready, failed.",
        "Только такие: queued, processing, ready, failed.",
    ),
    "help.items.kind": Says(
        "Only this kind: note, file, link.", "Только этот вид: note, file, link."
    ),
    "help.items.limit": Says("At most so many.", "Не больше стольких."),
    "help.items.yes": Says("Do not ask.", "Не спрашивать."),
    "help.keys": Says("API keys: list, make, revoke.", "Ключи API: список, создание, отзыв."),
    "help.keys.list": Says("List the keys.", "Список ключей."),
    "help.keys.make": Says(
        "Make a key; it is shown once.", "Создать ключ; он показывается один раз."
    ),
    "help.keys.name": Says("What it is for.", "Для чего он."),
    "help.keys.permission": Says(
        "What it may do: knowledge:read, knowledge:write or admin; can be given several times.",
        "Что ему можно: knowledge:read, knowledge:write или admin; можно указать несколько раз.",
    ),
    "help.keys.days": Says("Valid for so many days.", "Действует столько дней."),
    "help.keys.revoke": Says("Revoke a key.", "Отозвать ключ."),
    "help.keys.id": Says("Id of the key, from `svod keys`.", "Идентификатор из `svod keys`."),
    "help.whoami": Says("Who you are and what you may do.", "Кто вы и что вам можно."),
    "help.test": Says("Run the tests (in a checkout).", "Запустить тесты (в рабочей копии)."),
    "help.dev": Says("For developers (in a checkout).", "Для разработчиков (в рабочей копии)."),
    "help.dev.check": Says(
        "Style, types, floors, fast tests.", "Стиль, типы, этажи, быстрые тесты."
    ),
    "help.dev.bench": Says("Run bench/NAME.py.", "Запустить bench/ИМЯ.py."),
    "help.dev.bench.name": Says("Which one.", "Какой."),
    "help.dev.docs": Says("Write the generated reference.", "Записать справочник из кода."),
    # What stands for arguments in help.
    "meta.path": Says("PATH", "ПУТЬ"),
    "meta.query": Says("QUERY", "ЗАПРОС"),
    "meta.question": Says("QUESTION", "ВОПРОС"),
    "meta.level": Says("LEVEL", "УРОВЕНЬ"),
    "meta.file": Says("FILE", "ФАЙЛ"),
    "meta.id": Says("ID", "ИД"),
    "meta.name": Says("NAME", "ИМЯ"),
    # Adding.
    "add.nothing_named": Says(
        "Name files, folders or addresses of pages, or give --text.",
        "Укажите файлы, папки или адреса страниц либо --text.",
    ),
    "add.text_and_paths": Says(
        "Give either --text or paths, not both.", "Укажите либо --text, либо пути, но не оба."
    ),
    "add.one_only": Says(
        "--title and --external-id are for a note, a single file or a single page.",
        "--title и --external-id относятся к заметке, одному файлу или одной странице.",
    ),
    "add.no_such_path": Says("There is no {path} here.", "Здесь нет {path}."),
    "add.same_id": Says(
        "Two files would get the same external id {external_id}:\n  {first}\n  {second}\n"
        "Add a folder that holds both, so that their paths differ.",
        "Два файла получили бы один идентификатор {external_id}:\n  {first}\n  {second}\n"
        "Добавьте папку, в которой лежат оба: тогда пути будут разными.",
    ),
    "add.no_files": Says("There are no files to add.", "Добавлять нечего: файлов нет."),
    "add.sending": Says("Sending", "Отправка"),
    "add.waiting": Says("Reading", "Чтение"),
    "add.done": Says(
        "Added {created}, updated {updated}, unchanged {unchanged}, failed {failed}.",
        "Добавлено: {created}, обновлено: {updated}, без изменений: {unchanged}, "
        "не удалось: {failed}.",
    ),
    "add.skipped": Says("Skipped: {what}.", "Пропущено: {what}."),
    "add.skipped.hidden": Says("hidden {count}", "скрытых {count}"),
    "add.skipped.links": Says("symbolic links {count}", "символических ссылок {count}"),
    "add.skipped.special": Says("not files {count}", "не файлов {count}"),
    "add.in_background": Says(
        "They are being read; `svod items` shows how far.",
        "Они читаются; ход покажет `svod items`.",
    ),
    "add.failed": Says("Failed:", "Не удалось:"),
    "add.warned": Says("To know:", "Обратите внимание:"),
    "add.unreadable": Says(
        "The file cannot be opened: {reason}.", "Файл не открывается: {reason}."
    ),
    "add.unreadable.hint": Says(
        "Check its permissions, and add it again.", "Проверьте права и добавьте снова."
    ),
    "add.bad_name": Says(
        "The name of the file is not valid UTF-8.", "Имя файла записано не в UTF-8."
    ),
    "add.bad_name.hint": Says("Rename it, and add it again.", "Переименуйте и добавьте снова."),
    "add.outcome.created": Says("Added", "Добавлено"),
    "add.outcome.updated": Says("Updated", "Обновлено"),
    "add.outcome.unchanged": Says("Unchanged", "Без изменений"),
    # Searching and asking.
    "find.nothing": Says("Nothing was found.", "Ничего не нашлось."),
    "find.part_meaning": Says(
        "{ready} % is found by its meaning so far, the rest by its words.",
        "По смыслу пока находится {ready} %, остальное по словам.",
    ),
    "find.meaning_late": Says(
        "The meaning of the question was not ready in time: words alone were searched.",
        "Смысл вопроса не успел посчитаться: искали только по словам.",
    ),
    "find.meaning_unavailable": Says(
        "The meaning model does not answer: words alone were searched.",
        "Модель смысла не отвечает: искали только по словам.",
    ),
    "find.meaning_other_model": Says(
        "The texts were indexed with another model: words alone were searched.",
        "Тексты проиндексированы другой моделью: искали только по словам.",
    ),
    "find.other_layout": Says(
        "The query was read as if typed in the other keyboard layout.",
        "Запрос прочитан так, как если бы раскладка была другой.",
    ),
    "find.corrected": Says("“{typed}” was read as “{used}”.", "«{typed}» прочитано как «{used}»."),
    "find.overrides": Says("in the place of {what}", "вместо {what}"),
    "find.newer_version_waits": Says("a newer version is being read", "новая версия ещё читается"),
    "find.newer_version_failed": Says(
        "a newer version could not be read", "новую версию прочитать не удалось"
    ),
    "find.refresh_failed": Says("it could not be read again", "перечитать не удалось"),
    "find.refresh_overdue": Says("it has not been read again in time", "вовремя не перечитано"),
    "find.phrase_not_found": Says(
        "Nothing holds the quoted phrase: the words around it were searched.",
        "Фразы в кавычках нигде нет: искали слова вокруг неё.",
    ),
    "find.phrase_cut": Says(
        "Not everything that could hold the quoted phrase was looked through.",
        "Просмотрено не всё, где могла быть фраза в кавычках.",
    ),
    "find.model_unavailable": Says(
        "The language model does not answer: these are quotes.",
        "Языковая модель не отвечает: это цитаты.",
    ),
    "find.model_timed_out": Says(
        "The language model did not finish in time.", "Языковая модель не успела договорить."
    ),
    "find.model_broke_off": Says(
        "The language model broke off.", "Языковая модель оборвалась на полуслове."
    ),
    "find.model_unsupported": Says(
        "The sources do not support what the language model said: these are quotes.",
        "Источники не подтверждают того, что сказала языковая модель: это цитаты.",
    ),
    "find.model_wrong_language": Says(
        "The language model answered in another language: these are quotes.",
        "Языковая модель ответила на другом языке: это цитаты.",
    ),
    "find.page": Says("p. {page}", "с. {page}"),
    "find.sheet": Says("sheet {sheet}", "лист {sheet}"),
    "ask.sources": Says("Sources", "Источники"),
    "ask.nearest": Says("The nearest thing found", "Ближайшее из найденного"),
    "quote": Says("“{text}”", "«{text}»"),
    # Items, keys, the caller.
    "items.none": Says("There are no items.", "Материалов нет."),
    "items.more": Says("There are more; ask with --limit.", "Есть ещё; задайте --limit."),
    "items.delete_sure": Says("Delete «{title}» for good?", "Удалить «{title}» насовсем?"),
    "items.kept": Says("Nothing was deleted.", "Ничего не удалено."),
    "items.need_yes": Says(
        "Deleting asks first; add --yes where nobody can answer.",
        "Перед удалением нужен ответ; там, где отвечать некому, добавьте --yes.",
    ),
    "col.id": Says("Id", "Идентификатор"),
    "col.title": Says("Title", "Название"),
    "col.kind": Says("Kind", "Вид"),
    "col.status": Says("Status", "Состояние"),
    "col.meaning": Says("Meaning", "Смысл"),
    "col.changed": Says("Changed", "Изменено"),
    "col.name": Says("Name", "Имя"),
    "col.permissions": Says("May", "Права"),
    "col.expires": Says("Until", "Действует до"),
    "col.used": Says("Last used", "Последний раз"),
    "col.level": Says("Level", "Уровень"),
    "col.items": Says("Items", "Материалов"),
    "col.may": Says("You may", "Вам можно"),
    "field.external_id": Says("External id", "Внешний идентификатор"),
    "field.level": Says("Level", "Уровень"),
    "field.namespace": Says("Namespace", "Раздел"),
    "field.version": Says("Version", "Версия"),
    "field.size": Says("Size", "Размер"),
    "field.url": Says("Page", "Страница"),
    "field.fetched": Says("Fetched", "Загружено"),
    "field.next_refresh": Says("Fetched again", "Снова загрузится"),
    "items.stale": Says(
        "The page could not be had lately: an older text of it is found.",
        "В последний раз страницу загрузить не удалось: находится её прежний текст.",
    ),
    "field.created": Says("Added", "Добавлено"),
    "field.stage": Says("Stage", "Этап"),
    "size": Says("{bytes} bytes, {characters} characters", "{bytes} байт, {characters} знаков"),
    "size.bytes": Says("{bytes} bytes", "{bytes} байт"),
    "serving": Says("{version} (found: {serving})", "{version} (находится: {serving})"),
    "status.queued": Says("waiting", "ждёт"),
    "status.processing": Says("being read", "читается"),
    "status.ready": Says("ready", "готово"),
    "status.failed": Says("failed", "не прочитано"),
    "kind.note": Says("note", "заметка"),
    "kind.file": Says("file", "файл"),
    "kind.link": Says("page", "страница"),
    "keys.made": Says(
        "Keep it now: it is not shown again.", "Сохраните его сейчас: больше он не появится."
    ),
    "keys.revoked": Says("Revoked.", "Отозван."),
    "keys.rotating": Says(
        "New keys: {started}. They seal within three minutes; what is there follows in the background.",
        "Новых ключей: {started}. Они начнут действовать за три минуты; имеющееся перешифруется в фоне.",
    ),
    "keys.rotation": Says(
        "Under way in {under_way} of {workspaces} workspaces; old keys are removed an hour after the "
        "new ones were made.",
        "Идёт в {under_way} из {workspaces} рабочих областей; прежние ключи удаляются через час после "
        "создания новых.",
    ),
    "keys.rotated": Says(
        "No rotation is under way: every workspace has one key.",
        "Смена ключей не идёт: у каждой рабочей области один ключ.",
    ),
    "keys.is_revoked": Says("revoked", "отозван"),
    "keys.never": Says("never", "никогда"),
    "keys.always": Says("no end", "бессрочно"),
    "who.workspace": Says("Workspace", "Рабочая область"),
    "who.you": Says("You", "Вы"),
    "who.may": Says("You may", "Вам можно"),
    "who.nothing": Says("nothing", "ничего"),
    "who.operator": Says("You are the operator of this server.", "Вы оператор этого сервера."),
    "may.change": Says("read and change", "читать и менять"),
    "may.read": Says("read", "читать"),
    # Developing.
    "dev.no_checkout": Says(
        "This works only in a checkout of Svod's repository.",
        "Это работает только в рабочей копии репозитория Свода.",
    ),
    "dev.no_bench": Says(
        "There is no bench/{name}.py; there are: {there}.", "Нет bench/{name}.py; есть: {there}."
    ),
    "dev.failed": Says("Failed: {steps}", "Не прошло: {steps}"),
    "dev.passed": Says("All passed.", "Всё прошло."),
    # Failing.
    "fail.stopped": Says("Stopped. What was sent stays.", "Остановлено. Отправленное сохранено."),
    "fail.request": Says("request {request_id}", "запрос {request_id}"),
    "fail.try_help": Says("`{command} --help` tells more.", "Подробнее: `{command} --help`."),
    "fail.ours": Says(
        "Something went wrong inside svod: {kind}. This is a fault of ours.",
        "Внутри svod что-то сломалось: {kind}. Это наша ошибка.",
    ),
}


def t(name: str, /, **facts: object) -> str:
    """A saying in the language of the terminal."""
    return CATALOGUE[name].text(spoken(), **facts)

"""What `up` and `doctor` say, in both languages."""

from svod.foundation.errors import Says

STARTING = Says("Svod {version} · data in {data}", "Svod {version} · данные в {data}")
DATABASE = Says("Starting the database…", "Запускаю базу данных…")
READY = Says("Ready: {url}", "Готово: {url}")
SETUP = Says(
    "First sign-in (works once, for 24 hours): {link}",
    "Первый вход (один раз, в течение 24 часов): {link}",
)
MODEL_LOADING = Says(
    "Words are searched already; the meaning model is loading…",
    "Поиск по словам уже работает; загружается модель смысла…",
)
MODEL_READY = Says("Meaning is searched too.", "Теперь поиск идёт и по смыслу.")
MODEL_MISSING = Says(
    "The meaning model cannot be loaded, so words alone are searched: {why}",
    "Модель смысла не загрузилась, поэтому поиск идёт только по словам: {why}",
)
STOP_WITH = Says("Ctrl-C stops it.", "Остановить: Ctrl-C.")
STOPPING = Says("Stopping…", "Останавливаюсь…")
STOPPED = Says("Stopped.", "Остановлен.")
DETACHED = Says(
    "It runs in the background (pid {pid}); its log: {log}",
    "Работает в фоне (pid {pid}); журнал: {log}",
)
DID_NOT_START = Says(
    "It did not start; the end of its log {log}:", "Запустить не удалось; конец журнала {log}:"
)
BACKED_UP = Says(
    "Backed up to {file}: {size} MB, {files} stored files among them.",
    "Копия записана в {file}: {size} МБ, в том числе сохранённых файлов: {files}.",
)
KEY_APART = Says(
    "THE MASTER KEY IS NOT IN IT. Without the key nobody can read the backup: keep a copy of {where} "
    "in another safe place.",
    "ГЛАВНОГО КЛЮЧА В НЕЙ НЕТ. Без него копию не прочтёт никто: храните копию {where} "
    "в другом надёжном месте.",
)
KEY_INSIDE = Says(
    "THE MASTER KEY IS IN IT: whoever gets this file can read everything. Guard it like the key.",
    "В НЕЙ ЕСТЬ ГЛАВНЫЙ КЛЮЧ: получивший этот файл прочтёт всё. Берегите его как сам ключ.",
)
FILES_MISSING = Says(
    "{missing} stored files are missing from the disk, so they are not in the backup.",
    "На диске не нашлось сохранённых файлов: {missing}; в копии их нет.",
)
VERIFYING = Says("Checking {file}…", "Проверяю {file}…")
RESTORED = Says(
    "Restored as of {made_at}; stored files: {files}. Start it: svod up",
    "Восстановлено по состоянию на {made_at}; сохранённых файлов: {files}. Запуск: svod up",
)
KEY_NEEDED = Says(
    "The master key was not in the backup: put it into {where} (mode 0600) or SVOD_MASTER_KEY "
    "before the start.",
    "Главного ключа в копии не было: до запуска положите его в {where} (права 0600) "
    "или в SVOD_MASTER_KEY.",
)
WORKER_READY = Says("The worker is ready.", "Обработчик готов.")
API_ONLY = Says(
    "Only requests are served here; what is added waits for a worker: svod worker",
    "Здесь обслуживаются только запросы; добавленное ждёт обработчика: svod worker",
)
REWRAPPED = Says(
    "Data keys wrapped with the new master key: {count}.",
    "Ключи данных обёрнуты новым главным ключом: {count}.",
)
KEY_REPLACED = Says(
    "{where} holds the new master key. Copy it to your safe place; backups made before need the old one.",
    "Новый главный ключ лежит в {where}. Положите его копию в надёжное место; "
    "копиям, сделанным раньше, нужен прежний.",
)
KEY_TO_SET = Says(
    "Now set SVOD_MASTER_KEY to the content of {file} and restart every process of the server: "
    "they stop answering within a minute. Backups made before need the old key.",
    "Теперь запишите содержимое {file} в SVOD_MASTER_KEY и перезапустите все процессы сервера: "
    "через минуту они перестанут отвечать. Копиям, сделанным раньше, нужен прежний ключ.",
)

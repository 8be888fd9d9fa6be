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

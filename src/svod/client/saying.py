"""What the client itself has to say, in both languages; all else is the server's words."""

from collections.abc import Mapping

SAYINGS: Mapping[str, Mapping[str, str]] = {
    "client.unreachable": {
        "en": "Svod does not answer at {url}.",
        "ru": "Свод не отвечает по адресу {url}.",
    },
    "client.unreachable.hint": {
        "en": "Start it with ./svod up, or set SVOD_URL to where it runs.",
        "ru": "Запустите его командой ./svod up или укажите в SVOD_URL, где он работает.",
    },
    "client.broken_off": {
        "en": "The connection to {url} broke off, and it is not known whether the call was done.",
        "ru": "Связь с {url} оборвалась, и неизвестно, выполнен ли запрос.",
    },
    "client.timed_out": {
        "en": "Svod at {url} did not answer within {seconds} s.",
        "ru": "Свод по адресу {url} не ответил за {seconds} с.",
    },
    "client.not_svod": {
        "en": "What answers at {url} is not Svod (HTTP {status}).",
        "ru": "По адресу {url} отвечает не Свод (HTTP {status}).",
    },
    "client.not_svod.hint": {
        "en": "Check SVOD_URL and SVOD_PORT.",
        "ru": "Проверьте SVOD_URL и SVOD_PORT.",
    },
    "client.bad_url": {
        "en": "This is not an address of a server: {url}.",
        "ru": "Это не адрес сервера: {url}.",
    },
    "client.bad_key": {
        "en": "The key holds characters that no API key has.",
        "ru": "В ключе есть знаки, которых в ключах API не бывает.",
    },
    "client.bad_key.hint": {
        "en": "Check SVOD_API_KEY: a key looks like svod_… and is one line.",
        "ru": "Проверьте SVOD_API_KEY: ключ имеет вид svod_… и занимает одну строку.",
    },
    "client.waited_too_long": {
        "en": "The item is not ready after {seconds} s; it goes on in the background.",
        "ru": "За {seconds} с материал не готов; обработка продолжается.",
    },
}


def say(code: str, language: str, **facts: object) -> str:
    """A saying in one language, English unless Russian is asked for."""
    said = SAYINGS[code]
    return said["ru" if language.startswith("ru") else "en"].format_map(facts)


def hint(code: str, language: str) -> str | None:
    """The hint that belongs to a saying."""
    return say(f"{code}.hint", language) if f"{code}.hint" in SAYINGS else None

"""Why a page could not be fetched: one class a reason, with a code that stands on an item.

A failure is stored as its code and facts, and made again from them: `fetch_failure(code, facts)`.
None of them says what lies in the network around the server: an address that is not public, a name
that is known only inside and a name that nobody knows are one and the same failure.
"""

from collections.abc import Mapping
from typing import ClassVar

from svod.foundation.errors import Invalid, Says


class FetchFailed(Invalid):
    """A page could not be fetched; each subclass says why, and `code` names it for good."""

    usual: ClassVar[Mapping[str, str | int]] = {}
    """Facts that the sentence needs, for when whoever stored it knew fewer."""

    def __init__(self, **facts: object) -> None:
        super().__init__(**{**self.usual, **facts})

    @property
    def temporary(self) -> bool:
        """Whether trying again soon may help."""
        return False

    @property
    def wait_s(self) -> float | None:
        """How long the other side asks us to wait, if it does."""
        return None


class TemporaryFailure(FetchFailed):
    """One that may be over soon."""

    @property
    def temporary(self) -> bool:
        """Whether trying again soon may help."""
        return True


class BadUrl(FetchFailed):
    """The text is not the address of a page."""

    code = "bad_url"
    says = Says("This is not the address of a web page.", "Это не адрес веб-страницы.")
    hint = Says(
        "An address looks like https://example.com/page; copy it from the browser.",
        "Адрес выглядит как https://example.com/page; скопируйте его из браузера.",
    )


class BadScheme(FetchFailed):
    """The address begins with something other than http or https."""

    code = "bad_scheme"
    says = Says(
        "Only addresses that begin with http:// or https:// are read.",
        "Читаются только адреса, которые начинаются с http:// или https://.",
    )
    hint = Says("Add a file instead.", "Если это файл, добавьте его самого.")


class UrlCredentials(FetchFailed):
    """A user name or password stands in the address."""

    code = "url_credentials"
    says = Says("The address holds a user name or a password.", "В адресе записано имя или пароль.")
    hint = Says(
        "Only pages that open without signing in are read; leave that part out.",
        "Читаются только страницы, открытые без входа; уберите эту часть адреса.",
    )


class BadPort(FetchFailed):
    """Web pages are not served at this port."""

    code = "bad_port"
    says = Says(
        "Pages are read at the ports 80, 443 and above 1023 only.",
        "Страницы читаются только с портов 80, 443 и выше 1023.",
    )
    hint = Says(
        "If the page opens at no other port, add it as a file.",
        "Если на другом порту страница не открывается, добавьте её файлом.",
    )


class AddressRefused(FetchFailed):
    """The address is not public, or its name is unknown; which of the two is not told."""

    code = "address_refused"
    says = Says(
        "There is no public site at this address.", "По этому адресу нет общедоступного сайта."
    )
    hint = Says(
        "Check the spelling. Only sites on the open internet are read; an administrator can allow "
        "others with SVOD_FETCH_ALLOW.",
        "Проверьте, нет ли опечатки. Читаются только сайты в открытом интернете; другие может "
        "разрешить администратор настройкой SVOD_FETCH_ALLOW.",
    )


class NameUnresolved(TemporaryFailure):
    """The name service did not answer; that says nothing about the name."""

    code = "dns"
    says = Says("The name service did not answer.", "Служба имён не ответила.")
    hint = Says(
        "It is tried again later; check that the server is on line.",
        "Попытка повторится; проверьте, есть ли у сервера связь.",
    )


class Unreachable(TemporaryFailure):
    """No connection to the site."""

    code = "unreachable"
    says = Says("The site does not accept connections.", "Сайт не принимает соединений.")
    hint = Says(
        "Check that the page opens in a browser; then refresh the item.",
        "Проверьте, открывается ли страница в браузере, и обновите материал.",
    )


class TlsFailed(FetchFailed):
    """The site's certificate does not hold, or it speaks no TLS that we do."""

    code = "tls"
    says = Says(
        "A secure connection to the site failed: its certificate is not valid.",
        "Защищённое соединение с сайтом не установлено: сертификат недействителен.",
    )
    hint = Says(
        "Tell the owner of the site, or add the page as a file.",
        "Сообщите владельцу сайта или добавьте страницу файлом.",
    )


class FetchTimedOut(TemporaryFailure):
    """The page did not come in time."""

    code = "fetch_timeout"
    usual: ClassVar[Mapping[str, str | int]] = {"timeout_s": 20}
    says = Says(
        "The page did not come within {timeout_s} s.", "Страница не пришла за {timeout_s} с."
    )
    hint = Unreachable.hint


class BadResponse(TemporaryFailure):
    """What came is not a whole HTTP response."""

    code = "bad_response"
    says = Says("The site's response is broken or incomplete.", "Ответ сайта испорчен или неполон.")
    hint = Unreachable.hint


class HttpStatus(FetchFailed):
    """The site answered with a failure."""

    code = "http_status"
    usual: ClassVar[Mapping[str, str | int]] = {"status": "?"}
    says = Says(
        "The site answers with the status {status} instead of the page.",
        "Вместо страницы сайт отвечает кодом {status}.",
    )
    hint = Says(
        "Check that the page opens in a browser without signing in; then refresh the item.",
        "Проверьте, открывается ли страница в браузере без входа, и обновите материал.",
    )

    @property
    def temporary(self) -> bool:
        """Whether trying again soon may help."""
        status = self.facts["status"]
        return isinstance(status, int) and (status >= _SERVER_ERROR or status in _PASSING)

    @property
    def wait_s(self) -> float | None:
        """How long the site asks us to wait, if it does."""
        wait_s = self.facts.get("wait_s")
        return float(wait_s) if isinstance(wait_s, int | float) else None

    @property
    def is_gone(self) -> bool:
        """Whether the page is no more."""
        return self.facts["status"] in {404, 410}


_SERVER_ERROR = 500
_PASSING = frozenset({408, 425, 429})


class TooManyRedirects(FetchFailed):
    """One address led to another, and so on."""

    code = "too_many_redirects"
    usual: ClassVar[Mapping[str, str | int]] = {"limit": 5}
    says = Says(
        "The address leads on more than {limit} times.",
        "Адрес перенаправляет больше {limit} раз.",
    )
    hint = Says(
        "Add the address at which the page opens in the end.",
        "Добавьте адрес, на котором страница открывается в итоге.",
    )


class Downgraded(FetchFailed):
    """A secure address led to an insecure one."""

    code = "downgraded"
    says = Says(
        "The address leads from https:// to http://, where the page could be altered on its way.",
        "Адрес ведёт с https:// на http://, где страницу могут подменить по дороге.",
    )
    hint = Says(
        "If you trust it all the same, add the http:// address itself.",
        "Если вы ему всё же доверяете, добавьте сам адрес http://.",
    )


class PageTooLarge(FetchFailed):
    """The page holds more bytes than are read."""

    code = "too_large"
    usual: ClassVar[Mapping[str, str | int]] = {"limit_mb": 5}
    says = Says("The page is larger than {limit_mb} MB.", "Страница больше {limit_mb} МБ.")
    hint = Says("Save it and add it as a file.", "Сохраните её и добавьте файлом.")


class NotText(FetchFailed):
    """A picture, a sound, a film or a font stands at the address."""

    code = "not_text"
    usual: ClassVar[Mapping[str, str | int]] = {"seen": "?"}
    says = Says(
        "There is no text at this address, but {seen}.",
        "По этому адресу не текст, а {seen}.",
    )
    hint = Says(
        "Add the address of a page or a document.", "Добавьте адрес страницы или документа."
    )


class AllowUnfit(Invalid):
    """The list of allowed hosts and networks cannot be read."""

    code = "fetching.allow_unfit"
    says = Says(
        "SVOD_FETCH_ALLOW holds {entry!r}, which is neither a host nor a network.",
        "В SVOD_FETCH_ALLOW записано {entry!r}: это не узел и не сеть.",
    )
    hint = Says(
        "Write hosts and networks with commas: intranet.example, 10.1.0.0/16.",
        "Перечислите узлы и сети через запятую: intranet.example, 10.1.0.0/16.",
    )


FAILURES: Mapping[str, type[FetchFailed]] = {
    failure.code: failure
    for failure in (
        BadUrl,
        BadScheme,
        UrlCredentials,
        BadPort,
        AddressRefused,
        NameUnresolved,
        Unreachable,
        TlsFailed,
        FetchTimedOut,
        BadResponse,
        HttpStatus,
        TooManyRedirects,
        Downgraded,
        PageTooLarge,
        NotText,
    )
}
"""Every reason, by its code."""


def fetch_failure(code: str, facts: Mapping[str, object]) -> FetchFailed:
    """The failure that was stored as a code and facts; an unknown code is a broken response."""
    return FAILURES.get(code, BadResponse)(**facts)

"""The page behind the set-up link: one explanation, one button, the key once."""

import hashlib
from base64 import b64encode
from html import escape

from fastapi.responses import HTMLResponse

from svod.foundation.errors import Language, Says, SvodError

_STYLE = """
:root{--bg:#f2f4f3;--surface:#fff;--line:#dde3e0;--ink:#15201d;--ink2:#44504b;--accent:#0a665c;
--soft:#e0f0ed;--primary:#17211e;--on-primary:#fff;--sunken:#e9edeb;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--bg:#0e1312;--surface:#151b19;--line:#28312e;--ink:#e6ece9;
--ink2:#b3beb9;--accent:#5ecbbb;--soft:#14322d;--primary:#e6ece9;--on-primary:#121816;
--sunken:#242d2a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);
font:16px/26px 'Golos Text',system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
main{max-width:600px;margin:12vh auto 40px;padding:36px;background:var(--surface);
border:1px solid var(--line);border-radius:10px}
.brand{font-weight:600;color:var(--accent);margin:0 0 20px}
h1{font-size:24px;line-height:30px;margin:0 0 12px}
p{color:var(--ink2);margin:0 0 16px}
button{font:inherit;font-weight:600;color:var(--on-primary);background:var(--primary);border:0;
border-radius:6px;padding:11px 20px;cursor:pointer}
button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
code{font:14px/22px 'JetBrains Mono',ui-monospace,Menlo,monospace;background:var(--sunken);
border-radius:4px;padding:2px 5px}
pre{background:var(--sunken);border-radius:6px;padding:14px;margin:0 0 16px;white-space:pre-wrap;
overflow-wrap:anywhere}
pre code{background:none;padding:0;user-select:all}
@media(max-width:719px){main{margin:0;min-height:100dvh;border:0;border-radius:0;padding:24px 16px}}
"""
_STYLE_HASH = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}

_NAME = Says("Svod", "Свод")
_TITLE = Says("First sign-in", "Первый вход")
_EXPLAIN = Says(
    "This link was printed by <code>svod up</code>. It works once and gives you the owner's key: "
    "the key with which everything here can be read, changed and given to others.",
    "Эту ссылку вывела команда <code>svod up</code>. Она действует один раз и выдаёт ключ "
    "владельца: с ним здесь можно всё читать, менять и открывать другим.",
)
_PLACE = Says(
    "The key is shown once, on the next page. Have a safe place for it ready.",
    "Ключ будет показан один раз, на следующей странице. Приготовьте для него надёжное место.",
)
_BUTTON = Says("Show my key", "Показать мой ключ")
_DONE = Says("Your owner's key", "Ваш ключ владельца")
_KEEP = Says(
    "Keep it now: it is not shown again. Whoever has it can do everything here.",
    "Сохраните его сейчас: больше он не появится. У кого этот ключ, тому здесь доступно всё.",
)
_USE = Says(
    "To use it in a terminal, on this machine or another:",
    "Чтобы пользоваться им в терминале, на этой машине или другой:",
)
_THEN = Says(
    "Then <code>svod whoami</code> says who you are, <code>svod add</code> adds a folder, and "
    "<code>svod ask</code> asks.",
    "Затем <code>svod whoami</code> скажет, кто вы, <code>svod add</code> добавит папку, а "
    "<code>svod ask</code> ответит на вопрос.",
)
_FAILED = Says("This link does not work", "Эта ссылка не действует")


def explain(token: str, language: Language) -> HTMLResponse:
    """What the link does, and the button that does it."""
    return _page(
        language,
        _TITLE.text(language),
        f"<p>{_EXPLAIN.text(language)}</p><p>{_PLACE.text(language)}</p>"
        f'<form method="post" action="/setup"><input type="hidden" name="token" '
        f'value="{escape(token)}"><button>{_BUTTON.text(language)}</button></form>',
    )


def show_key(secret: str, language: Language) -> HTMLResponse:
    """The key, this once."""
    return _page(
        language,
        _DONE.text(language),
        f"<p>{_KEEP.text(language)}</p><pre><code>{escape(secret)}</code></pre>"
        f"<p>{_USE.text(language)}</p>"
        f"<pre><code>export SVOD_API_KEY={escape(secret)}</code></pre>"
        f"<p>{_THEN.text(language)}</p>",
    )


def refuse(error: SvodError, status: int, language: Language) -> HTMLResponse:
    """Why the link does not work, and what to do."""
    said = " ".join(filter(None, (error.message(language), error.advice(language))))
    return _page(language, _FAILED.text(language), f"<p>{escape(said)}</p>", status)


def _page(language: Language, title: str, body: str, status: int = 200) -> HTMLResponse:
    name = _NAME.text(language)
    return HTMLResponse(
        f'<!doctype html><html lang="{language.value}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title} · {name}</title><style>{_STYLE}</style></head>"
        f'<body><main><p class="brand">{name}</p><h1>{title}</h1>{body}</main></body></html>',
        status,
        headers=_HEADERS,
    )

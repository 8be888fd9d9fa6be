"""What a model says without what may not leave: links of its own, images, HTML, hidden signs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from svod.conversation.answering.neutral import shown
from svod.conversation.answering.plain import plain

_IMAGE = re.compile(r"!\[[^\]]*\]\s?(?:\([^)]*\)?|\[[^\]]*\])")
_LINK = re.compile(r"\[([^\]]*)\]\s?\(\s*<?([^)\s>]*)>?[^)]*\)?")
_AUTOLINK = re.compile(r"<((?:[a-z][a-z0-9+.-]*:|www\.|[^<>\s@]+@)[^<>\s]+)>", re.IGNORECASE)
_TAG_NAMES = (
    "a abbr address area article aside audio b base blockquote body br button canvas caption center"
    " cite code col dd del details dialog div dl dt em embed fieldset figure font footer form frame"
    " frameset h[1-6] head header hr html i iframe img input ins kbd label legend li link main map"
    " mark marquee math meta nav noscript object ol option p param picture pre q s samp script"
    " section select small source span strike strong style sub summary sup svg table tbody td"
    " template textarea tfoot th thead title tr track u ul var video xml"
).replace(" ", "|")
_TAG = re.compile(
    rf"</?(?:{_TAG_NAMES})(?:[\s/][^<>]*)?(?:>|$)|<[a-z][\w:-]*\s[^<>]*=[^<>]*(?:>|$)|<[!?][^<>]*(?:>|$)",
    re.IGNORECASE,
)
"""Tags of HTML, and anything with attributes; `<name>` as a place to fill in stays."""
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'«»]+"
    r"|\b(?:javascript|data|vbscript|mailto|tel|file|blob):[^\s<>\"'«»]+"
    r"|\bwww\.[^\s<>\"'«»]+"
    r"|[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|(?<![\w.@-])(?:[\w-]+\.)+[a-z]{2,}[\w-]*(?:[:/?#][^\s<>\"'«»]*)?",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?…)]}*_-"
_LEFT_OVER = re.compile(
    rf"!\[|\]\(|\]\[|<(?=[/!?]|(?:{_TAG_NAMES})\b|[a-z][\w:-]*[\s/][^<]*=)", re.IGNORECASE
)
"""Where a link, an image or a tag would begin, however it goes on."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A sentence as it may be shown, and whether it names an address that no source does."""

    text: str
    invents_address: bool


def clean(said: str, known: Sequence[str]) -> Cleaned:
    """A sentence of a model made plain.

    Args:
        said: what the model wrote, without its markers.
        known: the texts in which an address must stand to be told.
    """
    sources = [text.casefold() for text in known]

    def told(match: re.Match[str]) -> str:
        label, address = match[1].strip(), match[2]
        return f"{label} ({address})" if label and _stands(address, sources) else label

    text = shown(said)
    text = _LINK.sub(told, _IMAGE.sub(" ", text))
    text = _AUTOLINK.sub(r"\1", text)
    # What stands as an entity becomes a tag when it is read, so tags go last, and until none is left.
    for _ in range(3):
        before, text = text, _TAG.sub(" ", plain(text))
        if text == before:
            break
    text = _LEFT_OVER.sub(" ", text)
    return Cleaned(" ".join(text.split()), _invents(text, sources))


def clean_code(code: str) -> str:
    """A block of code as it may be shown: it is told only where a source has it to the letter."""
    return shown(code).rstrip()


def _invents(text: str, sources: Sequence[str]) -> bool:
    return any(not _stands(match[0], sources) for match in _ADDRESS.finditer(text))


def _stands(address: str, sources: Sequence[str]) -> bool:
    """Whether a source has the whole address: a longer one could carry anything away."""
    wanted = address.rstrip(_TRAILING).casefold()
    if not wanted:
        return False
    whole = re.compile(rf"(?<![\w.@-]){re.escape(wanted)}(?![\w/?#=&%@-]|\.\w)")
    return any(whole.search(text) for text in sources)

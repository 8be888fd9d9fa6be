"""What a query typed in the wrong keyboard layout was meant to be."""

import re

_LATIN = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
_CYRILLIC = "ёйцукенгшщзхъфывапролджэячсмитьбю"
_LATIN_SHIFTED = "~QWERTYUIOP{}ASDFGHJKL:ZXCVBNM<>"
_CYRILLIC_SHIFTED = "ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЯЧСМИТЬБЮ"
_TO_CYRILLIC = str.maketrans(_LATIN + _LATIN_SHIFTED, _CYRILLIC + _CYRILLIC_SHIFTED)
_TO_LATIN = str.maketrans(_CYRILLIC + "Э" + _CYRILLIC_SHIFTED, _LATIN + '"' + _LATIN_SHIFTED)
_NOT_IN_WORDS = re.compile(r"[`~\[\]{};:<>]")


def other_layout(query: str) -> str | None:
    """The same keys in the other layout: `ghbdtn` gives `привет`, `пшерги` gives `github`.

    None where that cannot be meant: no letters, letters of both scripts, or signs within words.
    Quotation marks stay, since they more often ask for a phrase than stand for `Э`.
    """
    has_latin = re.search("[A-Za-z]", query) is not None
    has_cyrillic = re.search("[А-Яа-яЁё]", query) is not None
    if has_latin == has_cyrillic:
        return None
    if has_latin:
        return query.translate(_TO_CYRILLIC)
    latin = query.translate(_TO_LATIN)
    return None if _NOT_IN_WORDS.search(latin) else latin

"""Which language the command line speaks."""

import os
from collections.abc import Mapping

from svod.foundation.errors import Language

_NAMES = ("SVOD_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


def spoken(environment: Mapping[str, str] | None = None) -> Language:
    """Russian where the locale is Russian, else English; `SVOD_LANG` overrides the locale."""
    env = environment if environment is not None else os.environ  # noqa: TID251 - the locale is the terminal's, not a setting of the server
    locale = next((env[name] for name in _NAMES if env.get(name)), "")
    return Language.RU if locale.lower().startswith("ru") else Language.EN

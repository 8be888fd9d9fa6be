"""Whether the language model that the settings name can be asked."""

from typing import Any, cast

import httpx2

from svod.foundation.errors import Says, SvodError
from svod.foundation.providers.chat.endpoint import Endpoint
from svod.foundation.settings import Settings
from svod.serve.check import Check

_NAME = Says("Language model", "Языковая модель")
_TIMEOUT_S = 5.0


def language_model(settings: Settings) -> Check:
    """Ask the endpoint which models it has; it is asked to write nothing."""
    if not settings.model_url:
        return Check(_NAME, True, Says("none: answers quote", "нет: ответы из цитат"))
    key = settings.model_key.get_secret_value() if settings.model_key else None
    try:
        endpoint = Endpoint(settings.model_url, settings.model or "", key, timeout_s=_TIMEOUT_S)
    except SvodError as unfit:
        seen = Says(unfit.facts["why"], unfit.facts["why"])  # pyright: ignore[reportArgumentType]
        return Check(_NAME, False, seen, unfit.hint)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        reply = httpx2.get(
            f"{endpoint.url.rstrip('/')}/models",
            headers=headers,
            timeout=_TIMEOUT_S,
            trust_env=endpoint.trusts_proxies,
        )
    except httpx2.HTTPError:
        return _ill(f"{endpoint.host} does not answer", f"{endpoint.host} не отвечает")
    if not reply.is_success:
        status = reply.status_code
        return _ill(f"{endpoint.host} answers HTTP {status}", f"{endpoint.host}: HTTP {status}")
    there = _names(reply)
    if there and endpoint.model not in there:
        seen = f"{endpoint.host} has no {endpoint.model}"
        return _ill(seen, f"на {endpoint.host} нет {endpoint.model}")
    shown = f"{endpoint.model} ({endpoint.host})"
    return Check(_NAME, True, Says(shown, shown))


def _ill(en: str, ru: str) -> Check:
    advice = Says(
        "Check SVOD_MODEL_URL, SVOD_MODEL and SVOD_MODEL_KEY; until then answers quote.",
        "Проверьте SVOD_MODEL_URL, SVOD_MODEL и SVOD_MODEL_KEY; пока ответы из цитат.",
    )
    return Check(_NAME, False, Says(en, ru), advice)


def _names(reply: httpx2.Response) -> set[str]:
    """The models that an endpoint lists; none where it lists nothing that can be read."""
    try:
        listed = cast("dict[str, Any]", reply.json()).get("data", [])
        return {str(one["id"]) for one in listed}
    except (ValueError, TypeError, KeyError, AttributeError):
        return set()

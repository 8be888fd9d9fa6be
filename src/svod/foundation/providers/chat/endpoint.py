"""Where a language model is spoken to: an address that an admin set, and nowhere else."""

from dataclasses import dataclass, field

import httpx2

from svod.foundation.providers.chat.errors import ModelSettingsUnfit

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_CONNECT_S = 10.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible endpoint and how it is asked.

    `url` goes up to and with the version, as in `http://127.0.0.1:11434/v1`. Temperature and seed
    are sent where they are not None.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout_s: float = 90.0
    max_tokens: int = 800
    context_tokens: int = 8192
    temperature: float | None = 0.0
    seed: int | None = None

    def __post_init__(self) -> None:
        """Refuse what could never work.

        Raises:
            ModelSettingsUnfit: the address is none, or no model is named.
        """
        if not self.model.strip():
            raise ModelSettingsUnfit(why="SVOD_MODEL is empty")
        try:
            url = httpx2.URL(self.url)
        except (httpx2.InvalidURL, TypeError):
            raise ModelSettingsUnfit(why="SVOD_MODEL_URL is no address") from None
        if url.scheme not in {"http", "https"} or not url.host:
            raise ModelSettingsUnfit(why="SVOD_MODEL_URL must begin with http:// or https://")
        if url.userinfo:
            raise ModelSettingsUnfit(why="the key goes into SVOD_MODEL_KEY, not into the address")
        if self.max_tokens >= self.context_tokens:
            raise ModelSettingsUnfit(
                why="SVOD_MODEL_MAX_TOKENS must be less than SVOD_MODEL_CONTEXT_TOKENS"
            )

    @property
    def host(self) -> str:
        """The name of the machine."""
        return httpx2.URL(self.url).host

    @property
    def trusts_proxies(self) -> bool:
        """A proxy set for the internet has no business between this machine and itself."""
        return self.host not in _LOOPBACK

    def client(self) -> httpx2.AsyncClient:
        """A client that speaks to this host only and follows no redirect."""
        url = httpx2.URL(self.url)
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(self.timeout_s, connect=min(_CONNECT_S, self.timeout_s)),
            follow_redirects=False,
            trust_env=self.trusts_proxies,
            event_hooks={"request": [_Pinned(_origin(url))]},
        )


class _Pinned:
    """Refuses every request that would leave for another host."""

    def __init__(self, origin: tuple[str, str, int | None]) -> None:
        self._origin = origin

    async def __call__(self, request: httpx2.Request) -> None:
        if _origin(request.url) != self._origin:
            raise httpx2.UnsupportedProtocol("the endpoint of the model lies elsewhere")


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port

"""Svod: a self-hosted knowledge server that always names its sources."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from svod.client import Client

__all__ = ["Client"]


def __getattr__(name: str) -> object:
    # Late, so that a program which needs only a part of us does not pay for the HTTP library.
    if name == "Client":
        from svod.client import Client  # noqa: PLC0415

        return Client
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

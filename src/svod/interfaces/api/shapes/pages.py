"""Asking for one page after another."""

from typing import Annotated

from pydantic import Field

from svod.interfaces.api.shapes.strict import Asked


class PageAsked(Asked):
    """Which page: `cursor` is the `next_cursor` of the page before; `limit` at most 200."""

    limit: Annotated[int, Field(ge=1, le=200)] = 100
    cursor: str | None = None

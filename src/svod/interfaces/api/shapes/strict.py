"""What every shape has in common."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer


class Asked(BaseModel):
    """Something a client sends: a field that we do not know is refused, not ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Told(BaseModel):
    """Something we answer."""

    model_config = ConfigDict(frozen=True)


def _in_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


Moment = Annotated[datetime, PlainSerializer(_in_utc, return_type=str, when_used="unless-none")]
"""A time as it is told: RFC 3339, in UTC."""

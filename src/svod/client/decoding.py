"""JSON to results and back, led by the results' own types."""

from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Result = TypeVar("Result")


def decode(kind: type[Result], value: object) -> Result:
    """A result from JSON; fields that a newer server adds are passed over."""
    return cast("Result", _decode(kind, value))


def encode(value: object) -> Any:
    """A result as JSON again, with times in RFC 3339."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple | list):
        return [encode(one) for one in cast("Sequence[object]", value)]
    return value


def _decode(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        if value is None:
            return None
        return _decode(next(one for one in inner if one is not NoneType), value)
    if origin is tuple:
        if inner[-1] is ...:
            return tuple(_decode(inner[0], one) for one in value)
        return tuple(_decode(one, part) for one, part in zip(inner, value, strict=True))
    if kind is datetime:
        return datetime.fromisoformat(value)
    if kind is float:
        return float(value)
    if is_dataclass(kind):
        given = cast("Mapping[str, Any]", value)
        make = cast("Callable[..., object]", kind)
        return make(**{name: _decode(hint, given.get(name)) for name, hint in _hints(kind).items()})
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}

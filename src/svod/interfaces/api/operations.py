"""What the OpenAPI document says of an operation beyond its types."""

from collections.abc import Mapping
from typing import Any, Literal

from svod.interfaces.api.problems import PROBLEM_JSON, Problem

Asked = Literal["knowledge:read", "knowledge:write", "admin", "operator", "any", "none"]
"""The permission an operation needs; `operator` is a role of the server, `any` takes every valid key,
`none` needs no key."""

_MEANS: Mapping[int, str] = {
    400: "The request cannot be read.",
    401: "No valid API key.",
    403: "The key may not do this.",
    404: "It is not there, or the key may not know of it.",
    409: "Something stands in its place.",
    412: "It changed since the revision in If-Match.",
    413: "The body is too large.",
    422: "What was asked makes no sense as it stands.",
    429: "A limit was reached.",
    503: "Something that is needed does not answer.",
    507: "The disk of the server is full.",
}


def operation(
    permission: Asked,
    summary: str,
    *,
    example: object = None,
    content: Mapping[str, Any] | None = None,
    status: int = 200,
    problems: tuple[int, ...] = (),
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Keyword arguments of a route: its permission, its example, and how it fails.

    `content` is given instead of `example` where the reply is not JSON.
    """
    statuses = {*problems, 503}
    if permission != "none":
        statuses.add(401)
        if permission != "any":
            statuses |= {403, 422}
        if permission == "knowledge:write":
            statuses.add(507)
    responses: dict[int | str, Any] = {
        failing: {
            "description": _MEANS[failing],
            "content": {
                PROBLEM_JSON: {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}
            },
        }
        for failing in sorted(statuses)
    }
    if content is None and example is not None:
        content = {"application/json": {"example": example}}
    if content is not None:
        responses[status] = {"content": content}
    return {
        "summary": summary,
        "status_code": status,
        "responses": responses,
        "openapi_extra": {"x-permission": permission, **(extra or {})},
    }

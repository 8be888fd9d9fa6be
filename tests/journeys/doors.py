"""Every operation of the OpenAPI document, to be called with ids of one's choice.

A new route is found in the document and called without anyone remembering it. What must be known
beforehand is only where to get an id of a kind: `test_permission_matrix` says so when one is new.
"""

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

_METHODS = ("get", "post", "put", "patch", "delete")
_LIST_OF = {"item_ids": "item_id"}
"""Fields of a body that hold many ids, and the kind of id."""


@dataclass(frozen=True, slots=True)
class Door:
    """One operation: what it needs, and the ids in its path and body by name."""

    name: str
    method: str
    path: str
    permission: str
    ids: tuple[str, ...]
    body_ids: tuple[str, ...]
    media_type: str | None
    body: Any

    @property
    def every_id(self) -> tuple[str, ...]:
        """The kinds of ids that a call of it takes."""
        return tuple(dict.fromkeys((*self.ids, *(_LIST_OF.get(n, n) for n in self.body_ids))))

    async def call(
        self, client: httpx2.AsyncClient, key: str | None, ids: Mapping[str, str]
    ) -> httpx2.Response:
        """The response to it with these ids, as whoever holds the key."""
        path = self.path.format(**{name: ids[name] for name in self.ids})
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        if self.media_type == "multipart/form-data":
            return await client.request(
                self.method, path, headers=headers, files={"file": ("a.txt", b"Words of a file.")}
            )
        body = self._filled(ids)
        return await client.request(self.method, path, headers=headers, json=body)

    def _filled(self, ids: Mapping[str, str]) -> Any:
        body = copy.deepcopy(self.body)
        for name in self.body_ids:
            many = _LIST_OF.get(name)
            _put(body, name, [ids[many]] if many else ids[name])
        return body


def doors(document: Mapping[str, Any], known: frozenset[str]) -> list[Door]:
    """The operations of a document; in bodies, fields named like a known id are ids."""
    return [
        _door(document, method, path, operation, known)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method in _METHODS
    ]


def _door(
    document: Mapping[str, Any],
    method: str,
    path: str,
    operation: Mapping[str, Any],
    known: frozenset[str],
) -> Door:
    content = operation.get("requestBody", {}).get("content", {})
    media_type = next(iter(content), None)
    body = _sample(document, content[media_type]["schema"]) if media_type else None
    names = tuple(one["name"] for one in operation.get("parameters", []) if one["in"] == "path")
    found = tuple(dict.fromkeys(name for name in _names(body) if name in known | set(_LIST_OF)))
    permission = operation["x-permission"]
    return Door(operation["operationId"], method, path, permission, names, found, media_type, body)


def _sample(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
    """A body that fits a schema: its first example, else the least that is required."""
    if "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return _sample(document, found)
    if schema.get("examples"):
        return copy.deepcopy(schema["examples"][0])
    if "enum" in schema:
        return schema["enum"][0]
    unions = [schema[name] for name in ("anyOf", "oneOf", "allOf") if name in schema]
    if unions:
        return _sample(document, unions[0][0])
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {
                name: _sample(document, properties[name]) for name in schema.get("required", [])
            }
        case "array":
            return [_sample(document, schema["items"])]
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return False
        case _:
            return schema.get("default", "words")


def _names(body: Any) -> Iterator[str]:
    if isinstance(body, dict):
        for name, value in body.items():
            yield name
            yield from _names(value)
    elif isinstance(body, list):
        for value in body:
            yield from _names(value)


def _put(body: Any, name: str, value: Any) -> None:
    if isinstance(body, dict):
        for key in body:
            if key == name:
                body[key] = value
            else:
                _put(body[key], name, value)
    elif isinstance(body, list):
        for one in body:
            _put(one, name, value)


def told(response: httpx2.Response, ids: Mapping[str, str]) -> tuple[int, str]:
    """What a response tells, without what differs anyway: the ids asked for and the request's own."""
    text = response.text
    for name, value in ids.items():
        text = text.replace(value, f"<{name}>")
    if response.headers.get("content-type", "").endswith("json"):
        body = json.loads(text)
        if isinstance(body, dict):
            for passing in ("request_id", "instance"):
                body.pop(passing, None)
        text = json.dumps(body, sort_keys=True)
    return response.status_code, text

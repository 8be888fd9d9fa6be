"""The OpenAPI document: what FastAPI derives, and the shapes it does not know of."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from svod.interfaces.api.problems import Problem
from svod.interfaces.api.shapes.splitting import SplitAsked

_REF = "#/components/schemas/{model}"
ABOUT = """Keeps what an organisation knows, finds it, and answers, always naming its sources.

Send an API key as `Authorization: Bearer svod_…`. Each operation names the permission that it needs
as `x-permission`. Failures are problem+json with a stable `code`; messages come in English or
Russian, by `Accept-Language`. Spans count Unicode code points.
"""


def describe(app: FastAPI) -> dict[str, Any]:
    """The document of an application, made once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description=ABOUT,
            routes=app.routes,
        )
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        for model in (Problem, SplitAsked):
            schema = model.model_json_schema(ref_template=_REF)
            schemas.update(schema.pop("$defs", {}))
            schemas[model.__name__] = schema
        app.openapi_schema = document
    return app.openapi_schema

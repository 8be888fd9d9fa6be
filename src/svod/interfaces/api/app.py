"""The web application, put together."""

from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from svod.foundation.errors import SvodError
from svod.interfaces.api import document
from svod.interfaces.api.edge import Edge
from svod.interfaces.api.errors import FieldsInvalid, Malformed, NoSuchRoute, NotJson, WrongMethod
from svod.interfaces.api.hosts import Hosts
from svod.interfaces.api.limits import Limits
from svod.interfaces.api.problems import failed, language_of, problem_response
from svod.interfaces.api.rates import limit_rates
from svod.interfaces.api.rooms import Rooms
from svod.interfaces.api.routes import (
    adding,
    audit,
    bulk,
    domains,
    finding,
    items,
    judgements,
    links,
    members,
    probes,
    rotation,
    sessions,
    setup,
    tenants,
    versions,
    workspaces,
)
from svod.interfaces.api.validation import field_errors


def make_app(rooms: Rooms) -> FastAPI:
    """The REST interface over the rooms, as an ASGI application."""
    app = FastAPI(
        title="Svod",
        version=version("svod"),
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation_id,
    )
    app.state.rooms = rooms
    limit_rates(app, per_minute=rooms.requests_per_minute)
    for room in (
        probes,
        workspaces,
        tenants,
        domains,
        members,
        items,
        versions,
        bulk,
        adding,
        links,
        finding,
        judgements,
        rotation,
        sessions,
        audit,
        setup,
    ):
        app.include_router(room.router)
    app.openapi = lambda: document.describe(app)
    app.add_exception_handler(SvodError, failed)
    app.add_exception_handler(RequestValidationError, _fields_invalid)
    app.add_exception_handler(HTTPException, _http_failed)
    # The last one added is the outermost.
    app.add_middleware(Limits)
    app.add_middleware(Hosts, names=rooms.hosts)
    app.add_middleware(Edge)
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name


def _fields_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - as it was registered
    errors = field_errors(error.errors(), language_of(request.scope))
    return problem_response(FieldsInvalid(), request.scope, errors=errors)


def _http_failed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - as it was registered
    cause = error.__cause__
    # FastAPI wraps what reading the body raises.
    if isinstance(cause, SvodError):
        return problem_response(cause, request.scope)
    if error.status_code == 404:  # noqa: PLR2004
        return problem_response(NoSuchRoute(), request.scope)
    if error.status_code == 405:  # noqa: PLR2004
        allowed = (error.headers or {}).get("Allow", "other methods")
        refusal = WrongMethod(allowed=allowed)
        return problem_response(refusal, request.scope, headers={"Allow": allowed})
    return problem_response(NotJson() if error.status_code == 400 else Malformed(), request.scope)  # noqa: PLR2004

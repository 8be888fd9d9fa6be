"""Reading an uploaded file: into memory only, since a spooled copy would lie on disk in the clear."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from svod.interfaces.api.errors import NotMultipart
from svod.interfaces.api.json_body import check_text, read_json
from svod.interfaces.api.limits import LARGEST_FILE, MB
from svod.interfaces.api.shapes.adding import FileAsked

_MOST_FIELDS = 20
_FLAGS = {"true": True, "1": True, "false": False, "0": False, "": False}


@dataclass(frozen=True, slots=True)
class Upload:
    """The fields beside a file, and its bytes if they came."""

    fields: FileAsked
    content: bytes | None

    def fingerprint(self) -> bytes:
        """What tells this upload from another."""
        digest = hashlib.sha256(self.fields.model_dump_json().encode())
        if self.content is not None:
            digest.update(hashlib.sha256(self.content).digest())
        return digest.digest()


class _InMemory(MultiPartParser):
    spool_max_size = LARGEST_FILE + MB


async def read_upload(request: Request) -> Upload:
    """The upload in a request.

    Raises:
        NotMultipart: it is not a form, or has neither `file` nor `sha256`.
        RequestValidationError: fields do not fit.
    """
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise NotMultipart
    parser = _InMemory(
        request.headers, request.stream(), max_files=1, max_fields=_MOST_FIELDS, max_part_size=MB
    )
    try:
        form = await parser.parse()
    except MultiPartException:
        raise NotMultipart from None
    given: dict[str, Any] = {}
    content: bytes | None = None
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            if name != "file":
                raise NotMultipart
            content = await value.read()
            given.setdefault("name", value.filename or "")
        else:
            given[name] = value
    await form.close()
    fields = _fields(given)
    if content is None and fields.sha256 is None:
        raise NotMultipart
    return Upload(fields, content)


def _fields(given: dict[str, Any]) -> FileAsked:
    for value in given.values():
        check_text(value)
    if "split" in given:
        given["split"] = read_json(given["split"].encode()) if given["split"] else None
    if "tags" in given:
        given["tags"] = read_json(given["tags"].encode()) if given["tags"] else None
    if "copy" in given:
        given["copy"] = _FLAGS.get(given["copy"].lower(), given["copy"])
    for name in ("title", "external_id", "sha256"):
        if given.get(name) == "":
            del given[name]
    try:
        return FileAsked.model_validate(given)
    except ValidationError as error:
        raise RequestValidationError(json.loads(error.json(include_input=False))) from None

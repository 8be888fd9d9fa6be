"""Notes and files: added, and asked about first."""

from typing import Any

from fastapi import APIRouter, Request, Response

from svod.foundation.errors import Language
from svod.interfaces.api.caller import OurCaller, OurRooms, Spoken
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.multipart import read_upload
from svod.interfaces.api.numbers import tag
from svod.interfaces.api.once import IdempotencyKey, Made, once_noted
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.adding import MissingAsked, NoteAsked
from svod.interfaces.api.shapes.file_states import MISSING_EXAMPLE, FileStateTold, MissingTold
from svod.interfaces.api.shapes.items import ADDED_EXAMPLE, AddedTold
from svod.knowledge.items.item import Added, Outcome, Target
from svod.knowledge.workspaces.replies import Receipt

router = APIRouter(prefix="/api/knowledge", tags=["items"], route_class=StrictRoute)

_FILE_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "name": {"type": "string", "maxLength": 255},
                        "sha256": {
                            "type": "string",
                            "pattern": "^[0-9a-fA-F]{64}$",
                            "description": "Instead of `file`, for bytes that the server knows.",
                        },
                        "title": {"type": "string", "maxLength": 300},
                        "level": {"type": "string", "default": "workspace"},
                        "namespace": {"type": "string", "default": ""},
                        "external_id": {"type": "string", "maxLength": 1000},
                        "copy": {"type": "boolean", "default": False},
                        "split": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "contentSchema": {"$ref": "#/components/schemas/SplitAsked"},
                        },
                        "tags": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "contentSchema": {"type": "array", "items": {"type": "string"}},
                        },
                    },
                },
                "example": {
                    "file": "# Returns…",
                    "name": "returns.md",
                    "external_id": "returns.md",
                },
            }
        },
    }
}


def made(added: Added, language: Language) -> Made:
    """The answer to adding an item."""
    told = AddedTold.of(added, language)
    headers = {
        "ETag": tag(added.item),
        "Location": f"/api/knowledge/items/{told.item.item_id}",
    }
    return Made(told, 201 if added.outcome is Outcome.CREATED else 200, headers)


@router.post(
    "/notes",
    response_model=AddedTold,
    **operation(
        "knowledge:write",
        "Add a note",
        example=ADDED_EXAMPLE,
        status=201,
        problems=(400, 404, 409, 413, 422, 429),
    ),
)
async def add_note(
    rooms: OurRooms,
    caller: OurCaller,
    language: Spoken,
    asked: NoteAsked,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Markdown written in place. 201 when a note was made, 200 when one was updated or unchanged."""

    async def make(receipt: Receipt | None) -> Made:
        added = await rooms.items.add_note(caller, asked.draft(), receipt=receipt)
        return made(added, language)

    async def recall(note: str) -> Made:
        return made(await rooms.items.recall(caller, note), language)

    return await once_noted(
        rooms.replies,
        caller,
        idempotency_key,
        operation="add_note",
        fingerprint=asked.model_dump_json().encode(),
        make=make,
        recall=recall,
    )


@router.post(
    "/files",
    response_model=AddedTold,
    **operation(
        "knowledge:write",
        "Add a file",
        example=ADDED_EXAMPLE,
        status=201,
        problems=(400, 404, 409, 413, 422, 429),
        extra=_FILE_FORM,
    ),
)
async def add_file(
    rooms: OurRooms,
    caller: OurCaller,
    language: Spoken,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """A file of at most 20 MB. Known bytes or names are recognised unless `copy` is asked for."""
    upload = await read_upload(request)

    async def make(receipt: Receipt | None) -> Made:
        draft = upload.fields.draft(upload.content)
        return made(await rooms.items.add_file(caller, draft, receipt=receipt), language)

    async def recall(note: str) -> Made:
        return made(await rooms.items.recall(caller, note), language)

    return await once_noted(
        rooms.replies,
        caller,
        idempotency_key,
        operation="add_file",
        fingerprint=upload.fingerprint(),
        make=make,
        recall=recall,
    )


@router.post(
    "/files/missing",
    **operation(
        "knowledge:write",
        "Which files the server lacks",
        example=MISSING_EXAMPLE,
        problems=(400, 404, 413, 422),
    ),
)
async def check_files(
    rooms: OurRooms, caller: OurCaller, language: Spoken, asked: MissingAsked
) -> MissingTold:
    """Before bytes are sent: which of up to 1,000 files are there unchanged, or known elsewhere."""
    states = await rooms.items.check_files(
        caller, Target(asked.level, asked.namespace), [file.check() for file in asked.files]
    )
    return MissingTold(files=[FileStateTold.of(state, language) for state in states])

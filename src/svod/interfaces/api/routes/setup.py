"""The set-up link: a page for a person, not part of the API's document."""

from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from svod.foundation.errors import SvodError
from svod.interfaces.api import setup_page
from svod.interfaces.api.caller import OurRooms, Spoken
from svod.interfaces.api.problems import status_of

router = APIRouter(include_in_schema=False)


@router.get("/setup")
async def show_setup(language: Spoken, token: str = "") -> HTMLResponse:
    """What the link does; nothing is spent by looking."""
    return setup_page.explain(token, language)


@router.post("/setup")
async def use_setup(request: Request, rooms: OurRooms, language: Spoken) -> HTMLResponse:
    """Spend the link and show the owner's key once."""
    form = parse_qs((await request.body()).decode("ascii", "replace"))
    try:
        made = await rooms.workspaces.use_setup_link(form.get("token", [""])[0])
    except SvodError as error:
        return setup_page.refuse(error, status_of(error), language)
    return setup_page.show_key(made.secret, language)

"""The rooms of this checkout in this process, on an embedded database of their own."""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from sets import Document
from svod.assembly import Svod, assembled
from svod.foundation.ids import ItemId
from svod.foundation.settings import Settings
from svod.foundation.storage import embedded
from svod.foundation.telemetry import configure_logs
from svod.knowledge.items.item import ItemQuery, NoteDraft, Target
from svod.knowledge.workspaces import Caller

_MODELS = Path(tempfile.gettempdir(), "svod-bench-models")
_PAGE = 200


@asynccontextmanager
async def rooms() -> AsyncGenerator[tuple[Svod, Caller]]:
    """Every room on a fresh data folder, a worker at work, and the owner; the model's files are kept."""
    folder = _folder()
    settings = Settings(data=folder / "data", log_level="warning")
    configure_logs(settings)
    try:
        async with embedded(settings.data) as running, assembled(settings, running.dsn) as svod:
            working = asyncio.create_task(svod.work())
            try:
                if svod.embedder is not None:
                    await svod.embedder.warm()
                yield svod, await svod.workspaces.owner()
            finally:
                working.cancel()
                await asyncio.wait([working])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="svod-bench-"))
    # The account that runs PostgreSQL under root must enter it.
    folder.chmod(0o711)
    (folder / "data").mkdir()
    _MODELS.mkdir(exist_ok=True)
    (folder / "data" / "models").symlink_to(_MODELS)
    return folder


async def add(
    svod: Svod, caller: Caller, corpus: Iterable[Document], *, namespace: str
) -> dict[str, ItemId]:
    """Add documents as notes, and wait until all are found by meaning; key -> item."""
    added: dict[str, ItemId] = {}
    for document in corpus:
        draft = NoteDraft(document.text, document.title, Target(namespace=namespace))
        added[document.key] = (await svod.items.add_note(caller, draft)).item.item_id
    while not await _all_found(svod, caller, namespace):  # noqa: ASYNC110 - a bench may wait so
        await asyncio.sleep(0.5)
    # The moments of the vectors are taken some seconds after the last of them.
    while (await svod.jobs.counts()).waiting:  # noqa: ASYNC110 - as above
        await asyncio.sleep(0.5)
    return added


async def _all_found(svod: Svod, caller: Caller, namespace: str) -> bool:
    cursor = None
    while True:
        query = ItemQuery(namespace=namespace, limit=_PAGE, cursor=cursor)
        page = await svod.items.list(caller, query)
        if any(item.meaning_ready < 1 for item in page.items):
            return False
        if (cursor := page.next_cursor) is None:
            return True

"""Pages among the items: fetched in the background, kept once a level, kept up to date."""

import asyncio
import json
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from fakes.files import FILES
from fakes.pages import Pages, some_pages
from fakes.web import a_response
from svod.foundation.errors import Language
from svod.foundation.fetching.errors import (
    AddressRefused,
    BadScheme,
    FetchFailed,
    UrlCredentials,
    fetch_failure,
)
from svod.foundation.jobs import Later
from svod.foundation.storage import Database, Vaults
from svod.knowledge.items import ItemChange, ItemQuery, NoteDraft
from svod.knowledge.items.errors import ExternalIdTaken
from svod.knowledge.items.item import Item, Outcome, Refresh, Remark, Status
from svod.knowledge.items.links.errors import BadRefreshDays, LinkTaken, NotALink
from svod.knowledge.items.links.link import LinkDraft
from svod.knowledge.retrieval import RetrievalPlan
from svod.knowledge.retrieval.plan import Layer
from svod.knowledge.workspaces import Caller, Permission, Workspaces
from svod.knowledge.workspaces.caller import PermissionMissing

OLD = {"ru": "Срок хранения 180 дней", "en": "Kept for 180 days"}
NEW = {"ru": "Срок хранения 270 дней", "en": "Kept for 270 days"}
TITLE = {"ru": "Порядок хранения", "en": "How things are kept"}
BOTH = ["ru", "en"]


@pytest_asyncio.fixture
async def pages(database: Database, vaults: Vaults, tmp_path: Path) -> AsyncGenerator[Pages]:
    async with some_pages(database, vaults, tmp_path) as pages:
        yield pages


@pytest_asyncio.fixture(autouse=True)
async def emptied(pages: Pages, owner: Caller) -> AsyncGenerator[None]:
    yield
    for item in (await pages.way.items.list(owner, ItemQuery(limit=200))).items:
        await pages.way.items.delete(owner, item.item_id)


async def now(pages: Pages, owner: Caller, item: Item) -> Item:
    return await pages.way.items.get(owner, item.item_id)


def failure(item: Item) -> str | None:
    return item.failure.code if item.failure else None


@pytest.mark.spec("K13", "K15")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_page_is_read_in_the_background_and_found(
    pages: Pages, owner: Caller, lang: str
) -> None:
    pages.put("/rules", OLD[lang], TITLE[lang])
    item = await pages.add(owner, "/rules?utm_source=mail#top")
    assert (item.kind, item.status, item.title) == (
        "link",
        Status.QUEUED,
        f"{pages.site.url.removeprefix('http://')}/rules",
    )
    assert item.link is not None
    assert item.link.url == f"{pages.site.url}/rules"
    assert item.link.fetched_at is None
    await pages.run()
    item = await now(pages, owner, item)
    assert (item.status, item.title, item.version) == (Status.READY, TITLE[lang], 1)
    assert (item.serving_version, item.meaning_ready, failure(item)) == (1, 1.0, None)
    assert item.media_type == "text/html; charset=utf-8"
    assert item.link is not None
    assert item.link.fetched_at == pages.clock.now()
    assert (item.link.next_refresh_at, item.link.is_stale) == (None, False)
    assert (await pages.way.items.text(owner, item.item_id)).text.strip() == OLD[lang]
    assert pages.site.paths == ["/rules"]
    found = await pages.way.retrieval.search(owner, RetrievalPlan("180"))
    assert [(hit.text, hit.kind, hit.layer) for hit in found.hits] == [
        (OLD[lang], "link", Layer.K_WEB)
    ]
    source = await pages.way.items.source(owner, item.item_id)
    assert source.content == pages.site.pages["/rules"].partition(b"\r\n\r\n")[2]  # type: ignore[union-attr]
    assert source.name == "page.html"


@pytest.mark.spec("K13", "N-65")
async def test_a_level_holds_a_page_once(pages: Pages, owner: Caller) -> None:
    pages.put("/a", OLD["en"])
    first = await pages.add(owner, "/a")
    for variant in ("/a/", "/a#part", "/a?utm_campaign=x&yclid=1", "/b/../a"):
        added = await pages.way.items.add_link(owner, LinkDraft(f"{pages.site.url}{variant}"))
        assert (added.item.item_id, added.outcome) == (first.item_id, Outcome.UNCHANGED)
    await pages.run()
    added = await pages.way.items.add_link(
        owner, LinkDraft(f"{pages.site.url}/a", external_id="faq", title="Mine")
    )
    assert added.outcome is Outcome.UNCHANGED
    assert (added.item.status, added.item.external_id) == (Status.READY, "faq")
    assert pages.site.paths == ["/a"]
    assert len((await pages.way.items.list(owner, ItemQuery(kind="link"))).items) == 1


@pytest.mark.spec("K13")
async def test_added_twice_at_once_it_is_still_one(pages: Pages, owner: Caller) -> None:
    draft = LinkDraft(f"{pages.site.url}/a")
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(pages.way.items.add_link(owner, draft)) for _ in range(6)]
    outcomes = [task.result().outcome for task in tasks]
    assert sorted(outcomes) == [Outcome.CREATED, *[Outcome.UNCHANGED] * 5]
    assert len({task.result().item.item_id for task in tasks}) == 1


@pytest.mark.spec("K18")
async def test_the_same_external_id_makes_it_the_other_page(pages: Pages, owner: Caller) -> None:
    pages.put("/a", OLD["en"], "A", ETag='"1"')
    pages.put("/b", NEW["en"], "B", ETag='"1"')
    item = await pages.add(owner, "/a", external_id="faq")
    await pages.run()
    added = await pages.way.items.add_link(
        owner, LinkDraft(f"{pages.site.url}/b", external_id="faq")
    )
    assert (added.item.item_id, added.outcome) == (item.item_id, Outcome.UPDATED)
    assert await pages.way.texts(owner, "kept days") == [OLD["en"]]
    await pages.run()
    item = await now(pages, owner, item)
    assert (item.version, item.serving_version, item.title) == (2, 2, "B")
    assert await pages.way.texts(owner, "kept days") == [NEW["en"]]
    other = await pages.add(owner, "/a")
    assert other.item_id != item.item_id
    with pytest.raises(LinkTaken):
        await pages.add(owner, "/a", external_id="faq")
    await pages.way.items.add_note(owner, NoteDraft("A note.", external_id="note"))
    with pytest.raises(ExternalIdTaken):
        await pages.add(owner, "/c", external_id="note")


@pytest.mark.spec("K13", "K16")
async def test_a_title_that_somebody_gave_stays(pages: Pages, owner: Caller) -> None:
    pages.put("/a", OLD["en"], "Theirs")
    given = await pages.add(owner, "/a", title="Ours")
    await pages.run()
    pages.put("/b", OLD["en"], "Theirs")
    renamed = await pages.add(owner, "/b")
    await pages.way.items.change(owner, renamed.item_id, ItemChange(title="Renamed"))
    await pages.run()
    assert (await now(pages, owner, given)).title == "Ours"
    assert (await now(pages, owner, renamed)).title == "Renamed"
    for path in ("/a", "/b"):
        pages.put(path, NEW["en"], "Theirs anew")
    for item in (given, renamed):
        await pages.way.items.refresh(owner, item.item_id)
    await pages.run()
    assert (await now(pages, owner, given)).title == "Ours"
    assert (await now(pages, owner, renamed)).title == "Renamed"
    assert await pages.way.texts(owner, "270") == [NEW["en"], NEW["en"]]


@pytest.mark.spec("X11", "N-62")
@pytest.mark.parametrize(
    ("url", "refusal"),
    [
        ("http://10.0.0.1/", AddressRefused),
        ("http://2851995648/", AddressRefused),
        ("http://[::1]/", AddressRefused),
        ("http://169.254.169.254/latest/meta-data/", AddressRefused),
        ("http://localhost/", AddressRefused),
        ("file:///etc/passwd", BadScheme),
        ("https://user:secret@example.com/", UrlCredentials),
        ("example.com", FetchFailed),
    ],
)
async def test_what_cannot_be_fetched_is_refused_when_it_is_added(
    pages: Pages, owner: Caller, url: str, refusal: type[FetchFailed]
) -> None:
    with pytest.raises(refusal):
        await pages.way.items.add_link(owner, LinkDraft(url))
    assert (await pages.way.items.list(owner, ItemQuery())).items == ()


@pytest.mark.spec("X11", "X3")
async def test_a_name_that_leads_inside_fails_as_one_that_nobody_knows(
    pages: Pages, owner: Caller
) -> None:
    pages.site.pages["/away"] = a_response(status=302, Location="http://10.0.0.5/")
    items = [
        (await pages.way.items.add_link(owner, LinkDraft(url))).item
        for url in ("http://unknown.example.com/", f"{pages.site.url}/away")
    ]
    await pages.run()
    seen = [await now(pages, owner, item) for item in items]
    assert [item.status for item in seen] == [Status.FAILED, Status.FAILED]
    assert [item.failure for item in seen] == [Remark("address_refused", {})] * 2
    assert pages.paused == []


@pytest.mark.spec("K15")
@pytest.mark.parametrize("language", list(Language))
async def test_a_page_that_is_not_there_says_so(
    pages: Pages, owner: Caller, language: Language
) -> None:
    item = await pages.add(owner, "/gone")
    await pages.run()
    item = await now(pages, owner, item)
    assert (item.status, failure(item)) == (Status.FAILED, "http_status")
    assert item.failure is not None
    assert "404" in fetch_failure(item.failure.code, item.failure.facts).message(language)
    assert len(pages.site.asked) == 1


@pytest.mark.spec("K15")
async def test_a_passing_failure_is_tried_again_and_then_told(pages: Pages, owner: Caller) -> None:
    pages.site.pages["/a"] = a_response(status=503, Retry_After="40")
    item = await pages.add(owner, "/a")
    await pages.run()
    assert len(pages.site.asked) == 3
    assert pages.paused == [40.0, 40.0]
    assert failure(await now(pages, owner, item)) == "http_status"
    await pages.way.items.refresh(owner, item.item_id)
    assert failure(await now(pages, owner, item)) is None
    await pages.run()
    assert len(pages.site.asked) == 6
    pages.put("/a", OLD["en"])
    await pages.way.items.refresh(owner, item.item_id)
    await pages.run()
    assert (await now(pages, owner, item)).status is Status.READY


@pytest.mark.spec("K36")
async def test_a_site_is_asked_for_one_page_at_a_time(pages: Pages, owner: Caller) -> None:
    pages.put("/a", OLD["en"])
    host = pages.site.url.removeprefix("http://")
    assert pages.loading.turns.take(host) == 0
    item = await pages.add(owner, "/a")
    await pages.run("ingest")
    (job,) = pages.way.jobs.waiting
    with pytest.raises(Later):
        await pages.loading(job.arguments)
    assert pages.site.asked == []
    pages.loading.turns.end(host)
    await pages.run()
    assert (await now(pages, owner, item)).status is Status.READY


@pytest.mark.spec("K13", "K12")
@pytest.mark.parametrize("lang", BOTH)
@pytest.mark.parametrize(
    ("format_", "path", "media_type"),
    [
        ("pdf", "/a.pdf", "application/pdf"),
        ("pdf", "/download.php?id=7", "application/octet-stream"),
        ("docx", "/a", "application/octet-stream"),
        ("json", "/api", "application/json; charset=utf-8"),
        ("csv", "/prices.csv", "text/plain"),
        ("md", "/readme.md", "text/plain; charset=utf-8"),
        ("txt", "/robots.txt", "text/plain"),
        ("html", "/page.pdf", "text/html"),
        ("html", "/", None),
    ],
)
async def test_whatever_is_read_as_a_file_is_read_from_an_address(
    pages: Pages, owner: Caller, lang: str, format_: str, path: str, media_type: str | None
) -> None:
    pages.site.pages[path] = a_response(FILES[format_](lang), media_type=media_type)
    item = await pages.add(owner, path)
    await pages.run()
    item = await now(pages, owner, item)
    assert (item.status, failure(item), item.warnings) == (Status.READY, None, ())
    word = {"ru": "руководитель", "en": "approves"}[lang]
    assert word in (await pages.way.items.text(owner, item.item_id)).text
    if format_ == "md":
        assert item.media_type == "text/markdown; charset=utf-8"


@pytest.mark.spec("K12", "K13")
@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "utf-8"])
@pytest.mark.parametrize("said", ["header", "meta", "nowhere"])
async def test_an_old_page_is_read_in_its_encoding(
    pages: Pages, owner: Caller, encoding: str, said: str
) -> None:
    text = "Прокат велосипедов работает ежедневно, кроме понедельника, с девяти утра."
    meta = f'<meta charset="{encoding}">' if said == "meta" else ""
    html = f"<html><head>{meta}<title>Прокат</title></head><body><p>{text}</p></body></html>"
    header = f"text/html; charset={encoding}" if said == "header" else "text/html"
    pages.site.pages["/a"] = a_response(html.encode(encoding), media_type=header)
    item = await pages.add(owner, "/a")
    await pages.run()
    assert (await now(pages, owner, item)).title == "Прокат"
    assert (await pages.way.items.text(owner, item.item_id)).text.strip() == text


@pytest.mark.spec("K13", "K15")
async def test_what_cannot_be_read_says_why(pages: Pages, owner: Caller) -> None:
    pages.site.pages["/empty"] = a_response(b"<html><body> </body></html>")
    pages.site.pages["/zip"] = a_response(b"PK\x03\x04" + b"\0" * 99, media_type="application/zip")
    pages.site.pages["/png"] = a_response(b"\x89PNG", media_type="image/png")
    pages.site.pages["/big"] = a_response(b"x", Content_Length=str(5 * 1024 * 1024 + 1))
    for path, code in (
        ("/empty", "no_text"),
        ("/zip", "unsupported"),
        ("/png", "not_text"),
        ("/big", "too_large"),
    ):
        item = await pages.add(owner, path)
        await pages.run()
        assert failure(await now(pages, owner, item)) == code


@pytest.mark.spec("K17", "K34")
@pytest.mark.parametrize("how", ["by its marks", "by its bytes", "by its text"])
async def test_an_unchanged_page_is_not_read_again(pages: Pages, owner: Caller, how: str) -> None:
    pages.put("/a", OLD["en"], "T", ETag='"1"', Last_Modified="Mon, 02 Mar 2026 10:00:00 GMT")
    item = await pages.add(owner, "/a")
    await pages.run()
    before, embedded = await now(pages, owner, item), len(pages.way.embedder.stored)
    if how == "by its marks":
        pages.site.pages["/a"] = a_response(status=304, media_type=None)
    if how == "by its text":
        pages.put("/a", f"{OLD['en']}<!-- nonce -->", "T", ETag='"2"')
    pages.clock.go_on(hours=5)
    assert (await pages.way.items.refresh(owner, item.item_id)).status is Status.QUEUED
    await pages.run("ingest")
    await pages.run("load")
    assert pages.way.jobs.waiting == []
    after = await now(pages, owner, item)
    assert pages.site.header("If-None-Match") == '"1"'
    assert pages.site.header("If-Modified-Since") == "Mon, 02 Mar 2026 10:00:00 GMT"
    assert (after.status, after.version, after.serving_version) == (Status.READY, 1, 1)
    assert after.link is not None
    assert after.link.fetched_at == pages.clock.now()
    assert after.title == before.title
    assert len(pages.way.embedder.stored) == embedded
    assert len(await pages.way.items.versions(owner, item.item_id)) == 1
    # The marks of the copy at hand are sent the next time too, or those that came since.
    await pages.way.items.refresh(owner, item.item_id)
    await pages.run()
    expected = '"2"' if how == "by its text" else '"1"'
    assert pages.site.header("If-None-Match") == expected


@pytest.mark.spec("K16", "K17")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_changed_page_is_a_new_version_and_the_old_one_serves_until_then(
    pages: Pages, owner: Caller, lang: str
) -> None:
    pages.put("/a", OLD[lang], "T", ETag='"1"')
    item = await pages.add(owner, "/a")
    await pages.run()
    pages.put("/a", NEW[lang], "T", ETag='"2"')
    await pages.way.items.refresh(owner, item.item_id)
    await pages.run("ingest")
    await pages.run("load")
    item = await now(pages, owner, item)
    assert (item.status, item.version, item.serving_version) == (Status.QUEUED, 2, 1)
    await pages.run("ingest")
    assert await pages.way.texts(owner, "180 270") == [OLD[lang]]
    await pages.run()
    assert await pages.way.texts(owner, "180 270") == [NEW[lang]]
    item = await now(pages, owner, item)
    assert (item.status, item.version, item.serving_version) == (Status.READY, 2, 2)
    old = await pages.way.items.text(owner, item.item_id, 1)
    assert old.text.strip() == OLD[lang]


@pytest.mark.spec("K16", "K35", "N-08")
@pytest.mark.parametrize("status", [404, 410, 500])
async def test_of_a_page_that_is_gone_the_old_text_stays(
    pages: Pages, owner: Caller, status: int
) -> None:
    pages.put("/a", OLD["en"])
    page = pages.site.pages["/a"]
    item = await pages.add(owner, "/a")
    await pages.run()
    pages.site.pages["/a"] = a_response(status=status)
    await pages.way.items.refresh(owner, item.item_id)
    await pages.run()
    item = await now(pages, owner, item)
    assert (item.status, failure(item)) == (Status.FAILED, "http_status")
    assert item.link is not None
    assert item.link.is_stale
    assert item.link.next_refresh_at == pages.clock.now() + timedelta(days=1)
    assert await pages.way.texts(owner, "180") == [OLD["en"]]
    # It comes back as it was: nothing is left to be read.
    pages.site.pages["/a"] = page
    pages.clock.go_on(days=1)
    assert await pages.due() == 1
    item = await now(pages, owner, item)
    assert (item.status, failure(item), item.version) == (Status.READY, None, 1)
    assert item.link is not None
    assert (item.link.is_stale, item.link.next_refresh_at) == (False, None)


@pytest.mark.spec("K35")
async def test_what_nobody_refreshes_is_not_tried_for_ever(pages: Pages, owner: Caller) -> None:
    asked = await pages.add(owner, "/gone")
    daily = await pages.add(owner, "/gone/too", refresh_days=30)
    await pages.run()
    for _ in range(12):
        pages.clock.go_on(days=1)
        await pages.due()
    assert (pages.site.paths.count("/gone"), pages.site.paths.count("/gone/too")) == (8, 13)
    item, other = await now(pages, owner, asked), await now(pages, owner, daily)
    assert item.link is not None
    assert other.link is not None
    assert item.link.next_refresh_at is None
    assert other.link.next_refresh_at == pages.clock.now() + timedelta(days=1)
    assert not other.link.is_stale


@pytest.mark.spec("K35", "N-07")
async def test_refresh_keeps_its_days_for_forty_days(pages: Pages, owner: Caller) -> None:
    """An hourly sweep, a clock forty days on, and unrelated cleaning in between."""
    links: dict[int | None, Item] = {}
    for days in (1, 7, 30, None):
        pages.put(f"/{days}", OLD["en"])
        links[days] = await pages.add(owner, f"/{days}", refresh_days=days)
    await pages.run()
    fetched = {days: [0] for days in links}
    for hour in range(1, 40 * 24 + 1):
        pages.clock.go_on(hours=1)
        before = len(pages.site.asked)
        await pages.due()
        for path in pages.site.paths[before:]:
            name = path.strip("/")
            fetched[None if name == "None" else int(name)].append(hour)
        if hour % 48 == 0:
            await pages.way.blobs.sweep(pages.way.database)
    assert fetched[1] == list(range(0, 40 * 24 + 1, 24))
    assert fetched[7] == list(range(0, 40 * 24 + 1, 7 * 24))
    assert fetched[30] == [0, 30 * 24]
    assert fetched[None] == [0]
    for days, item in links.items():
        seen = await now(pages, owner, item)
        assert (seen.status, seen.version, seen.revision) == (Status.READY, 1, item.revision + 1)
        assert seen.link is not None
        if days is not None:
            assert seen.link.next_refresh_at is not None
            assert seen.link.next_refresh_at > pages.clock.now()


@pytest.mark.spec("K35", "X9")
async def test_a_page_whose_job_was_lost_is_due_again_the_next_day(
    pages: Pages, owner: Caller
) -> None:
    pages.put("/a", OLD["en"])
    await pages.add(owner, "/a", refresh_days=7)
    await pages.run()
    pages.clock.go_on(days=7)
    assert await pages.loading.queue_due() == 1
    assert await pages.loading.queue_due() == 0
    pages.way.jobs.waiting.clear()
    pages.clock.go_on(days=1)
    assert await pages.due() == 1
    assert len(pages.site.asked) == 2


@pytest.mark.spec("K35")
async def test_how_often_a_page_is_fetched_can_be_changed(pages: Pages, owner: Caller) -> None:
    pages.put("/a", OLD["en"])
    item = await pages.add(owner, "/a")
    await pages.run()
    start, items = pages.clock.now(), pages.way.items
    pages.clock.go_on(days=2)
    item = await items.change(owner, item.item_id, ItemChange(refresh=Refresh(7)))
    assert item.link is not None
    assert (item.link.refresh_days, item.link.next_refresh_at) == (7, start + timedelta(days=7))
    item = await items.change(owner, item.item_id, ItemChange(refresh=Refresh(None)))
    assert item.link is not None
    assert (item.link.refresh_days, item.link.next_refresh_at) == (None, None)
    with pytest.raises(BadRefreshDays):
        await items.change(owner, item.item_id, ItemChange(refresh=Refresh(2)))
    with pytest.raises(BadRefreshDays):
        await pages.add(owner, "/b", refresh_days=0)
    note = await pages.way.note(owner, "A note.")
    with pytest.raises(NotALink):
        await items.change(owner, note.item_id, ItemChange(refresh=Refresh(1)))


@pytest.mark.spec("K15")
async def test_fetching_can_be_cancelled(pages: Pages, owner: Caller) -> None:
    pages.put("/a", OLD["en"])
    item = await pages.add(owner, "/a")
    await pages.way.items.cancel(owner, item.item_id)
    await pages.run()
    assert pages.site.asked == []
    await pages.way.items.refresh(owner, item.item_id)
    await pages.run("ingest")
    (job,) = pages.way.jobs.waiting
    await pages.way.items.cancel(owner, item.item_id)
    assert pages.way.jobs.waiting == []
    # A worker took it a moment before.
    await pages.loading(job.arguments)
    item = await now(pages, owner, item)
    assert (item.status, failure(item)) == (Status.FAILED, "cancelled")
    assert pages.site.asked == []


async def during(pages: Pages, owner: Caller, item: Item, act: str) -> None:
    """Do something to an item while its page is on the way."""
    match act:
        case "cancel":
            await pages.way.items.cancel(owner, item.item_id)
        case "delete":
            await pages.way.items.delete(owner, item.item_id)
        case "rename":
            await pages.way.items.change(owner, item.item_id, ItemChange(title="Renamed"))
        case _:
            await pages.way.items.add_link(
                owner, LinkDraft(f"{pages.site.url}/b", external_id="faq")
            )


@pytest.mark.spec("K15", "K16")
@pytest.mark.parametrize("act", ["cancel", "delete", "rename", "lead elsewhere"])
@pytest.mark.parametrize("refreshed", [False, True])
async def test_what_is_done_while_a_page_is_on_its_way_wins(
    pages: Pages, owner: Caller, act: str, refreshed: bool
) -> None:
    pages.put("/b", "Another page of 365 days", "B")
    pages.put("/a", OLD["en"], "A")
    item = await pages.add(owner, "/a", external_id="faq")
    if refreshed:
        await pages.run()
        await pages.way.items.refresh(owner, item.item_id)
    pages.put("/a", NEW["en"], "A")
    page = pages.site.pages["/a"]
    assert isinstance(page, bytes)

    async def slowly(writer: asyncio.StreamWriter) -> None:
        await during(pages, owner, item, act)
        writer.write(page)

    pages.site.pages["/a"] = slowly
    await pages.run("ingest")
    await pages.run("load")
    pages.site.pages["/a"] = page
    await pages.run()
    found = await pages.way.texts(owner, "days")
    orphans = """select count(*) from blob b where not exists (select from item_version v
        where v.workspace_id = b.workspace_id and v.blob_key = b.blob_key)"""
    assert await pages.way.value(orphans) == 0
    if act == "delete":
        assert found == []
        return
    seen = await now(pages, owner, item)
    if act == "cancel":
        assert failure(seen) == "cancelled"
        assert found == ([OLD["en"]] if refreshed else [])
    elif act == "rename":
        assert (seen.status, seen.title, found) == (Status.READY, "Renamed", [NEW["en"]])
    else:
        assert (seen.status, seen.title) == (Status.READY, "B")
        assert found == ["Another page of 365 days"]


@pytest.mark.spec("K17", "K35")
async def test_what_is_due_and_fails_takes_nothing_from_who_asked(
    pages: Pages, owner: Caller
) -> None:
    pages.put("/a", OLD["en"])
    item = await pages.add(owner, "/a", refresh_days=1)
    await pages.run()
    pages.clock.go_on(days=1)
    assert await pages.loading.queue_due() == 1
    (due,) = pages.way.jobs.waiting
    pages.site.pages["/a"] = a_response(status=404)
    await pages.way.items.refresh(owner, item.item_id)
    await pages.loading(due.arguments)
    assert (await now(pages, owner, item)).status is Status.QUEUED
    pages.way.jobs.waiting.remove(due)
    pages.put("/a", NEW["en"])
    await pages.run()
    assert (await now(pages, owner, item)).status is Status.READY
    assert await pages.way.texts(owner, "270") == [NEW["en"]]


@pytest.mark.spec("K18")
async def test_a_version_that_was_restored_gives_way_to_the_page_at_the_next_refresh(
    pages: Pages, owner: Caller
) -> None:
    pages.put("/a", OLD["en"], "T", ETag='"1"')
    item = await pages.add(owner, "/a")
    await pages.run()
    pages.put("/a", NEW["en"], "T", ETag='"2"')
    await pages.way.items.refresh(owner, item.item_id)
    await pages.run()
    await pages.way.items.restore(owner, item.item_id, 1)
    await pages.run()
    assert await pages.way.texts(owner, "days") == [OLD["en"]]
    assert len(pages.site.asked) == 2
    await pages.way.items.refresh(owner, item.item_id)
    await pages.run()
    assert pages.site.header("If-None-Match") is None
    assert await pages.way.texts(owner, "days") == [NEW["en"]]


@pytest.mark.spec("K23", "K17")
async def test_split_otherwise_it_is_not_fetched_but_a_refresh_forgets_no_splitting(
    pages: Pages, owner: Caller
) -> None:
    pages.put("/a", "Things that were lost are kept for a while, and then given away. " * 4)
    item = await pages.add(owner, "/a")
    await pages.run()
    chunks = await pages.way.count("chunk", item.item_id)
    split = json.dumps({"split_mode": "fixed-size", "chunk_size": 50})
    await pages.way.items.change(owner, item.item_id, ItemChange(split=split))
    # Before it was split anew.
    await pages.way.items.refresh(owner, item.item_id)
    await pages.run()
    assert len(pages.site.asked) == 2
    assert await pages.way.count("chunk", item.item_id) > chunks
    await pages.way.items.change(owner, item.item_id, ItemChange(split='{"split_mode": "auto"}'))
    await pages.run()
    assert len(pages.site.asked) == 2
    assert await pages.way.count("chunk", item.item_id) == chunks


@pytest.mark.spec("X5")
async def test_no_word_of_an_address_lies_in_the_clear(pages: Pages, owner: Caller) -> None:
    pages.put("/zaitsev", "Text of 180 days", "Title", ETag='"rosomaha"')
    item = await pages.add(owner, "/zaitsev?vydra=1")
    pages.site.pages["/zaitsev?vydra=1"] = pages.site.pages["/zaitsev"]
    await pages.run()
    assert (await now(pages, owner, item)).status is Status.READY
    async with pages.way.database.transaction() as tx:
        for table in ("item", "item_version", "link", "procrastinate_jobs", "job_step"):
            cursor = await tx.connection.execute(
                f"select coalesce(string_agg(t::text, ' '), '') from {table} t".encode()  # noqa: S608 - a name of ours
            )
            row = await cursor.fetchone()
            assert row is not None
            for word in ("zaitsev", "vydra", "rosomaha", "127.0.0.1"):
                assert word not in row[0], table
                assert word.encode().hex() not in row[0], table


@pytest.mark.spec("X1", "X2", "X3")
async def test_links_are_added_by_who_may_write_and_seen_by_who_may_read(
    pages: Pages, owner: Caller, workspaces: Workspaces
) -> None:
    pages.put("/a", OLD["en"])
    item = await pages.add(owner, "/a")
    made = await workspaces.make_key(
        owner, name="reader", permissions=frozenset({Permission.KNOWLEDGE_READ})
    )
    reader = await workspaces.authenticate(made.secret)
    seen = await pages.way.items.get(reader, item.item_id)
    assert seen.link is not None
    assert seen.link.url == f"{pages.site.url}/a"
    with pytest.raises(PermissionMissing):
        await pages.add(reader, "/b")
    with pytest.raises(PermissionMissing):
        await pages.way.items.refresh(reader, item.item_id)

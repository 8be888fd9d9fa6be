"""What the room of items promises, on a real database."""

from hashlib import sha256

import pytest

from svod.foundation.errors import SvodError
from svod.foundation.ids import ItemId
from svod.foundation.jobs import WaitingReason
from svod.foundation.storage import Database
from svod.knowledge.items import (
    FileCheck,
    FileDraft,
    ItemChange,
    ItemChanged,
    ItemQuery,
    Items,
    ItemsDeleted,
    NoteDraft,
    Target,
)
from svod.knowledge.items.contents import LARGEST_FILE, LONGEST_NOTE
from svod.knowledge.items.errors import (
    BadCursor,
    BadName,
    BytesUnknown,
    FileTooLarge,
    ItemChangedMeanwhile,
    ItemNotFound,
    NotANote,
    NoteEmpty,
    NoteTooLong,
    TextNotRead,
    VersionNotFound,
)
from svod.knowledge.items.item import Outcome, Status
from svod.knowledge.workspaces import Caller, LevelNotFound, Permission, Workspaces

TEXTS = {"ru": "# Возврат\n\nВернуть можно за 14 дней.", "en": "# Returns\n\nWithin 14 days."}
BOTH = ["ru", "en"]


@pytest.mark.spec("K11", "K15", "K18")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_note_is_kept_queued_and_titled_by_its_first_line(
    items: Items, owner: Caller, announced: list[object], lang: str
) -> None:
    added = await items.add_note(owner, NoteDraft(TEXTS[lang]))
    item = added.item
    assert added.outcome is Outcome.CREATED
    assert (item.title, item.status, item.version) == (
        {"ru": "Возврат", "en": "Returns"}[lang],
        Status.QUEUED,
        1,
    )
    assert item.serving_version is None
    assert announced == [ItemChanged(owner.own.workspace_id, item.item_id, 1, "note")]
    assert (await items.source(owner, item.item_id)).content.decode() == TEXTS[lang]


@pytest.mark.spec("K18")
@pytest.mark.parametrize("lang", BOTH)
async def test_the_same_external_id_updates_and_the_same_text_changes_nothing(
    items: Items, owner: Caller, announced: list[object], lang: str
) -> None:
    draft = NoteDraft(TEXTS[lang], title="t", external_id=f"документ/{lang}")
    first = await items.add_note(owner, draft)
    again = await items.add_note(owner, draft)
    changed = await items.add_note(
        owner, NoteDraft(TEXTS[lang] + "!", title="t", external_id=f"документ/{lang}")
    )
    assert [a.outcome for a in (first, again, changed)] == ["created", "unchanged", "updated"]
    assert {a.item.item_id for a in (first, again, changed)} == {first.item.item_id}
    assert changed.item.version == 2
    assert [version.version for version in await items.versions(owner, first.item.item_id)] == [
        2,
        1,
    ]
    assert (await items.source(owner, first.item.item_id, 1)).content.decode() == TEXTS[lang]
    assert len(announced) == 2


@pytest.mark.spec("K11")
async def test_a_note_that_cannot_be_kept_says_why(items: Items, owner: Caller) -> None:
    with pytest.raises(NoteTooLong):
        await items.add_note(owner, NoteDraft("я" * (LONGEST_NOTE + 1)))
    for nothing in ("", " \n", "***"):
        with pytest.raises(NoteEmpty):
            await items.add_note(owner, NoteDraft(nothing))
    with pytest.raises(BadName):
        await items.add_note(owner, NoteDraft("text", title="a\x00b"))
    for nowhere in ("..", "a/..", ".", "a\\.."):
        with pytest.raises(BadName):
            await items.add_file(owner, FileDraft(name=nowhere, content=b"text"))
    await items.add_note(owner, NoteDraft("я" * LONGEST_NOTE))


@pytest.mark.spec("K20")
async def test_the_same_bytes_are_recognised_and_another_content_is_a_version(
    items: Items, owner: Caller
) -> None:
    where = Target(namespace="k20")
    first = await items.add_file(owner, FileDraft("прайс.txt", b"100", target=where))
    renamed = await items.add_file(owner, FileDraft("other.txt", b"100", target=where))
    edited = await items.add_file(owner, FileDraft("ПРАЙС.txt", b"200", target=where))
    copied = await items.add_file(owner, FileDraft("прайс.txt", b"200", target=where, copy=True))
    elsewhere = await items.add_file(owner, FileDraft("прайс.txt", b"200", target=Target()))
    assert renamed.outcome is Outcome.UNCHANGED
    assert renamed.item.item_id == first.item.item_id == edited.item.item_id
    assert (edited.outcome, edited.item.version) == (Outcome.UPDATED, 2)
    assert copied.outcome is elsewhere.outcome is Outcome.CREATED
    assert len({first.item.item_id, copied.item.item_id, elsewhere.item.item_id}) == 3


@pytest.mark.spec("K18", "K20")
async def test_two_paths_with_equal_bytes_stay_two_items(items: Items, owner: Caller) -> None:
    where = Target(namespace="paths")
    one = await items.add_file(owner, FileDraft("a", b"same", target=where, external_id="x/a"))
    two = await items.add_file(owner, FileDraft("a", b"same", target=where, external_id="y/a"))
    assert one.item.item_id != two.item.item_id


@pytest.mark.spec("K19")
async def test_a_client_learns_which_bytes_are_missing_and_adds_the_rest_by_hash(
    items: Items, owner: Caller
) -> None:
    where = Target(namespace="k19")
    known = await items.add_file(owner, FileDraft("a.md", b"# A", target=where, external_id="a.md"))
    digest, unknown = sha256(b"# A").digest(), sha256(b"# B").digest()
    states = await items.check_files(
        owner,
        where,
        [FileCheck(digest, "a.md"), FileCheck(digest, "b.md"), FileCheck(unknown, "c.md")],
    )
    assert [(state.item and state.item.item_id, state.known) for state in states] == [
        (known.item.item_id, True),
        (None, True),
        (None, False),
    ]
    by_hash = await items.add_file(
        owner, FileDraft("b.md", sha256=digest, target=where, external_id="b.md")
    )
    assert by_hash.outcome is Outcome.CREATED
    assert (await items.source(owner, by_hash.item.item_id)).content == b"# A"
    with pytest.raises(BytesUnknown):
        await items.add_file(owner, FileDraft("c.md", sha256=unknown, target=where))


@pytest.mark.spec("K12", "X8")
async def test_a_file_that_is_too_large_is_refused(items: Items, owner: Caller) -> None:
    with pytest.raises(FileTooLarge):
        await items.add_file(owner, FileDraft("big.txt", b"x" * (LARGEST_FILE + 1)))


@pytest.mark.spec("K16", "I1")
async def test_a_change_makes_a_version_and_a_stale_one_is_refused(
    items: Items, owner: Caller
) -> None:
    note = (await items.add_note(owner, NoteDraft("Было 180 дней"))).item
    pinned = await items.change(
        owner, note.item_id, ItemChange(pinned=True), expected_revision=note.revision
    )
    assert (pinned.pinned, pinned.version) == (True, 1)
    with pytest.raises(ItemChangedMeanwhile):
        await items.change(
            owner, note.item_id, ItemChange(text="x"), expected_revision=note.revision
        )
    changed = await items.change(owner, note.item_id, ItemChange(text="Стало 270 дней"))
    assert changed.version == 2
    same = await items.change(owner, note.item_id, ItemChange(text="Стало 270 дней"))
    assert same.version == 2
    file = (await items.add_file(owner, FileDraft("f.txt", b"of a file"))).item
    with pytest.raises(NotANote):
        await items.change(owner, file.item_id, ItemChange(text="x"))
    renamed = await items.change(owner, file.item_id, ItemChange(title="Новое имя"))
    assert (renamed.title, renamed.version) == ("Новое имя", 2)


@pytest.mark.spec("K19")
async def test_deleting_removes_versions_file_and_all(
    items: Items, owner: Caller, announced: list[object], database: Database
) -> None:
    file = (await items.add_file(owner, FileDraft("секрет.txt", b"delete me"))).item
    await items.delete(owner, file.item_id)
    assert announced[-1] == ItemsDeleted(owner.own.workspace_id, (file.item_id,))
    for act in (items.get, items.text, items.versions, items.source, items.delete, items.refresh):
        with pytest.raises(ItemNotFound):
            await act(owner, file.item_id)
    async with database.transaction() as tx:
        cursor = await tx.connection.execute(
            "select count(*) from item_version where workspace_id = %s and item_id = %s",
            (owner.own.workspace_id, file.item_id),
        )
        assert (await cursor.fetchone()) == (0,)
        cursor = await tx.connection.execute(
            "select count(*) from blob b where workspace_id = %s and not exists (select from"
            " item_version v where v.workspace_id = b.workspace_id and v.blob_key = b.blob_key)",
            (owner.own.workspace_id,),
        )
        assert (await cursor.fetchone()) == (0,)


async def test_lists_are_paged_without_loss_or_repetition(items: Items, owner: Caller) -> None:
    where = Target(namespace="paging")
    made = [
        (await items.add_note(owner, NoteDraft(f"note {n}", target=where))).item.item_id
        for n in range(7)
    ]
    seen: list[ItemId] = []
    cursor = None
    while True:
        query = ItemQuery(namespace="paging", limit=3, cursor=cursor)
        page = await items.list(owner, query)
        seen += [item.item_id for item in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == made[::-1]
    with pytest.raises(BadCursor):
        await items.list(owner, ItemQuery(cursor="nonsense"))


@pytest.mark.spec("X3", "X17")
async def test_what_may_not_be_seen_answers_like_what_is_not_there(
    items: Items, owner: Caller
) -> None:
    note = (await items.add_note(owner, NoteDraft("text"))).item
    with pytest.raises(TextNotRead):
        await items.text(owner, note.item_id)
    with pytest.raises(VersionNotFound):
        await items.text(owner, note.item_id, 7)
    for level in ("domain:example.com", "address:a@b.c", "nonsense"):
        with pytest.raises(LevelNotFound):
            await items.add_note(owner, NoteDraft("text", target=Target(level=level)))
    with pytest.raises(ItemNotFound):
        await items.get(owner, ItemId(1))


@pytest.mark.spec("X1", "X2")
async def test_a_key_that_only_reads_changes_nothing(
    items: Items, owner: Caller, workspaces: Workspaces
) -> None:
    made = await workspaces.make_key(
        owner, name="читатель", permissions=frozenset({Permission.KNOWLEDGE_READ})
    )
    reader = await workspaces.authenticate(made.secret)
    note = (await items.add_note(owner, NoteDraft("text"))).item
    assert (await items.get(reader, note.item_id)).title == "text"
    for act in (
        items.add_note(reader, NoteDraft("x")),
        items.change(reader, note.item_id, ItemChange(pinned=True)),
        items.delete(reader, note.item_id),
        items.refresh(reader, note.item_id),
    ):
        with pytest.raises(SvodError) as refused:
            await act
        assert refused.value.code == "workspaces.permission_missing"


@pytest.mark.spec("K15")
async def test_a_queued_item_says_that_no_worker_runs(items: Items, owner: Caller) -> None:
    note = (await items.add_note(owner, NoteDraft("Ждёт обработчика"))).item
    reason = (await items.get(owner, note.item_id)).waiting_reason
    assert reason is WaitingReason.NO_WORKER
    assert "обработчик" in reason.says.ru
    assert reason.says.en

"""The knowledge context of a prompt: pinned notes of each level read, and the best chunks."""

import pytest

from fakes.shelf import Shelf
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.retrieval import Contexts, Mode, Retrieval, RetrievalPlan
from svod.knowledge.retrieval.context import PINNED_CHARACTERS
from svod.knowledge.retrieval.stored_texts import StoredTexts
from svod.knowledge.workspaces import LevelNotFound, PermissionMissing

TEXTS = {
    "ru": ("Залог за самокат 700 рублей.", "Всегда обращайтесь на «вы».", "залог самоката"),
    "en": ("The deposit for a scooter is 700.", "Always be polite.", "scooter deposit"),
}
BOTH = ("ru", "en")


@pytest.fixture
def shelf(database: Database) -> Shelf:
    return Shelf(database)


@pytest.fixture
def contexts(database: Database) -> Contexts:
    return Contexts(Retrieval(database, None, SystemClock()), StoredTexts(database, SystemClock()))


@pytest.mark.spec("R10")
@pytest.mark.parametrize("lang", BOTH)
async def test_pinned_notes_come_whether_they_match_or_not_and_hits_besides(
    shelf: Shelf, contexts: Contexts, lang: str
) -> None:
    text, pinned, query = TEXTS[lang]
    await shelf.add(pinned, title="Тон", pinned=True)
    await shelf.add(text, title="Прокат", heading_path=("Цены",))
    context = await contexts.build_context(shelf.caller(), RetrievalPlan(query, mode=Mode.WORDS))
    assert context.text == (
        f"[1] Тон · workspace · 2026-11-30\n{pinned}\n\n"
        f"[2] Прокат › Цены · workspace · 2026-11-30\n{text}"
    )
    assert [source.pinned for source in context.sources] == [True, False]
    assert [source.n for source in context.sources] == [1, 2]
    assert context.cut == ()
    again = await contexts.build_context(shelf.caller(), RetrievalPlan(query, mode=Mode.WORDS))
    assert again.text == context.text


@pytest.mark.spec("R10")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_pinned_note_that_matches_is_said_once(
    shelf: Shelf, contexts: Contexts, lang: str
) -> None:
    text, _, query = TEXTS[lang]
    await shelf.add(text, pinned=True)
    context = await contexts.build_context(shelf.caller(), RetrievalPlan(query))
    assert context.text.count(text) == 1
    assert context.passages == ()


@pytest.mark.spec("R10")
async def test_each_level_shows_2000_characters_of_pinned_notes_and_says_what_was_cut(
    shelf: Shelf, contexts: Contexts
) -> None:
    for level in ("workspace", "domain:example.com"):
        for number in (1, 2, 3):
            sentence = f"Rule {number} of {level} is to be kept. "
            await shelf.add((sentence * 40)[:900].rsplit(".", 1)[0] + ".", level=level, pinned=True)
    context = await contexts.build_context(shelf.caller(), RetrievalPlan("nothing of this"))
    assert [note.level for note in context.pinned] == ["domain:example.com"] * 3 + ["workspace"] * 3
    for level in ("workspace", "domain:example.com"):
        shown = [note.text for note in context.pinned if note.level == level]
        assert 1700 < sum(map(len, shown)) <= PINNED_CHARACTERS
        assert all(text.endswith(" is to be kept.") for text in shown)
    assert [(cut.pinned, cut.left_out) for cut in context.cut] == [(True, False)] * 2


@pytest.mark.spec("R10", "X3")
async def test_pinned_notes_come_only_from_where_the_plan_looks_and_the_caller_may(
    database: Database, shelf: Shelf, contexts: Contexts
) -> None:
    system = Shelf(database)
    await system.add("Global rule.", level="global", pinned=True)
    await shelf.add("Own rule.", pinned=True)
    await shelf.add("Rule of a domain.", level="domain:a.com", pinned=True)
    await shelf.add("Secret rule.", level="domain:secret.com", pinned=True)
    await shelf.grant("domain:secret.com", may_read=False)

    async def rules(**where: tuple[str, ...]) -> set[str]:
        plan = RetrievalPlan("anything", **where)  # pyright: ignore[reportArgumentType]
        context = await contexts.build_context(shelf.caller(system), plan)
        return {note.text for note in context.pinned}

    assert await rules() == {"Global rule.", "Own rule.", "Rule of a domain."}
    assert await rules(levels=("workspace", "global")) == {"Global rule.", "Own rule."}
    with pytest.raises(LevelNotFound):
        await rules(levels=("domain:secret.com",))


@pytest.mark.spec("K8", "R10")
async def test_what_is_read_through_a_tool_only_stays_out_unless_it_is_named(
    shelf: Shelf, contexts: Contexts
) -> None:
    await shelf.add("Hidden rule.", namespace="hidden", pinned=True)
    await shelf.run(
        "update namespace set access_mode = 'TOOL_ONLY'"
        " where workspace_id = %(workspace_id)s and clean_namespace = 'hidden'"
    )
    plan = RetrievalPlan("hidden rule")
    assert (await contexts.build_context(shelf.caller(), plan)).sources == ()
    named = RetrievalPlan("hidden rule", namespaces=("hidden",))
    assert len((await contexts.build_context(shelf.caller(), named)).pinned) == 1


@pytest.mark.spec("R10")
async def test_a_changed_note_shows_the_version_that_serves(
    shelf: Shelf, contexts: Contexts
) -> None:
    item_id = await shelf.add("The old rule.", pinned=True)
    await shelf.change(item_id, "The new rule.")
    (note,) = (await contexts.build_context(shelf.caller(), RetrievalPlan("rule"))).pinned
    assert (note.text, note.version, note.start, note.end) == ("The new rule.", 2, 0, 13)


@pytest.mark.spec("R10")
async def test_neighbouring_chunks_are_joined_as_the_text_has_them(
    shelf: Shelf, contexts: Contexts
) -> None:
    item_id = await shelf.add("A scooter is here.", "The scooter is red.", "No more.", "A scooter.")
    context = await contexts.build_context(
        shelf.caller(), RetrievalPlan("scooter", mode=Mode.WORDS)
    )
    joined, alone = sorted(context.passages, key=lambda passage: passage.start)
    assert joined.text == "A scooter is here.\nThe scooter is red."
    assert (joined.item_id, joined.start, len(joined.hits)) == (item_id, 0, 2)
    assert alone.text == "A scooter."


@pytest.mark.spec("X1")
async def test_who_may_not_read_knowledge_gets_no_context(shelf: Shelf, contexts: Contexts) -> None:
    await shelf.add("A rule.", pinned=True)
    caller = shelf.caller()
    bare = type(caller)(caller.own, caller.system, frozenset(), name="x", kind="key")
    with pytest.raises(PermissionMissing):
        await contexts.build_context(bare, RetrievalPlan("rule"))

"""What a vault sealed opens only in its place; what it hashes says nothing without its key."""

import secrets

import pytest

from svod.foundation.ids import WorkspaceId
from svod.foundation.storage import MasterKey, SealBroken, Vault

TEXTS = [
    pytest.param("Возврат — 21 день, ёлки-палки.", id="ru"),
    pytest.param("Returns take 21 days.", id="en"),
    pytest.param("𝔸stral 🎄 and a lone \ud800 surrogate", id="astral"),
    pytest.param("", id="empty"),
]


def a_vault(workspace_id: int = 1, keys: dict[int, bytes] | None = None) -> Vault:
    return Vault(
        WorkspaceId(workspace_id),
        seal_keys=keys or {1: secrets.token_bytes(32)},
        words_key=secrets.token_bytes(32),
    )


@pytest.mark.spec("X5")
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_opens_as_it_was_sealed(vault: Vault, text: str) -> None:
    sealed = vault.seal_text(text, "note", 7, "title")
    assert vault.open_text(sealed, "note", 7, "title") == text
    assert not text or text.encode("utf-8", "surrogatepass") not in sealed


@pytest.mark.spec("X5")
def test_a_value_moved_to_another_row_does_not_open(vault: Vault) -> None:
    sealed = vault.seal_text("Возврат", "note", 7, "title")
    for elsewhere in [("note", 8, "title"), ("note", 7, "text"), ("file", 7, "title"), ()]:
        with pytest.raises(SealBroken):
            vault.open_text(sealed, *elsewhere)


@pytest.mark.spec("X5")
def test_a_value_moved_to_another_workspace_does_not_open() -> None:
    keys = {1: secrets.token_bytes(32)}
    sealed = a_vault(1, keys).seal(b"secret", "note", 7)
    with pytest.raises(SealBroken):
        a_vault(2, keys).open(sealed, "note", 7)


@pytest.mark.spec("X5")
@pytest.mark.parametrize("place", [0, 1, 12, -1])
def test_an_altered_value_does_not_open(vault: Vault, place: int) -> None:
    sealed = bytearray(vault.seal(b"secret", "note", 7))
    sealed[place] ^= 1
    with pytest.raises(SealBroken):
        vault.open(bytes(sealed), "note", 7)


@pytest.mark.parametrize("rest", [b"", b"\x01", b"\x01" + bytes(12)])
def test_a_value_cut_short_does_not_open(vault: Vault, rest: bytes) -> None:
    with pytest.raises(SealBroken):
        vault.open(rest, "note", 7)


@pytest.mark.spec("X5")
def test_the_newest_key_seals_and_every_key_opens() -> None:
    first, second = secrets.token_bytes(32), secrets.token_bytes(32)
    before = a_vault(1, {1: first}).seal(b"old", "note", 7)
    rotated = a_vault(1, {1: first, 2: second})
    after = rotated.seal(b"new", "note", 7)
    assert (before[0], after[0]) == (1, 2)
    assert rotated.open(before, "note", 7) == b"old"
    assert rotated.open(after, "note", 7) == b"new"
    with pytest.raises(SealBroken):
        a_vault(1, {1: first}).open(after, "note", 7)


@pytest.mark.spec("X6")
@pytest.mark.parametrize("word", ["возврат", "refund", "🎄"])
def test_a_word_has_one_number_a_workspace_and_another_elsewhere(word: str) -> None:
    here, there = a_vault(1), a_vault(2)
    assert here.terms([word, word])[0] == here.terms([word])[0]
    assert here.terms([word]) != there.terms([word])
    assert here.key_for("title", word) == here.key_for("title", word)
    assert here.key_for("title", word) != here.key_for("name", word)
    assert here.key_for("title", word) != there.key_for("title", word)


@pytest.mark.spec("X5")
def test_a_data_key_unwraps_only_as_what_it_was_wrapped_as(master_key: MasterKey) -> None:
    key, here, there = secrets.token_bytes(32), WorkspaceId(1), WorkspaceId(2)
    wrapped = master_key.wrap(key, here, "seal", 1)
    assert master_key.unwrap(wrapped, here, "seal", 1) == key
    for elsewhere in [(there, "seal", 1), (here, "words", 1), (here, "seal", 2)]:
        with pytest.raises(SealBroken):
            master_key.unwrap(wrapped, *elsewhere)
    with pytest.raises(SealBroken):
        MasterKey(secrets.token_bytes(32)).unwrap(wrapped, here, "seal", 1)

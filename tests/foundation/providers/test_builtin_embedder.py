"""How the built-in embedder loads, waits, overtakes and stops."""

import asyncio
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from svod.foundation.providers import BuiltinEmbedder, Purpose, embedder_from
from svod.foundation.providers.e5 import folder, model
from svod.foundation.providers.errors import (
    EmbedderClosed,
    ModelNotBuilt,
    UnknownEmbeddings,
    WeightsMissing,
)
from svod.foundation.settings import Settings


@pytest.fixture
def copied(builtin: BuiltinEmbedder, model_folder: Path, tmp_path: Path) -> Path:
    """A folder with the built model that a test may harm."""
    assert builtin.card
    shutil.copytree(model_folder / folder.NAME, tmp_path / folder.NAME)
    return tmp_path


def test_a_server_that_is_imported_has_not_loaded_the_runtime() -> None:
    seen = "import sys, svod.foundation.providers; print({'onnx', 'onnxruntime'} & {*sys.modules})"
    said = subprocess.run([sys.executable, "-c", seen], check=True, capture_output=True, text=True)  # noqa: S603
    assert said.stdout.strip() == "set()"


async def test_the_card_is_known_and_nothing_is_loaded_before_the_first_call(
    tmp_path: Path,
) -> None:
    embedder = BuiltinEmbedder(folder=tmp_path / "models")
    assert embedder.card.name == "multilingual-e5-small:int8:1571fc98"
    assert embedder.card.dimensions == 384
    assert not embedder.ready
    assert (await embedder.embed([], purpose=Purpose.STORE)).shape == (0, 384)
    assert not (tmp_path / "models").exists()
    embedder.close()


async def test_first_calls_at_once_load_once(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = BuiltinEmbedder(folder=copied)
    loaded: list[Path] = []
    opened = embedder._model._open_session
    monkeypatch.setattr(
        embedder._model, "_open_session", lambda g: (loaded.append(g), opened(g))[1]
    )
    async with asyncio.TaskGroup() as group:
        group.create_task(embedder.warm())
        for _ in range(4):
            group.create_task(embedder.embed(["да"], purpose=Purpose.ASK))
    assert len(loaded) == 1
    assert embedder.ready
    embedder.close()


@pytest.mark.parametrize("damaged", [folder.TOKENIZER, folder.GRAPH, folder.NUMBERS])
async def test_damaged_files_are_made_again(copied: Path, damaged: str) -> None:
    file = copied / folder.NAME / damaged
    whole = hashlib.sha256(file.read_bytes()).digest()
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size // 2)
        opened.write(b"damaged")
    assert not folder.is_whole(copied / folder.NAME)
    (copied / "e5-of-an-earlier-release").mkdir()
    embedder = BuiltinEmbedder(folder=copied)
    await embedder.warm()
    embedder.close()
    assert hashlib.sha256(file.read_bytes()).digest() == whole
    assert os.listdir(copied) == [folder.NAME]  # noqa: PTH208 - a path's own method is refused here


async def test_a_failed_load_is_told_and_tried_again(
    tmp_path: Path, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = BuiltinEmbedder(folder=tmp_path / "elsewhere")

    def missing() -> Path:
        raise WeightsMissing

    monkeypatch.setattr(model, "locate", missing)
    with pytest.raises(WeightsMissing) as raised:
        await embedder.embed(["да"], purpose=Purpose.STORE)
    assert raised.value.advice()
    with pytest.raises(WeightsMissing):
        embedder.count_tokens(["да"])
    assert not embedder.ready
    shutil.copytree(copied / folder.NAME, tmp_path / "elsewhere" / folder.NAME)
    assert (await embedder.embed(["да"], purpose=Purpose.STORE)).shape == (1, 384)
    embedder.close()


async def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("not a folder")
    embedder = BuiltinEmbedder(folder=tmp_path / "file")
    with pytest.raises(ModelNotBuilt) as raised:
        await embedder.warm()
    assert str(tmp_path) not in str(raised.value)
    embedder.close()


async def test_a_question_overtakes_what_is_stored(builtin: BuiltinEmbedder) -> None:
    done: list[str] = []

    async def call(name: str, texts: list[str], purpose: Purpose) -> None:
        await builtin.embed(texts, purpose=purpose)
        done.append(name)

    many = [f"слово {number} " * (30 + number) for number in range(24)]
    async with asyncio.TaskGroup() as group:
        group.create_task(call("stored", many, Purpose.STORE))
        await asyncio.sleep(0.05)
        group.create_task(call("stored after", ["текст"], Purpose.STORE))
        group.create_task(call("asked", ["вопрос"], Purpose.ASK))
        group.create_task(call("compared", ["ответ"], Purpose.COMPARE))
    assert done == ["asked", "compared", "stored", "stored after"]


async def test_a_compared_passage_has_the_vector_of_a_stored_one(builtin: BuiltinEmbedder) -> None:
    stored = await builtin.embed(["Срок — 14 дней."], purpose=Purpose.STORE)
    compared = await builtin.embed(["Срок — 14 дней."], purpose=Purpose.COMPARE)
    np.testing.assert_allclose(stored, compared, atol=1e-5)


async def test_callers_in_other_loops_are_answered_in_their_own(builtin: BuiltinEmbedder) -> None:
    def elsewhere() -> np.ndarray:
        return asyncio.run(builtin.embed(["общий текст"], purpose=Purpose.STORE))

    here, there = await asyncio.gather(  # noqa: TID251 - a thread, nothing to cancel
        builtin.embed(["общий текст"], purpose=Purpose.STORE), asyncio.to_thread(elsewhere)
    )
    np.testing.assert_allclose(here, there, atol=1e-5)


async def test_closing_fails_those_who_wait_and_takes_no_more(copied: Path) -> None:
    embedder = BuiltinEmbedder(folder=copied)
    await embedder.warm()
    waiting = asyncio.create_task(embedder.embed(["слово " * 400] * 50, purpose=Purpose.STORE))
    await asyncio.sleep(0)
    await asyncio.to_thread(embedder.close)
    with pytest.raises(EmbedderClosed):
        await waiting
    with pytest.raises(EmbedderClosed):
        await embedder.embed(["да"], purpose=Purpose.ASK)


def test_the_setting_names_the_embedder(tmp_path: Path) -> None:
    assert embedder_from(Settings(data=tmp_path, embeddings="none")) is None
    assert isinstance(embedder_from(Settings(data=tmp_path)), BuiltinEmbedder)
    with pytest.raises(UnknownEmbeddings, match="builtin, none"):
        embedder_from(Settings(data=tmp_path, embeddings="magic"))

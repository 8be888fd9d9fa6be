"""A model of the operator's own, from a folder."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from fakes.model_folder import WIDTH, a_model_folder
from svod.foundation.providers import Purpose, embedder_from, source_from
from svod.foundation.providers.errors import (
    FolderIncomplete,
    FolderUnusable,
    TokenizerUnsupported,
)
from svod.foundation.providers.folder.embedder import FolderEmbedder
from svod.foundation.providers.folder.tokenizer import Tokenizer, Tokens
from svod.foundation.providers.sources import FolderSource
from svod.foundation.settings import Settings

TEXTS = ["Суп варят на слабом огне.", "The river floods its meadows."]


async def opened(folder: Path) -> FolderEmbedder:
    embedder = embedder_from(Settings(embeddings=str(folder)))
    assert isinstance(embedder, FolderEmbedder)
    await embedder.warm()
    return embedder


@pytest.mark.spec("A18")
@pytest.mark.parametrize("pooled", [False, True])
async def test_the_setting_names_a_folder_and_its_model_gives_the_vectors(
    tmp_path: Path, pooled: bool
) -> None:
    embedder = await opened(a_model_folder(tmp_path / "mine", pooled=pooled))
    vectors = await embedder.embed(TEXTS, purpose=Purpose.STORE)
    assert vectors.shape == (2, WIDTH)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    (near,) = await embedder.embed(["Суп варят на сильном огне."], purpose=Purpose.ASK)
    assert near @ vectors[0] > near @ vectors[1]
    assert embedder.card.name.startswith(f"onnx:mine:{WIDTH}:")
    assert embedder.max_tokens == 64
    await embedder.aclose()


@pytest.mark.spec("R7", "N-31")
async def test_the_name_of_the_card_changes_with_every_file(tmp_path: Path) -> None:
    folders = {
        "same": a_model_folder(tmp_path / "1" / "m"),
        "again": a_model_folder(tmp_path / "2" / "m"),
        "graph": a_model_folder(tmp_path / "3" / "m", seed=2),
        "prefix": a_model_folder(tmp_path / "4" / "m", query_prefix="query: "),
        "pooling": a_model_folder(tmp_path / "5" / "m", pooling="cls"),
        "dimensions": a_model_folder(tmp_path / "6" / "m", dimensions=16),
        "numbers": a_model_folder(tmp_path / "7" / "m"),
    }
    (folders["numbers"] / "model.onnx_data").write_bytes(b"numbers beside the graph")
    names: dict[str, str] = {}
    for what, folder in folders.items():
        embedder = await opened(folder)
        names[what] = embedder.card.name
        await embedder.aclose()
    assert names["same"] == names["again"]
    assert len(set(names.values())) == len(folders) - 1


async def test_fewer_dimensions_are_the_first_ones(tmp_path: Path) -> None:
    whole = await opened(a_model_folder(tmp_path / "whole"))
    part = await opened(a_model_folder(tmp_path / "part", dimensions=16))
    (long,) = await whole.embed(TEXTS[:1], purpose=Purpose.STORE)
    (short,) = await part.embed(TEXTS[:1], purpose=Purpose.STORE)
    np.testing.assert_allclose(short, long[:16] / np.linalg.norm(long[:16]), atol=1e-5)
    await whole.aclose()
    await part.aclose()


def test_ids_of_the_vocabulary_become_those_of_the_model(tmp_path: Path) -> None:
    file = a_model_folder(tmp_path) / "sp.model"
    (plain,) = Tokenizer(file, Tokens()).encode(["вода ☃"], prefix="", limit=64)
    moved = Tokens(shift=1, begin=0, end=2, unknown=3)
    (shifted,) = Tokenizer(file, moved).encode(["вода ☃"], prefix="", limit=64)
    assert (shifted[0], shifted[-1]) == (0, 2)
    assert [one + 1 if one else 3 for one in plain[1:-1]] == shifted[1:-1]
    assert 3 in shifted
    (bare,) = Tokenizer(file, Tokens(begin=-1, end=-1)).encode([""], prefix="", limit=64)
    assert bare == [0]


@pytest.mark.parametrize("missing", ["model.onnx", "sp.model", "svod.json"])
def test_what_is_missing_is_named_before_the_server_starts(tmp_path: Path, missing: str) -> None:
    folder = a_model_folder(tmp_path / "mine")
    (folder / missing).unlink()
    with pytest.raises(FolderIncomplete, match=missing.replace("sp", "")):
        source_from(Settings(embeddings=str(folder)))


@pytest.mark.parametrize(
    ("said", "field"),
    [('{"dimensions": 1}', "dimensions"), ('{"dimensions": 48, "run": 1}', "run"), ("{", "JSON")],
)
def test_a_description_that_cannot_be_is_named(tmp_path: Path, said: str, field: str) -> None:
    folder = a_model_folder(tmp_path / "mine")
    (folder / "svod.json").write_text(said)
    with pytest.raises(FolderIncomplete, match=field):
        source_from(Settings(embeddings=str(folder)))


def test_a_tokenizer_of_another_kind_is_told_as_that(tmp_path: Path) -> None:
    folder = a_model_folder(tmp_path / "mine")
    (folder / "sp.model").rename(folder / "tokenizer.json")
    with pytest.raises(TokenizerUnsupported) as raised:
        source_from(Settings(embeddings=str(folder)))
    assert "openai" in (raised.value.advice() or "")


@pytest.mark.spec("X15")
async def test_a_graph_that_gives_something_else_is_told(tmp_path: Path) -> None:
    folder = a_model_folder(tmp_path / "mine", dimensions=64)
    source = source_from(Settings(embeddings=str(folder)))
    assert source == FolderSource(path=folder)
    embedder = embedder_from(Settings(embeddings=str(folder)))
    assert embedder is not None
    with pytest.raises(FolderUnusable, match="64"):
        await embedder.warm()
    await embedder.aclose()


@pytest.mark.spec("X15")
async def test_a_folder_that_went_away_is_told_and_tried_again(tmp_path: Path) -> None:
    folder = a_model_folder(tmp_path / "mine")
    embedder = embedder_from(Settings(embeddings=str(folder)))
    assert embedder is not None
    folder.rename(tmp_path / "moved")
    with pytest.raises(FolderUnusable):
        await embedder.warm()
    assert embedder.trouble is not None
    shutil.copytree(tmp_path / "moved", folder)
    await embedder.warm()
    assert (embedder.ready, embedder.trouble) == (True, None)
    await embedder.aclose()

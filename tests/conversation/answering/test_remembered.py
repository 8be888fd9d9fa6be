"""Sentences compared lately are not embedded again, within a workspace."""

import numpy as np
import pytest

from svod.conversation.answering.remembered import Remembered
from svod.foundation.ids import WorkspaceId

HERE, THERE = WorkspaceId(1), WorkspaceId(2)
VECTOR = np.ones(3, dtype=np.float32)


@pytest.mark.spec("R8")
@pytest.mark.parametrize("text", ["Гарантия два года.", "Two years of warranty."])
def test_a_vector_is_remembered_for_its_workspace_and_model_alone(text: str) -> None:
    remembered = Remembered()
    remembered.keep("model", {(HERE, text): VECTOR})
    assert list(remembered.known("model", [(HERE, text), (THERE, text)])) == [(HERE, text)]
    assert remembered.known("other", [(HERE, text)]) == {}


@pytest.mark.spec("R8")
def test_the_vectors_not_used_for_longest_are_forgotten() -> None:
    remembered = Remembered(most=2)
    remembered.keep("model", {(HERE, "a"): VECTOR, (HERE, "b"): VECTOR})
    remembered.known("model", [(HERE, "a")])
    remembered.keep("model", {(HERE, "c"): VECTOR})
    kept = remembered.known("model", [(HERE, one) for one in "abc"])
    assert [text for _, text in kept] == ["a", "c"]

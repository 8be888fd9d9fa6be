"""A short random walk through a workspace as people with narrow rights; `bench walk` takes long ones."""

import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from running import ROOT, Machine


@pytest.mark.spec("X3", "K3", "X2")
@settings(
    max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(min_value=0, max_value=2**31))
def test_nothing_hidden_shows_on_a_random_walk(server: Machine, seed: int) -> None:
    walk = [ROOT / "bench" / "walk.py", "--steps", "50", "--walks", "1", "--seed", str(seed)]
    told = subprocess.run(  # noqa: S603 - this checkout's own program
        [sys.executable, *walk, "--url", server.url, "--key", server.key],
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
        env=server.environment | {"PYTHONPATH": str(ROOT / "src")},
    )
    assert told.returncode == 0, told.stdout + told.stderr

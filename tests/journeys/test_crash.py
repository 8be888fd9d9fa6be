"""A server is killed again and again under load: a short run of `bench/crash.py`, and its checker."""

import json
import os
import subprocess
import sys

import psycopg
import pytest
from running import ROOT, Machine

from svod.foundation.storage.embedded import EmbeddedPostgres

pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(400)]


@pytest.mark.spec("X9", "N-01", "N-05")
@pytest.mark.parametrize("topology", ["one", "split"])
def test_nothing_acknowledged_is_lost_doubled_or_stuck(topology: str) -> None:
    kills = {"one": "3", "split": "2"}[topology]
    ended = subprocess.run(  # noqa: S603
        [
            sys.executable,
            "bench/crash.py",
            "--kills",
            kills,
            "--seed",
            "1",
            "--json",
            "--topology",
            topology,
            "--embeddings",
            "none",
        ],
        cwd=ROOT,
        env={"PATH": os.defpath, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout, ended.stderr
    report = json.loads(ended.stdout)
    assert report["bad"] == {}
    assert report["acknowledged"]
    assert report["searches"]
    assert ended.returncode == 0


DAMAGE = {
    "words of chunks not in segments": "delete from term_segment where ctid in"
    " (select ctid from term_segment limit 1)",
    "words in segments not of chunks": "update term_segment set term = term # 1 where ctid in"
    " (select ctid from term_segment limit 1)",
    "namespaces that count wrongly": "update namespace set live = live + 1",
    "rows without a file on the disk": "insert into blob (workspace_id, blob_key, bytes, created_at)"
    " select workspace_id, '\\x00112233445566778899aabbccddeeff', 1, now() from item limit 1",
    "chunks of another version": "update chunk set version = version + 1",
}


def findings(machine: Machine) -> dict[str, int]:
    ended = subprocess.run(  # noqa: S603
        [sys.executable, str(ROOT / "bench" / "consistency.py")],
        env=machine.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.split(None, 1) for line in ended.stdout.splitlines()]
    found = {name: int(count) for count, name in lines}
    assert ended.returncode == int(any(found.values())), ended.stderr
    return {name: count for name, count in found.items() if count}


@pytest.mark.spec("X9")
def test_the_checker_of_the_crash_bench_finds_what_does_not_fit(machine: Machine) -> None:
    machine.up()
    assert machine("add", "--text", "Насос весит 417 граммов. A pump.", "--wait").code == 0
    machine.stop()
    assert findings(machine) == {}
    for name, harm in DAMAGE.items():
        server = EmbeddedPostgres(machine.data)
        with psycopg.connect(server.start().dsn, autocommit=True) as connection:
            connection.execute(harm)
        server.stop()
        assert name in findings(machine)

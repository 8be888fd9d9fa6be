"""The launcher works from anywhere, prepares once, and names what is missing.

It runs with a stand-in for Python that makes an environment of empty programs, so nothing is
installed: what is tested is the shell.
"""

import os
import shutil
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from source_tree import ROOT

PYTHON = """#!/bin/sh
case "$1" in
  -c) exit {too_old} ;;
  -V) echo "Python 3.99" ;;
  -m) [ "$2" = venv ] || exit 9
      {venv}
      mkdir -p "$3/bin"
      printf '#!/bin/sh\\ncat >/dev/null\\nexit 0\\n' > "$3/bin/python"
      printf '#!/bin/sh\\necho "$@" >> "%s/uv.log"\\nexit {uv}\\n' "$PWD" > "$3/bin/uv"
      printf '#!/bin/sh\\necho "ran:$*:$SVOD_DATA:$PWD"\\n' > "$3/bin/svod"
      chmod +x "$3/bin/"* ;;
esac
"""


@dataclass
class Checkout:
    """A checkout in a folder whose name has spaces and Cyrillic."""

    folder: Path
    python: Path
    environment: dict[str, str] = field(default_factory=dict[str, str])

    def run(
        self, *arguments: str, cwd: Path | None = None, launcher: Path | None = None
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(  # noqa: S603 - our own launcher
            [str(launcher or self.folder / "svod"), *arguments],
            cwd=cwd or self.folder,
            env={"PATH": os.environ["PATH"], "PYTHON": str(self.python)} | self.environment,  # noqa: TID251 - the shell's own
            capture_output=True,
            text=True,
            check=False,
        )

    def stand_in(self, *, too_old: int = 0, venv: str = "", uv: int = 0) -> None:
        self.python.write_text(PYTHON.format(too_old=too_old, venv=venv, uv=uv))
        self.python.chmod(0o755)

    @property
    def synced(self) -> list[str]:
        log = self.folder / "uv.log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line.rsplit(" ", 1)[-1] for line in lines if " sync " in line]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    folder = tmp_path / "my files" / "свод"
    folder.mkdir(parents=True)
    for name in ("svod", "requirements.lock", "requirements-dev.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    made = Checkout(folder, tmp_path / "a python")
    made.stand_in()
    return made


def test_the_launcher_is_executable_and_plain_shell() -> None:
    launcher = ROOT / "svod"
    assert launcher.stat().st_mode & stat.S_IXUSR
    assert launcher.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    checked = subprocess.run(["/bin/sh", "-n", str(launcher)], check=False)  # noqa: S603 - ours
    assert checked.returncode == 0


def test_it_runs_the_command_from_any_folder(checkout: Checkout, tmp_path: Path) -> None:
    done = checkout.run("add", "a file.md", "--wait", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    # Paths that are given stay relative to where the user stands; the data do not.
    assert done.stdout == f"ran:add a file.md --wait:{checkout.folder}/data:{tmp_path}\n"


def test_a_data_folder_that_is_set_is_kept(checkout: Checkout) -> None:
    checkout.environment["SVOD_DATA"] = "/somewhere else"
    assert ":/somewhere else:" in checkout.run("up").stdout


def test_it_prepares_once(checkout: Checkout) -> None:
    first, second = checkout.run("up"), checkout.run("whoami")
    assert "preparing the environment / готовлю окружение" in first.stderr
    assert second.stderr == ""
    assert checkout.synced == ["requirements.lock"]


def test_it_prepares_again_when_the_lock_has_changed(checkout: Checkout) -> None:
    checkout.run("up")
    with (checkout.folder / "requirements.lock").open("a") as lock:
        lock.write("# another\n")
    checkout.run("up")
    assert checkout.synced == ["requirements.lock", "requirements.lock"]


def test_the_development_environment_serves_every_command(checkout: Checkout) -> None:
    checkout.run("test")
    checkout.run("up")
    checkout.run("dev", "check")
    assert checkout.synced == ["requirements-dev.lock"]


@pytest.mark.parametrize("missing", ["absent", "too old"])
def test_it_names_the_python_that_is_missing(checkout: Checkout, missing: str) -> None:
    if missing == "absent":
        checkout.python.unlink()
    else:
        checkout.stand_in(too_old=1)
    done = checkout.run("up")
    assert done.returncode == 5
    assert "Python 3.11" in done.stderr
    assert "нужен" in done.stderr
    assert not (checkout.folder / ".venv").exists()


def test_it_names_the_package_without_which_no_environment_can_be_made(checkout: Checkout) -> None:
    checkout.stand_in(venv='mkdir -p "$3/bin"; exit 1')
    done = checkout.run("up")
    assert done.returncode == 5
    assert "apt-get install python3-venv" in done.stderr
    # What was begun is gone, so that the next try starts afresh.
    assert not (checkout.folder / ".venv").exists()
    checkout.stand_in()
    assert checkout.run("up").returncode == 0


def test_an_installation_that_failed_is_said_and_tried_again(checkout: Checkout) -> None:
    checkout.stand_in(uv=2)
    for _ in range(2):
        done = checkout.run("up")
        assert done.returncode == 5
        assert "could not be prepared" in done.stderr
        assert "не удалось" in done.stderr
        assert "ran:" not in done.stdout
    (checkout.folder / ".venv" / "bin" / "uv").write_text("#!/bin/sh\n")
    assert checkout.run("up").stdout.startswith("ran:up:")


def test_it_may_be_called_through_a_link(checkout: Checkout, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    link = tmp_path / "bin" / "svod"
    link.symlink_to(checkout.folder / "svod")
    assert checkout.run("up", launcher=link).stdout.startswith(f"ran:up:{checkout.folder}/data:")

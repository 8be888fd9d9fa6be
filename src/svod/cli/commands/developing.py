"""What developers run in a checkout: tests, checks, measurements, the generated reference."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

import svod
from svod.cli.catalogue import t
from svod.cli.failing import Exit, WrongUse
from svod.cli.output import grumble, say

_LINT_IMPORTS = "from importlinter.cli import lint_imports_command as command; command()"
_SLOW = ("tests/journeys", "tests/postgres")


def test(context: typer.Context) -> int:
    """Run the tests; further arguments go to pytest."""
    given = list(context.args)
    named = [one for one in given if not one.startswith("-")]
    tests = [] if named else ["tests"]
    return _python("-m", "pytest", "-n", "2", "--dist", "loadgroup", "-q", *tests, *given)


def check() -> int:
    """Style, types, floors, and the tests that need no database."""
    root = _checkout()
    ignored = [f"--ignore={folder}" for folder in _SLOW]
    steps = {
        "ruff check": ("-m", "ruff", "check", "."),
        "ruff format": ("-m", "ruff", "format", "--check", "."),
        "basedpyright": ("-m", "basedpyright"),
        "lint-imports": ("-c", _LINT_IMPORTS),
        "pytest": ("-m", "pytest", "-n", "2", "--dist", "loadgroup", "-q", *ignored, "tests"),
    }
    failed = [name for name, command in steps.items() if _step(root, name, command)]
    if failed:
        grumble(t("dev.failed", steps=", ".join(failed)))
        return Exit.FAILED
    say(t("dev.passed"))
    return Exit.DONE


def bench(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar=t("meta.name"), help=t("help.dev.bench.name"))],
) -> int:
    """Run a measurement; further arguments go to it."""
    root = _checkout()
    script = root / "bench" / f"{name}.py"
    if not script.is_file() or "/" in name:
        there = ", ".join(sorted(path.stem for path in (root / "bench").glob("[a-z]*.py")))
        raise WrongUse(t("dev.no_bench", name=name, there=there))
    return _python(str(script), *context.args)


def docs() -> int:
    """Write the reference that is generated from the code."""
    return _python(str(_checkout() / "dev" / "docs.py"))


def _step(root: Path, name: str, command: tuple[str, ...]) -> int:
    say(f"· {name}")
    sys.stdout.flush()
    return subprocess.run([sys.executable, *command], cwd=root, check=False).returncode  # noqa: S603 - our own commands


def _python(*command: str) -> int:
    return subprocess.run([sys.executable, *command], cwd=_checkout(), check=False).returncode  # noqa: S603 - our own commands


def _checkout() -> Path:
    root = Path(svod.__file__).parents[2]
    if not (root / "pyproject.toml").is_file() or not (root / "tests").is_dir():
        raise WrongUse(t("dev.no_checkout"))
    return root

"""The repository as these tests read it: its files, its modules, their syntax trees."""

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "svod"


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file of the package: its dotted name below `svod`, and its tree."""

    name: str
    path: Path
    tree: ast.Module

    @property
    def shown(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def floor(self) -> str:
        """`knowledge`, `cli`; the file's own name for what stands beside the floors."""
        return self.name.split(".", 1)[0]

    def imports(self) -> Iterator[tuple[int, str]]:
        """Line and dotted name of everything imported, also within functions."""
        for node in ast.walk(self.tree):
            match node:
                case ast.Import(names=names):
                    yield from ((node.lineno, name.name) for name in names)
                case ast.ImportFrom(module=str(module), level=0):
                    yield node.lineno, module
                case _:
                    pass


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package."""
    return tuple(
        Module(
            name=".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(
                ".__init__"
            ),
            path=path,
            tree=ast.parse(path.read_text(encoding="utf-8")),
        )
        for path in sorted(PACKAGE.rglob("*.py"))
    )


@cache
def kept_files() -> tuple[Path, ...]:
    """Every file of the repository that is there and not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - of whoever runs the tests
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:  # an archive without its history
        outside = {".venv", "data", "dist", "__pycache__", ".git"}
        return tuple(
            path
            for path in sorted(ROOT.rglob("*"))
            if path.is_file() and not outside & set(path.relative_to(ROOT).parts)
        )
    names = [name for name in listed.stdout.decode().split("\0") if name]
    return tuple(path for name in sorted(names) if (path := ROOT / name).is_file())


@cache
def text_files() -> tuple[tuple[Path, str], ...]:
    """The files that hold text, with it; a file in another encoding counts as bytes."""
    found: list[tuple[Path, str]] = []
    for path in kept_files():
        try:
            found.append((path, path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return tuple(found)

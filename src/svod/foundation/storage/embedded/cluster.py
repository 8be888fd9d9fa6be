"""The cluster on the disk: how it is made, and how it is configured."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from svod.foundation.storage.embedded.home import Home
from svod.foundation.storage.errors import ClusterOfOtherVersion, DatabaseDoesNotStart

PORT = 5432
USER = "svod"
_LONGEST_SOCKET_PATH = 107
_MEBIBYTE = 2**20
_PRIVATE = 0o700

_CONFIGURATION = """\
# Written anew at each start.
listen_addresses = ''
port = {port}
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = {shared_buffers}MB
work_mem = 32MB
maintenance_work_mem = 128MB
max_wal_size = 1GB
random_page_cost = 1.1
max_parallel_workers_per_gather = 0
jit = off
max_logical_replication_workers = 0
huge_pages = off
# A container's small shared memory would break index builds.
dynamic_shared_memory_type = mmap
# After a crash: one call for the file system instead of one for each of a thousand files.
recovery_init_sync_method = {sync}
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
# The log must never hold a statement or a value of one: messages of errors quote values, so they
# stay out of it; the program reports them by their codes.
log_destination = 'stderr'
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_statement = none
log_min_duration_statement = -1
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
"""
_NOT_DURABLE = """\
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum_naptime = 1h
"""


def create(home: Home, *, durable: bool) -> None:
    """Make the cluster, unless it is there; one that was begun and not finished is begun anew.

    Raises:
        ClusterOfOtherVersion: it is there, of another major version.
        DatabaseDoesNotStart: it could not be made.
    """
    if home.cluster.exists():
        _check_version(home)
        return
    unfinished = home.folder / "postgres.new"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    home.account.own(unfinished)
    command = [str(home.programs / "initdb"), "-D", str(unfinished), "-U", USER, "-E", "UTF8"]
    # The same order and the same letters on every host; no SQL of ours depends on collation.
    command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    command += ["--auth-local=peer", "--auth-host=reject", "--no-instructions"]
    command += [] if durable else ["--no-sync"]
    done = subprocess.run(  # noqa: S603 - our own command
        command,
        check=False,
        cwd="/",
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        **home.account.options(),
    )
    if done.returncode:
        raise DatabaseDoesNotStart(reason=done.stderr.strip()[-500:], log=home.log)
    unfinished.rename(home.cluster)


def configure(home: Home, sockets: Path, *, durable: bool) -> None:
    """Write the server's settings, and who may enter: the accounts that own it and run us."""
    settings = _CONFIGURATION.format(
        port=PORT,
        sockets=str(sockets).replace("'", "''"),
        sync="syncfs" if sys.platform == "linux" else "fsync",
        shared_buffers=_shared_buffers_mb(),
    )
    _write(home, "postgresql.conf", settings if durable else settings + _NOT_DURABLE)
    _write(
        home, "pg_hba.conf", "local all all peer map=svod\nlocal replication all peer map=svod\n"
    )
    names = dict.fromkeys(["root", home.account.name])
    _write(home, "pg_ident.conf", "".join(f'svod "{name}" {USER}\n' for name in names))


def socket_folder(home: Home) -> Path:
    """A short folder that only the server's account enters; the same until `forget_sockets`.

    Not in the data folder: its path may be too long for a socket, or its file system have none.
    """
    record = home.folder / "postgres.socket"
    if record.exists():
        folder = Path(record.read_text(encoding="utf-8"))
        if _is_private(folder, home.account.uid):
            return folder
    place = tempfile.gettempdir()
    if len(place) + len(f"/svod-12345678/.s.PGSQL.{PORT}.lock") > _LONGEST_SOCKET_PATH:
        place = "/tmp"  # noqa: S108 - the folder made in it has a random name and mode 0700
    folder = Path(tempfile.mkdtemp(prefix="svod-", dir=place))
    home.account.own(folder)
    record.write_text(str(folder), encoding="utf-8")
    return folder


def forget_sockets(home: Home) -> None:
    """Remove the socket's folder, after the server has stopped."""
    record = home.folder / "postgres.socket"
    if record.exists():
        shutil.rmtree(record.read_text(encoding="utf-8"), ignore_errors=True)
        record.unlink()


def environment() -> dict[str, str]:
    """What the server's programs inherit: none of our settings or secrets."""
    return {"PATH": os.defpath, "LC_ALL": "C"}


def _check_version(home: Home) -> None:
    found = (home.cluster / "PG_VERSION").read_text(encoding="ascii").strip()
    answer = subprocess.run(  # noqa: S603 - our own command
        [str(home.programs / "postgres"), "-V"], check=True, capture_output=True, text=True
    )
    runs = answer.stdout.split()[2].split(".")[0]
    if found != runs:
        raise ClusterOfOtherVersion(folder=home.cluster, found=found, runs=runs)


def _is_private(folder: Path, uid: int) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(status.st_mode)
        and stat.S_IMODE(status.st_mode) == _PRIVATE
        and status.st_uid == uid
    )


def _write(home: Home, name: str, text: str) -> None:
    unfinished = home.cluster / f"{name}.new"
    unfinished.write_text(text, encoding="utf-8")
    unfinished.chmod(0o600)
    home.account.own(unfinished)
    unfinished.rename(home.cluster / name)


def _shared_buffers_mb() -> int:
    """An eighth of the memory, from 32 MB to 512 MB."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = Path("/sys/fs/cgroup/memory.max")
    if limit.exists() and (text := limit.read_text(encoding="ascii").strip()).isdigit():
        memory = min(memory, int(text))
    return max(32, min(512, memory // 8 // _MEBIBYTE))

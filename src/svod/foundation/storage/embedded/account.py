"""As whom the server runs: PostgreSQL refuses root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from svod.foundation.storage.errors import NoAccount

_FOR_ROOT = ("svod", "postgres", "nobody")
"""Accounts that root may hand the server to, the best first."""


class ProcessOptions(TypedDict, total=False):
    """What a child process is started with, so that it runs as the account."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
    """A user of the system; `borrowed` when it is not the one who runs this process."""

    name: str
    uid: int
    gid: int
    borrowed: bool

    def options(self) -> ProcessOptions:
        """How to start a process as this account."""
        if not self.borrowed:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        """Make a file or folder of ours the account's."""
        if self.borrowed:
            os.chown(path, self.uid, self.gid)

    def can_enter(self, folder: Path) -> bool:
        """Whether the account reaches what is in a folder; asked of the system, not computed."""
        return self._succeeds("/bin/sh", "-c", 'cd "$1"', "sh", str(folder))

    def can_run(self, program: Path) -> bool:
        """Whether the account may run a program, and it works here."""
        return self._succeeds(str(program), "-V")

    def _succeeds(self, *command: str) -> bool:
        try:
            done = subprocess.run(  # noqa: S603 - our own commands, no shell reads a value
                command,
                check=False,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=30,
                **self.options(),
            )
        except OSError:
            return False
        return done.returncode == 0


def account_for(cluster: Path) -> Account:
    """The account that must run the server of a cluster, which need not exist yet.

    Raises:
        NoAccount: this user has no entry in the system, or root finds nobody to hand over to.
    """
    if os.geteuid() != 0:
        return _account(os.geteuid(), borrowed=False)
    if cluster.exists() and (owner := cluster.stat().st_uid):
        return _account(owner, borrowed=True)
    for name in _FOR_ROOT:
        try:
            return _account(pwd.getpwnam(name).pw_uid, borrowed=True)
        except KeyError:
            continue
    raise NoAccount(account="root")


def _account(uid: int, *, borrowed: bool) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise NoAccount(account=uid) from None
    return Account(entry.pw_name, uid, entry.pw_gid, borrowed)

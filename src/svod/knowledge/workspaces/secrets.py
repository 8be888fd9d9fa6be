"""What a key looks like outside, and what is kept of it.

A key is `svod_<workspace>_<43 characters of base64url>`: it names its workspace, so that a look-up
starts there, and 256 random bits, of which only the SHA-256 is kept. A hash made to be slow adds
nothing to a secret that cannot be guessed.
"""

import hashlib
import re
import secrets

from svod.foundation.ids import WorkspaceId, read_id, write_id

_FORM = re.compile(r"svod_([0-9a-z]{13})_([A-Za-z0-9_-]{43})")


def new_secret(workspace_id: WorkspaceId) -> str:
    """A new key or link, to be shown once."""
    return f"svod_{write_id(workspace_id)}_{secrets.token_urlsafe(32)}"


def secret_hash(secret: str) -> bytes:
    """What is kept of it."""
    return hashlib.sha256(secret.encode()).digest()


def workspace_of(secret: str) -> WorkspaceId | None:
    """The workspace that a key names, or None when it does not look like a key."""
    form = _FORM.fullmatch(secret)
    number = read_id(form[1]) if form else None
    return None if number is None else WorkspaceId(number)


def shared_hash(secret: str) -> bytes:
    """What is kept of a secret that several workspaces know: its random part alone."""
    return hashlib.sha256(secret.rpartition("svod_")[2].partition("_")[2].encode()).digest()

"""Domains and addresses of a workspace (K1, K3, K4).

Takes an admin's wish; gives domains and addresses, which are levels. It promises that a domain is
held by one workspace of the server at most, and that a level goes with everything on it or not at
all: `LevelsDeleted` is announced before its row goes.
"""

from svod.knowledge.workspaces.domains.registry import Registry
from svod.knowledge.workspaces.domains.views import Address, Addresses, Domain, Domains

__all__ = ["Address", "Addresses", "Domain", "Domains", "Registry"]

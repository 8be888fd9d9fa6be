"""Who did what in a workspace (X12): written with what was done, never changed, exportable.

Takes an action within the transaction that carries it out; gives what was done, newest first, to
admins. It goes only with its workspace.
"""

from svod.knowledge.workspaces.audit.actions import Action
from svod.knowledge.workspaces.audit.audit import Audit, AuditPage, AuditQuery, Done, record

__all__ = ["Action", "Audit", "AuditPage", "AuditQuery", "Done", "record"]

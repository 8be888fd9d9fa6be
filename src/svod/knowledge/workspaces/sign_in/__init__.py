"""Signing in with e-mail and password (X4): invitations, passwords, browsers that are signed in.

Takes an e-mail and a password, or a link that an admin handed over; gives a session, and for its
secret the member as he stands now. It promises that passwords are kept as argon2id, that guessing is
slow and soon refused, that an unknown e-mail looks like a wrong password, and that a new password
ends every other session.
"""

from svod.knowledge.workspaces.sign_in.attempts import Attempts
from svod.knowledge.workspaces.sign_in.browsers import Browsers
from svod.knowledge.workspaces.sign_in.sessions import Entered, Invitation
from svod.knowledge.workspaces.sign_in.sign_in import SignIn

__all__ = ["Attempts", "Browsers", "Entered", "Invitation", "SignIn"]

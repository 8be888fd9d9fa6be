"""What is written down."""

from enum import StrEnum


class Action(StrEnum):
    """Something that was done; stored, so a name never changes."""

    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGNED_OUT = "signed_out"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - the name of an action
    KEY_MADE = "key_made"
    KEY_REVOKED = "key_revoked"
    MEMBER_ADDED = "member_added"
    MEMBER_CHANGED = "member_changed"
    MEMBER_REMOVED = "member_removed"
    MEMBER_INVITED = "member_invited"
    DOMAIN_ADDED = "domain_added"
    DOMAIN_DELETED = "domain_deleted"
    ADDRESS_ADDED = "address_added"
    ADDRESS_DELETED = "address_deleted"
    WORKSPACE_MADE = "workspace_made"
    WORKSPACE_CHANGED = "workspace_changed"
    WORKSPACE_DELETED = "workspace_deleted"
    ITEM_ADDED = "item_added"
    ITEM_CHANGED = "item_changed"
    ITEM_MOVED = "item_moved"
    ITEM_RESTORED = "item_restored"
    ITEM_DELETED = "item_deleted"
    ITEMS_CHANGED = "items_changed"
    AUDIT_EXPORTED = "audit_exported"

"""What each sealed column of this room is about, for the rotation of keys."""

from svod.foundation.storage import Of, SealedColumn

SEALED = (
    SealedColumn("workspace", "sealed_name", ("workspace",)),
    SealedColumn("principal", "sealed_name", ("principal", Of("principal_id"))),
    SealedColumn("principal", "sealed_email", ("email", Of("principal_id"))),
    SealedColumn("namespace", "sealed_display_name", ("display_name", Of("namespace_id"))),
    SealedColumn("audit", "sealed_facts", ("audit", Of("audit_id"))),
    SealedColumn("idempotency", "sealed_reply", ("reply", Of("request_key"))),
    SealedColumn("idempotency", "sealed_made", ("made", Of("request_key"))),
)

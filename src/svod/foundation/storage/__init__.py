"""The database, what is sealed in it, and files: one engine, PostgreSQL with pgvector.

Takes settings; gives a `Database` of transactions, named `Statements`, a `Vault` a workspace, and
`Blobs`. It promises that a statement runs as written, that nothing commits but a transaction's end,
and that what a vault sealed opens only in its place.
"""

from svod.foundation.storage.blobs import Blobs
from svod.foundation.storage.database import Database
from svod.foundation.storage.embedded import embedded
from svod.foundation.storage.keys import load_master_key
from svod.foundation.storage.migrations import migrate
from svod.foundation.storage.opening import open_database
from svod.foundation.storage.resealing import Of, SealedColumn
from svod.foundation.storage.sealing import MasterKey, SealBroken, Vault
from svod.foundation.storage.standstill import files_may_change
from svod.foundation.storage.statements import Statements
from svod.foundation.storage.transaction import Transaction
from svod.foundation.storage.vaults import Vaults

__all__ = [
    "Blobs",
    "Database",
    "MasterKey",
    "Of",
    "SealBroken",
    "SealedColumn",
    "Statements",
    "Transaction",
    "Vault",
    "Vaults",
    "embedded",
    "files_may_change",
    "load_master_key",
    "migrate",
    "open_database",
]

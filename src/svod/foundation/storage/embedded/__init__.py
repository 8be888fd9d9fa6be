"""PostgreSQL that comes with the package: made, started, watched and stopped by us.

Takes a data folder; gives a DSN. The server listens on a unix socket in a private folder and on
nothing else, runs as an ordinary account even under root, and outlives the process that started
it: the last process to leave stops it.
"""

from svod.foundation.storage.embedded.supervisor import EmbeddedPostgres, Running, embedded

__all__ = ["EmbeddedPostgres", "Running", "embedded"]

"""An item's way from what was given to what is found: loaded, read, split, indexed, embedded.

Listens to `ItemChanged` and `ItemsDeleted`; works in jobs, one an item at a time. Promises that an
item is searched whole, in one version, at every moment; that the version before answers until the
new one is complete; that a job killed anywhere can be run again.
"""

from svod.knowledge.ingestion.embedding import Embedding
from svod.knowledge.ingestion.ingesting import Ingesting
from svod.knowledge.ingestion.loading import Loading
from svod.knowledge.ingestion.splitting import Reader

__all__ = ["Embedding", "Ingesting", "Loading", "Reader"]

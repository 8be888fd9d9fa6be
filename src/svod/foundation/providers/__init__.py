"""Models of others, as we need them: texts go in, vectors come out.

Takes texts and a purpose; gives unit vectors, and the card of the model that made them. The
built-in model works without network; `source_from` reads the settings that name another one, and
`open_embedder` makes it ready to be asked.
"""

from svod.foundation.providers.builtin import BuiltinEmbedder
from svod.foundation.providers.embedding import Embedder, ModelCard, Purpose, Vectors
from svod.foundation.providers.errors import UnknownEmbeddings
from svod.foundation.providers.opening import embedder_from, open_embedder
from svod.foundation.providers.sources import Source, source_from

__all__ = [
    "BuiltinEmbedder",
    "Embedder",
    "ModelCard",
    "Purpose",
    "Source",
    "UnknownEmbeddings",
    "Vectors",
    "embedder_from",
    "open_embedder",
    "source_from",
]

"""Models of others, as we need them: texts go in, vectors come out.

Takes texts and a purpose; gives unit vectors, and the card of the model that made them. The
built-in model works without network; `embedder_from` reads the setting that may switch it off.
"""

from svod.foundation.providers.builtin import BuiltinEmbedder
from svod.foundation.providers.embedding import Embedder, ModelCard, Purpose, Vectors
from svod.foundation.providers.errors import UnknownEmbeddings
from svod.foundation.settings import Settings

__all__ = ["BuiltinEmbedder", "Embedder", "ModelCard", "Purpose", "Vectors", "embedder_from"]


def embedder_from(settings: Settings) -> BuiltinEmbedder | None:
    """The embedder that the settings name, not loaded yet; None for `none`: words only.

    Raises:
        UnknownEmbeddings: the setting names none that we have.
    """
    match settings.embeddings:
        case "builtin":
            return BuiltinEmbedder(folder=settings.data / "models")
        case "none":
            return None
        case other:
            raise UnknownEmbeddings(value=other)

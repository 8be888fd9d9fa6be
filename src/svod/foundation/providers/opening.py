"""From a source to its embedder, not loaded yet."""

from pathlib import Path

from svod.foundation.providers.builtin import BuiltinEmbedder
from svod.foundation.providers.embedding import Embedder
from svod.foundation.providers.endpoint.embedder import EndpointEmbedder
from svod.foundation.providers.folder.description import describe
from svod.foundation.providers.folder.embedder import FolderEmbedder
from svod.foundation.providers.sources import (
    BuiltinSource,
    EndpointSource,
    FolderSource,
    Source,
    source_from,
)
from svod.foundation.settings import Settings


def embedder_from(settings: Settings) -> Embedder | None:
    """The embedder that the settings name, not loaded yet; None for `none`: words only.

    Raises:
        Invalid: they name none that we have, or not all that it needs.
    """
    source = source_from(settings)
    return None if source is None else open_embedder(source, models=settings.data / "models")


def open_embedder(source: Source, *, models: Path) -> Embedder:
    """The embedder of a source, not loaded yet; `models` is where the built-in one keeps its files.

    Raises:
        Invalid: the folder of a model is not there, or not complete.
    """
    match source:
        case BuiltinSource():
            return BuiltinEmbedder(folder=models)
        case EndpointSource():
            return EndpointEmbedder(source)
        case FolderSource():
            return FolderEmbedder(source.path, describe(source.path).about)

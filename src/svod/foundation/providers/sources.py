"""How each model is reached: what the settings say of it, in a form that can be kept."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from svod.foundation.providers.errors import EndpointIncomplete, UnknownEmbeddings
from svod.foundation.providers.folder.description import describe
from svod.foundation.settings import Settings


class _Source(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BuiltinSource(_Source):
    """The model that ships with Svod."""

    kind: Literal["builtin"] = "builtin"


class EndpointSource(_Source):
    """A model behind an OpenAI-compatible endpoint."""

    kind: Literal["openai"] = "openai"
    url: str
    model: str
    key: str | None = None
    dimensions: int | None = None
    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = 512
    batch: int = 64


class FolderSource(_Source):
    """A model in a folder of this machine."""

    kind: Literal["folder"] = "folder"
    path: Path


Source = BuiltinSource | EndpointSource | FolderSource
_STORED: TypeAdapter[Source] = TypeAdapter(Annotated[Source, Field(discriminator="kind")])


def source_from(settings: Settings) -> Source | None:
    """The model that the settings name; None for `none`.

    Raises:
        UnknownEmbeddings: they name none that we have.
        EndpointIncomplete: an endpoint is named without its address or model.
        FolderIncomplete, TokenizerUnsupported: a folder is named that holds no model of ours.
    """
    match settings.embeddings:
        case "builtin":
            return BuiltinSource()
        case "none":
            return None
        case "openai":
            return _endpoint(settings)
        case folder if "/" in folder:
            path = Path(folder).expanduser().absolute()
            describe(path)
            return FolderSource(path=path)
        case other:
            raise UnknownEmbeddings(value=other)


def write_source(source: Source) -> str:
    """A source as JSON; it holds the key of an endpoint, so it is to be sealed."""
    return _STORED.dump_json(source).decode()


def read_source(text: str) -> Source:
    """The source that `write_source` wrote.

    Raises:
        ValueError: it is none that this release knows.
    """
    return _STORED.validate_json(text)


def _endpoint(settings: Settings) -> EndpointSource:
    if not settings.embeddings_url or not settings.embeddings_model:
        raise EndpointIncomplete
    key = settings.embeddings_key
    return EndpointSource(
        url=settings.embeddings_url,
        model=settings.embeddings_model,
        key=key.get_secret_value() if key else None,
        dimensions=settings.embeddings_dimensions,
        query_prefix=settings.embeddings_query_prefix,
        passage_prefix=settings.embeddings_passage_prefix,
        max_tokens=settings.embeddings_max_tokens,
        batch=settings.embeddings_batch,
    )

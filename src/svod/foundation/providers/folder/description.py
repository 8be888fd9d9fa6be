"""What a folder with a model holds, and what its `svod.json` says."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from svod.foundation.providers.errors import FolderIncomplete, TokenizerUnsupported

GRAPH, ABOUT = "model.onnx", "svod.json"


class Tokens(BaseModel):
    """How ids of the vocabulary's file become ids of the model.

    `shift` is added to each; models of the XLM-RoBERTa family have 1. `begin` and `end` are the
    markers around a text: null takes those of the file, -1 leaves them out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    shift: int = 0
    begin: int | None = None
    end: int | None = None
    unknown: int | None = None


class About(BaseModel):
    """`svod.json`: what cannot be seen in the other files."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dimensions: int = Field(ge=8, le=4000)
    max_tokens: int = Field(default=512, ge=32, le=1 << 17)
    pooling: Literal["mean", "cls", "none"] = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    output: str | None = None
    tokens: Tokens = Tokens()


@dataclass(frozen=True, slots=True)
class Description:
    """A folder that was looked at; its large files are not read yet."""

    path: Path
    vocabulary: Path
    about: About

    def sha256(self) -> str:
        """Of every file the vectors depend on, names included; about a second a gigabyte."""
        whole = hashlib.sha256()
        # Numbers of a large graph lie beside it, in files that begin with its name.
        for file in sorted({*self.path.glob(f"{GRAPH}*"), self.vocabulary}):
            with file.open("rb") as opened:
                whole.update(f"{file.name}\0".encode())
                whole.update(hashlib.file_digest(opened, "sha256").digest())
        whole.update(json.dumps(self.about.model_dump(), sort_keys=True).encode())
        return whole.hexdigest()


def describe(path: Path) -> Description:
    """What the folder holds.

    Raises:
        FolderIncomplete: a file is missing or `svod.json` says what it cannot.
        TokenizerUnsupported: its tokenizer is of a kind that we cannot run.
    """
    if not (path / GRAPH).is_file():
        raise FolderIncomplete(reason=f"no {GRAPH}")
    vocabularies = sorted(path.glob("*.model"))
    if not vocabularies and (path / "tokenizer.json").is_file():
        raise TokenizerUnsupported
    if len(vocabularies) != 1:
        raise FolderIncomplete(reason=f"{len(vocabularies)} files *.model, not one")
    try:
        about = About.model_validate_json((path / ABOUT).read_bytes())
    except OSError:
        raise FolderIncomplete(reason=f"no {ABOUT}") from None
    except ValidationError as unfit:
        fields = ", ".join(str(one["loc"][0]) for one in unfit.errors() if one["loc"])
        raise FolderIncomplete(reason=f"{ABOUT}: {fields or 'no JSON'}") from None
    return Description(path, vocabularies[0], about)

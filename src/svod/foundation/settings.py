"""Every setting, with its type, unit and default; read from the environment, prefix `SVOD_`."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from svod.foundation.errors import Invalid, Says


class SettingUnfit(Invalid):
    """A variable of the environment holds what its setting cannot be."""

    code = "settings.unfit"
    says = Says("The value of {names} does not fit.", "Значение {names} не подходит.")
    hint = Says(
        "docs/reference/settings.md says what each setting takes.",
        "Что принимает каждая настройка, сказано в docs/reference/settings.md.",
    )


class Settings(BaseSettings):
    """What can be set from outside. `DATABASE_URL` stands without the prefix, as everywhere."""

    model_config = SettingsConfigDict(env_prefix="SVOD_", extra="ignore", frozen=True)

    data: Path = Field(default=Path("data"), description="Folder of everything that Svod keeps.")
    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(
        default=8765, ge=0, le=65535, description="Port to listen on; 0 takes a free one."
    )
    database_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description="An external PostgreSQL with pgvector.",
    )
    master_key: SecretStr | None = Field(
        default=None,
        description="The master key, base64 of 32 bytes; else `master.key` in the data folder.",
    )
    embeddings: str = Field(
        default="builtin",
        description="`builtin`, `openai` for an OpenAI-compatible endpoint, the path of a "
        "folder with an ONNX model, or `none` for words only.",
    )
    embeddings_url: str | None = Field(
        default=None,
        description="Address of the endpoint up to and without `/embeddings`, as "
        "`https://host/v1`.",
    )
    embeddings_model: str | None = Field(default=None, description="Its name of the model.")
    embeddings_key: SecretStr | None = Field(
        default=None, description="Key of the endpoint, sent as a bearer token."
    )
    embeddings_dimensions: int | None = Field(
        default=None,
        ge=8,
        le=4000,
        description="Dimensions to ask the endpoint for; as many as the model has when not set.",
    )
    embeddings_query_prefix: str = Field(
        default="", description="What the model wants before a question, as `query: `."
    )
    embeddings_passage_prefix: str = Field(
        default="", description="What the model wants before a passage, as `passage: `."
    )
    embeddings_max_tokens: int = Field(
        default=512, ge=32, description="Tokens of a text that the model reads."
    )
    embeddings_batch: int = Field(
        default=64, ge=1, le=2048, description="Texts in one call of the endpoint."
    )
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto", description="`json`, `console`, or `auto`: by the terminal."
    )
    log_level: Literal["auto", "debug", "info", "warning", "error"] = Field(
        default="auto",
        description="`debug`, `info`, `warning`, `error`, or `auto`: `warning` on a terminal, "
        "else `info`.",
    )
    database_connections: int = Field(
        default=12, ge=4, description="Connections a process may hold."
    )
    parser_children: int = Field(default=2, ge=1, description="Documents read at once.")
    parser_memory_mb: int = Field(
        default=1500, ge=256, description="Address space of one reading child."
    )
    parser_timeout_s: float = Field(
        default=60.0, gt=0, description="Longest reading of one document."
    )
    fetch_allow: str = Field(
        default="",
        description="Hosts and networks that links may lead to although they are not public, with "
        "commas: `intranet.example, 10.1.0.0/16`.",
    )
    requests_per_minute: int = Field(
        default=6000, ge=0, description="Requests of one key or member; 0 for any number."
    )
    prompt_search_ms: int = Field(
        default=400, gt=0, description="How long an answer waits for the meaning of its question."
    )
    model_url: str | None = Field(
        default=None,
        description="An OpenAI-compatible endpoint that writes answers, up to and with `/v1`; "
        "without one, answers quote.",
    )
    model: str | None = Field(default=None, description="The name of the model at that endpoint.")
    model_key: SecretStr | None = Field(default=None, description="The key of that endpoint.")
    model_fallback: str | None = Field(
        default=None, description="A model to ask where the first one does not answer."
    )
    model_fallback_url: str | None = Field(
        default=None, description="Its endpoint, if it is another one."
    )
    model_fallback_key: SecretStr | None = Field(default=None, description="The key of that one.")
    model_timeout_s: float = Field(
        default=90.0, gt=0, description="Longest writing of one answer, in seconds."
    )
    model_tries: int = Field(
        default=5, ge=1, le=5, description="How often a model that fails in passing is asked."
    )
    model_max_tokens: int = Field(
        default=800, ge=16, description="Tokens that an answer of the model may have."
    )
    model_context_tokens: int = Field(
        default=8192, ge=1024, description="Tokens that the model takes, question and answer."
    )
    model_temperature: float = Field(
        default=0.0, ge=0, le=2, description="How freely the model chooses its words; 0 is least."
    )
    model_seed: int | None = Field(
        default=None, description="A number for models that repeat themselves by it."
    )
    prompts_dir: Path | None = Field(
        default=None,
        validation_alias="AGENT_PROMPTS_DIR",
        description="A folder of prompts that replace those that ship.",
    )

    @field_validator("log_format", "log_level", mode="before")
    @classmethod
    def _in_lower_case(cls, given: object) -> object:
        return given.lower() if isinstance(given, str) else given

    @field_validator("data")
    @classmethod
    def _absolute(cls, data: Path) -> Path:
        return data.expanduser().absolute()


def read_settings() -> Settings:
    """The settings of this process.

    Raises:
        SettingUnfit: names the variables; their values, which may be secrets, are not repeated.
    """
    try:
        return Settings()
    except ValidationError as error:
        prefix = Settings.model_config.get("env_prefix", "")
        fields = [str(one["loc"][0]) for one in error.errors(include_input=False)]
        names = [one if one.isupper() else f"{prefix}{one}".upper() for one in fields]
        raise SettingUnfit(names=", ".join(names)) from None

"""Prompts: files with a name and a version, that a folder of an admin may replace (A20).

`answer.v1.md` is version `v1` of the prompt `answer`. A line `# name` begins a section; `{word}` in
a section is filled in. What the code relies on is checked when a prompt is loaded, at the start: a
prompt that is missing or lacks something is an error then, never a silent default.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from svod.foundation.errors import Invalid, Says

_FILE = re.compile(r"(?P<name>[a-z][a-z_]*)\.(?P<version>v\d+)\.md")
_SECTION = re.compile(r"^# (\S+)[ \t]*$", re.MULTILINE)
_BLANK = re.compile(r"\{([a-z_]+)\}")


class PromptUnfit(Invalid):
    """A prompt is missing, or is not what the code that uses it needs."""

    code = "providers.prompt_unfit"
    says = Says("The prompt {file} cannot be used: {why}.", "Промпт {file} не подходит: {why}.")
    hint = Says(
        "Correct it, or take it out of the folder in AGENT_PROMPTS_DIR.",
        "Исправьте его или уберите из папки AGENT_PROMPTS_DIR.",
    )


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt that was read and checked."""

    name: str
    version: str
    sections: Mapping[str, str]

    @property
    def title(self) -> str:
        """Name and version, as results tell which prompt made them."""
        return f"{self.name}.{self.version}"

    def fill(self, section: str, /, **values: object) -> str:
        """A section with its blanks filled, in one pass: values that look like blanks stay."""
        return _BLANK.sub(lambda blank: str(values[blank[1]]), self.sections[section])


def load_prompt(
    package: str,
    name: str,
    version: str,
    *,
    needs: Mapping[str, Collection[str]],
    folder: Path | None = None,
) -> Prompt:
    """A prompt from a room's `prompts/`, or from the folder that replaces it.

    Args:
        package: the room, as `svod.conversation.answering`.
        name: of the prompt.
        version: of the one that ships; one that replaces it may have another.
        needs: the sections that there must be, and the blanks of each: those and no others.
        folder: where replacements lie; a prompt that is not there is the one that ships.

    Raises:
        PromptUnfit: it is missing or unfit, or the folder does not exist.
    """
    shipped = f"{name}.{version}.md"
    if folder is not None:
        if not folder.is_dir():
            raise PromptUnfit(file=shipped, why=f"there is no folder {folder}")
        there = [path for path in folder.iterdir() if _name_of(path.name) == name]
        if len(there) > 1:
            raise PromptUnfit(file=shipped, why=f"{folder} holds {len(there)} versions of it")
        if there:
            return _read(there[0].name, there[0].read_text(encoding="utf-8"), needs)
    resource = files(package).joinpath("prompts", shipped)
    if not resource.is_file():
        raise PromptUnfit(file=shipped, why="it is missing")
    return _read(shipped, resource.read_text(encoding="utf-8"), needs)


def check_folder(folder: Path | None, known: Collection[str]) -> None:
    """Pass a folder whose every file replaces a prompt that there is.

    Raises:
        PromptUnfit: a file is named like none, as after a slip of the pen.
    """
    for path in sorted(folder.iterdir()) if folder and folder.is_dir() else ():
        if path.suffix == ".md" and _name_of(path.name) not in known:
            raise PromptUnfit(file=path.name, why=f"prompts are named {', '.join(sorted(known))}")


def _name_of(file: str) -> str | None:
    match = _FILE.fullmatch(file)
    return match["name"] if match else None


def _read(file: str, text: str, needs: Mapping[str, Collection[str]]) -> Prompt:
    match = _FILE.fullmatch(file)
    if match is None:
        raise PromptUnfit(file=file, why="its name is not like answer.v1.md")
    parts = _SECTION.split(text)[1:]
    sections = {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}
    for name, blanks in needs.items():
        if not sections.get(name):
            raise PromptUnfit(file=file, why=f"it has no section {name}")
        there = set(_BLANK.findall(sections[name]))
        if there != set(blanks):
            odd = sorted(there ^ set(blanks))
            raise PromptUnfit(file=file, why=f"section {name} and the blanks {', '.join(odd)}")
    return Prompt(match["name"], match["version"], sections)

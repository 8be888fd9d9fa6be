"""What can go wrong, as one tree.

    SvodError
      NotFound      there is no such thing, or the caller may not know of it
      Denied        the caller may see it but not do this
      Conflict      it moved meanwhile, or something stands in its place
      Invalid       what was asked makes no sense as it stands
      Exhausted     a limit, a quota or a rate was reached
      Unavailable   something that is needed does not answer now

A room subclasses one of the six, one class a failure: a stable `code`, what is said in both
languages, and a hint. The facts of the case are given when it is raised and fill the sentence:

    class NoteTooLong(Invalid):
        \"\"\"A note holds more text than one note may.\"\"\"
        code = "items.note_too_long"
        says = Says("The note has {length} characters; the most is {limit}.",
                    "В заметке {length} знаков, а можно не больше {limit}.")
        hint = Says("Split it, or add it as a file.", "Разделите её или добавьте файлом.")

    raise NoteTooLong(length=len(text), limit=LONGEST_NOTE)

Facts are shown to the caller and may be logged: numbers, names of settings and ids, never an
item's text, title or file name.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class Language(StrEnum):
    """A language that the product speaks."""

    EN = "en"
    RU = "ru"


@dataclass(frozen=True, slots=True)
class Says:
    """One sentence in both languages; `{names}` in it are filled with the facts of the case."""

    en: str
    ru: str

    def text(self, language: Language, **facts: object) -> str:
        """The sentence in one language."""
        return (self.ru if language is Language.RU else self.en).format_map(facts)


class SvodError(Exception):
    """A failure that the caller can understand; never raised itself."""

    code: ClassVar[str] = "svod.failed"
    says: ClassVar[Says] = Says("Something went wrong.", "Что-то пошло не так.")
    hint: ClassVar[Says | None] = None

    def __init__(self, **facts: object) -> None:
        self.facts = facts
        super().__init__(self.message())

    def message(self, language: Language = Language.EN) -> str:
        """What was seen, and what would be right."""
        return self.says.text(language, **self.facts)

    @property
    def told(self) -> Says:
        """What was seen, with the facts of the case filled in."""
        spoken = (self.message(language) for language in (Language.EN, Language.RU))
        return Says(*(text.replace("{", "{{").replace("}", "}}") for text in spoken))

    def advice(self, language: Language = Language.EN) -> str | None:
        """What to do about it."""
        return self.hint.text(language, **self.facts) if self.hint else None


class NotFound(SvodError):
    """There is no such thing, or the caller may not know of it; the two look the same."""

    code = "svod.not_found"
    says = Says("There is no such thing here.", "Здесь такого нет.")


class Denied(SvodError):
    """The caller may see it, but not do this."""

    code = "svod.denied"
    says = Says("This is not allowed to you.", "Вам это не разрешено.")


class Conflict(SvodError):
    """It changed meanwhile, or something else stands in its place."""

    code = "svod.conflict"
    says = Says("It changed meanwhile.", "Пока вы работали, это изменилось.")


class Invalid(SvodError):
    """What was asked makes no sense as it stands."""

    code = "svod.invalid"
    says = Says("This cannot be done as asked.", "В таком виде это выполнить нельзя.")


class Exhausted(SvodError):
    """A limit, a quota or a rate was reached."""

    code = "svod.exhausted"
    says = Says("A limit was reached.", "Достигнут предел.")


class Unavailable(SvodError):
    """Something that is needed does not answer now; trying again later may help."""

    code = "svod.unavailable"
    says = Says("Something that is needed does not answer.", "Нужная часть сейчас не отвечает.")

"""The question as it is looked for, its language, and what is said when nothing answers it."""

import re
from collections.abc import Sequence

from svod.conversation.answering.errors import QuestionEmpty, QuestionTooLong
from svod.foundation.errors import Language, Says
from svod.knowledge.retrieval import Found, Mode, RetrievalPlan

LONGEST_QUESTION = 2_000
"""Characters; a longer text is not one question."""
LONGEST_QUOTE = 160
MOST_PLACES = 6
"""Levels and namespaces that are named; of more, only how many."""
CYRILLIC_SHARE = 0.3
"""Russian text about products and programs is full of Latin names."""

_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_SPACES = re.compile(r"\s+")

_NOTHING = Says(
    "Nothing in the knowledge base answers “{question}”{where}.",
    "В базе знаний не нашлось ответа на вопрос «{question}»{where}.",
)
_NEAREST = Says("The nearest thing found is “{title}”.", "Ближе всего к нему: «{title}».")
_EMPTY = Says("Nothing similar was found either.", "Ничего похожего тоже нет.")
_WHERE = Says(" (looked in: {places})", " (искали в: {places})")
_MORE = Says("{count} more", "ещё {count}")
_PREPARING = Says(
    "Only words were searched: search by meaning is still being prepared ({percent} % ready), "
    "so it is worth asking again later.",
    "Искали только по словам: поиск по смыслу ещё готовится (готово {percent} %), "
    "поэтому стоит спросить позже.",
)
_LATE = Says(
    "Only words were searched: search by meaning did not answer in time, "
    "so it is worth asking again.",
    "Искали только по словам: поиск по смыслу не успел ответить, поэтому стоит спросить ещё раз.",
)
_PARTLY = Says(
    "Search by meaning is still being prepared ({percent} % ready), "
    "so it is worth asking again later.",
    "Поиск по смыслу ещё готовится (готово {percent} %), поэтому стоит спросить позже.",
)


def clean_question(text: str) -> str:
    """The question in one line, without what cannot be written or stored.

    Raises:
        QuestionEmpty: no letter, digit or sign is left.
        QuestionTooLong: it is longer than `LONGEST_QUESTION`.
    """
    if len(text) > LONGEST_QUESTION:
        raise QuestionTooLong(length=len(text), limit=LONGEST_QUESTION)
    cleaned = _SPACES.sub(" ", _UNWRITABLE.sub(" ", text)).strip()
    if not any(letter.isalnum() for letter in cleaned):
        raise QuestionEmpty
    return cleaned


def language_of(text: str) -> Language:
    """The language a text is written in: Russian from `CYRILLIC_SHARE` of its letters on."""
    letters = [letter for letter in text if letter.isalpha()]
    cyrillic = sum("Ѐ" <= letter <= "ӿ" for letter in letters)
    return Language.RU if letters and cyrillic >= CYRILLIC_SHARE * len(letters) else Language.EN


def quote(text: str) -> str:
    """A text to be named within a sentence: short, and free of what looks like a citation."""
    plain = text.replace("[", "(").replace("]", ")")
    return plain if len(plain) <= LONGEST_QUOTE else plain[: LONGEST_QUOTE - 1].rstrip() + "…"


def nothing_found(
    question: str,
    plan: RetrievalPlan,
    found: Found,
    *,
    language: Language,
    meaning: bool,
    levels: Sequence[str] | None = None,
) -> str:
    """What is said when nothing answers: what was looked for, where, and what is nearest.

    Args:
        question: what was asked.
        plan: where it was looked for.
        found: what there is.
        language: to say it in.
        meaning: whether there is search by meaning at all on this server.
        levels: those that the caller sees, to name those of them that were read; None names what
            the plan names.
    """
    places = _places(plan, levels, language)
    where = _WHERE.text(language, places=", ".join(places)) if places else ""
    said = [_NOTHING.text(language, question=quote(question.rstrip(".!")), where=where)]
    if found.hits:
        said.append(_NEAREST.text(language, title=quote(found.hits[0].title)))
    else:
        said.append(_EMPTY.text(language))
    if meaning and plan.mode is not Mode.WORDS:
        said.extend(_how_meaning_went(found, language))
    return " ".join(said)


def _places(plan: RetrievalPlan, levels: Sequence[str] | None, language: Language) -> list[str]:
    read = plan.levels
    if levels is not None:
        read = [level for level in levels if plan.levels is None or level in plan.levels]
    named = [*(read or ()), *(plan.namespaces or ())]
    shown = [quote(name) for name in named[:MOST_PLACES] if name]
    rest = len(named) - MOST_PLACES
    return [*shown, _MORE.text(language, count=rest)] if rest > 0 else shown


def _how_meaning_went(found: Found, language: Language) -> list[str]:
    percent = int(found.meaning_ready * 100)
    if found.used_meaning:
        return [] if found.meaning_ready >= 1 else [_PARTLY.text(language, percent=percent)]
    says = _PREPARING if found.meaning_ready < 1 else _LATE
    return [says.text(language, percent=percent)]

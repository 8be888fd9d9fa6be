"""What adding made, as it is told, and as it is noted for a reply that may be lost."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from svod.foundation.errors import Language, Says, SvodError
from svod.foundation.ids import ItemId
from svod.knowledge.items.item import Added, Outcome


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one of many was not kept, in both languages: it outlives the failure that it tells of."""

    code: str
    says: Says
    hint: Says | None

    @classmethod
    def of(cls, error: SvodError) -> "Refusal":
        """A failure as it is told."""
        en, ru = error.advice(Language.EN), error.advice(Language.RU)
        hint = Says(en, ru) if en and ru else None
        return cls(error.code, Says(error.message(Language.EN), error.message(Language.RU)), hint)

    def message(self, language: Language) -> str:
        """What was seen, and what would be right."""
        return self.says.ru if language is Language.RU else self.says.en

    def advice(self, language: Language) -> str | None:
        """What to do about it."""
        if self.hint is None:
            return None
        return self.hint.ru if language is Language.RU else self.hint.en


@dataclass(frozen=True, slots=True)
class NoteResult:
    """What became of one note: what adding did and to which item, or why it was not kept."""

    outcome: Outcome | None
    item_id: ItemId | None
    refusal: Refusal | None = None

    @classmethod
    def refused(cls, error: SvodError) -> "NoteResult":
        """A note that was not kept."""
        return cls(None, None, Refusal.of(error))


def note_added(added: Added) -> str:
    """What was added, for a receipt."""
    return json.dumps([added.item.item_id, added.outcome])


def noted_added(note: str) -> tuple[ItemId, Outcome]:
    """What `note_added` noted."""
    item_id, outcome = json.loads(note)
    return ItemId(item_id), Outcome(outcome)


def note_results(results: Sequence[NoteResult]) -> str:
    """What became of many, for a receipt."""
    return json.dumps([_packed(result) for result in results])


def noted_results(note: str) -> tuple[NoteResult, ...]:
    """What `note_results` noted."""
    return tuple(_unpacked(one) for one in json.loads(note))


def _packed(result: NoteResult) -> list[Any]:
    refusal = result.refusal
    if refusal is None:
        return [result.outcome, result.item_id]
    hint = (refusal.hint.en, refusal.hint.ru) if refusal.hint else None
    return [refusal.code, refusal.says.en, refusal.says.ru, hint]


def _unpacked(packed: list[Any]) -> NoteResult:
    match packed:
        case [outcome, item_id]:
            return NoteResult(Outcome(outcome), ItemId(item_id))
        case [code, en, ru, hint]:
            told = Says(*hint) if hint else None
            return NoteResult(None, None, Refusal(code, Says(en, ru), told))
        case _:
            raise ValueError(packed)

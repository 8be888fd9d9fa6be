"""Judging: questions whose answers people know, and what collections learn from them.

Takes judged questions: each with the item that answers it, or with none. Gives, in the background,
a threshold of the gate and a curve of scores for each collection and pair of languages, which the
retriever reads with its hits. Promises: a judgement goes with its item; one is seen by those who
may read its level; fewer than `LEAST_JUDGED` answerable ones leave the default threshold as it is.
"""

from svod.conversation.judging.errors import JudgementNotFound
from svod.conversation.judging.fitting import LEAST_JUDGED
from svod.conversation.judging.judgement import (
    Fitted,
    Judgement,
    JudgementDraft,
    JudgementId,
    JudgementPage,
    JudgementQuery,
)
from svod.conversation.judging.judging import MOST_AT_ONCE, Judging
from svod.conversation.judging.refitting import Refitting

__all__ = [
    "LEAST_JUDGED",
    "MOST_AT_ONCE",
    "Fitted",
    "Judgement",
    "JudgementDraft",
    "JudgementId",
    "JudgementNotFound",
    "JudgementPage",
    "JudgementQuery",
    "Judging",
    "Refitting",
]

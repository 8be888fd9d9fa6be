"""Answering: a question in, cited sentences of the evidence out, or an honest «not found».

Promises: every citation's text is that slice of that version's canonical text; every sentence's
numbers, dates, names and negations stand in its citations; the text never speaks of models.
"""

from svod.conversation.answering.answer import Answer, AnswerMeta, Citation, Question
from svod.conversation.answering.answering import Answering
from svod.conversation.answering.errors import QuestionEmpty, QuestionTooLong
from svod.conversation.answering.gate import Verdict, default_threshold, judge
from svod.conversation.answering.ports import Finds, ReadsText

__all__ = [
    "Answer",
    "AnswerMeta",
    "Answering",
    "Citation",
    "Finds",
    "Question",
    "QuestionEmpty",
    "QuestionTooLong",
    "ReadsText",
    "Verdict",
    "default_threshold",
    "judge",
]

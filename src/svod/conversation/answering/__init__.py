"""Answering: a question in, cited sentences out, or an honest «not found».

Where a language model is set, it writes and what it writes is checked; otherwise the evidence
speaks for itself. Promises: every citation's text is that slice of that version's canonical text;
every sentence's numbers, dates, names and negations stand in its citations; nothing unchecked is
told, not even for a moment; no model is asked where the evidence is too little.
"""

from svod.conversation.answering.answer import Answer, AnswerMeta, Citation, Question
from svod.conversation.answering.answering import Answering
from svod.conversation.answering.errors import QuestionEmpty, QuestionTooLong
from svod.conversation.answering.events import AnswerDelta, AnswerEvent, EvidenceFound
from svod.conversation.answering.gate import THRESHOLD, Verdict, judge
from svod.conversation.answering.modelled import Modelled
from svod.conversation.answering.ports import Finds, ReadsText
from svod.conversation.answering.prompt import load_answer_prompt

__all__ = [
    "THRESHOLD",
    "Answer",
    "AnswerDelta",
    "AnswerEvent",
    "AnswerMeta",
    "Answering",
    "Citation",
    "EvidenceFound",
    "Finds",
    "Modelled",
    "Question",
    "QuestionEmpty",
    "QuestionTooLong",
    "ReadsText",
    "Verdict",
    "judge",
    "load_answer_prompt",
]

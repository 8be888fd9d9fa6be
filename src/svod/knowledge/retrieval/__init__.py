"""Finding: a plan in, hits out; the only reader of the search tables.

Takes a `Caller` and a `RetrievalPlan`; gives `Found`. What may be read is resolved within the one
statement a workspace, so that a grant taken back counts at once; the query's words reach the
database as keyed hashes; vectors of two models never meet; and the same plan with the same rights
returns the same chunks from every entry point.
"""

from svod.knowledge.retrieval.context import Context, Contexts
from svod.knowledge.retrieval.errors import NothingAsked, ThresholdOutOfRange, TooManyHits
from svod.knowledge.retrieval.plan import Found, Hit, Layer, Matched, Mode, RetrievalPlan
from svod.knowledge.retrieval.search import Retrieval

__all__ = [
    "Context",
    "Contexts",
    "Found",
    "Hit",
    "Layer",
    "Matched",
    "Mode",
    "NothingAsked",
    "Retrieval",
    "RetrievalPlan",
    "ThresholdOutOfRange",
    "TooManyHits",
]

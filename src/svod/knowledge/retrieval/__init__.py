"""Finding: a plan in, hits out; the only reader of the search tables."""

from svod.knowledge.retrieval.plan import Found, Hit, Layer, Matched, Mode, RetrievalPlan

__all__ = ["Found", "Hit", "Layer", "Matched", "Mode", "RetrievalPlan"]

"""What judging needs from below."""

from typing import Protocol

from svod.conversation.answering import Verdict
from svod.knowledge.retrieval import Found, RetrievalPlan
from svod.knowledge.workspaces import Caller


class Weighs(Protocol):
    """Looks for what a question asks and weighs what is found, as for an answer."""

    async def weigh(self, caller: Caller, plan: RetrievalPlan) -> tuple[Found, Verdict]:
        """The hits of a plan, best first, and the gate's verdict on them."""
        ...

"""What a second hop brings stands behind what the question itself found."""

from dataclasses import replace

import pytest
from scripted_evidence import a_hit

from svod.conversation.answering.second_hop import joined


@pytest.mark.spec("R1a", "R16")
def test_a_hops_hit_is_no_stronger_than_the_question_makes_it() -> None:
    first = [replace(a_hit("found", item=n), rank_score=8.0 - n, z=4.0 - n / 2) for n in range(6)]
    strong = replace(a_hit("hop", item=9), rank_score=99.0, z=50.0, score=1.0)
    again = replace(first[5], rank_score=99.0, z=50.0)
    hits = joined(first, [[strong, again]])
    assert hits[:4] == tuple(first[:4])
    hop = next(hit for hit in hits if hit.item_id == 9)
    assert (hop.rank_score, hop.z) == (first[5].rank_score, first[5].z)
    assert first[5] in hits
    assert max(hit.rank_score for hit in hits) == first[0].rank_score

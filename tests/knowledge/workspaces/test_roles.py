"""Permissions, and what is left of some under others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svod.knowledge.workspaces import Permission
from svod.knowledge.workspaces.roles import every, no_more_than

SOME = st.frozensets(st.sampled_from(Permission))
ADMIN, READ, WRITE = Permission.ADMIN, Permission.KNOWLEDGE_READ, Permission.KNOWLEDGE_WRITE


@pytest.mark.spec("X1")
def test_admin_includes_everything_and_writing_includes_reading() -> None:
    assert every({ADMIN}) == frozenset(Permission)
    assert every({WRITE}) == {WRITE, READ}
    assert every({READ}) == {READ}
    assert every(()) == frozenset()


@pytest.mark.spec("X1", "X4")
@given(SOME, SOME)
def test_a_key_keeps_just_what_it_and_its_member_both_have(
    wished: frozenset[Permission], held: frozenset[Permission]
) -> None:
    left = no_more_than(wished, held)
    assert every(left) == every(wished) & every(held)
    # Said in as few permissions as say it.
    assert all(every(left - {one}) != every(left) for one in left)

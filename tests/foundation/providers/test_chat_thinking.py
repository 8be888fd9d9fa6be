"""What a model thinks aloud is no part of what it says."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.chat import model_server
from svod.foundation.providers.chat import ChatRequest, Message, Role, complete
from svod.foundation.providers.chat.endpoint import Endpoint
from svod.foundation.providers.chat.openai import OpenAIChat
from svod.foundation.providers.chat.thinking import without_thoughts


async def pieces(given: Sequence[str]) -> AsyncGenerator[str]:
    for one in given:
        await asyncio.sleep(0)
        yield one


async def said(given: Sequence[str]) -> str:
    return "".join([piece async for piece in without_thoughts(pieces(given))])


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 8, 100])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>Где ключ? <b> </thin </think>\nУ входа.", "\nУ входа."),
        ("  \n<think></think>By the door.", "By the door."),
        ("<think>for ever", ""),
        ("<thin ice>", "<thin ice>"),
        ("<", "<"),
        ("x <think>y</think>", "x <think>y</think>"),
        ("", ""),
    ],
)
async def test_thoughts_at_the_beginning_are_left_out(size: int, text: str, expected: str) -> None:
    assert await said(cut(text, size)) == expected


@settings(deadline=None, max_examples=200)
@given(
    parts=st.lists(st.sampled_from(["<think>", "</think>", "<", ">", "think", " ", "а", "</"])),
    size=st.integers(1, 9),
)
async def test_how_it_is_cut_makes_no_difference(parts: list[str], size: int) -> None:
    text = "".join(parts)
    assert await said(cut(text, size)) == await said([text])


async def test_an_endpoint_that_leaves_thoughts_in_the_reply_is_understood() -> None:
    with model_server("<think>Hm, 21 [1]…\n</think>\n\nУ входа [1].") as server:
        request = ChatRequest("Answer.", (Message(Role.USER, "Где ключ?"),))
        done = await complete(OpenAIChat(Endpoint(server.url, "m")), request)
    assert done.text.strip() == "У входа [1]."

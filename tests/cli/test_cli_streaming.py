"""On a terminal an answer appears as it comes; everywhere else at once."""

import pytest

from fakes.rooms import Scripted


@pytest.mark.spec("R18")
@pytest.mark.parametrize("language", ["ru", "en"])
def test_on_a_terminal_the_parts_and_then_the_sources_are_shown(
    svod, scripted: Scripted, language: str
) -> None:
    svod.speak(language)
    plain = svod("ask", "Срок?")
    svod.use(TTY_COMPATIBLE="1", TERM="dumb")
    shown = svod("ask", "Срок?")
    assert shown.code == 0
    assert "Вернуть товар можно в течение 21 дня. [1]" in shown.out
    assert shown.out.split() == plain.out.split()
    assert scripted.answering.streamed == 1


@pytest.mark.spec("R18")
def test_json_is_never_streamed(svod, scripted: Scripted) -> None:
    svod.use(TTY_COMPATIBLE="1", TERM="dumb")
    told = svod("ask", "Срок?", "--json").json
    assert scripted.answering.streamed == 0
    assert {"model", "prompt", "written_by", "tokens", "cut", "notes", "timings_ms"} <= set(
        told["meta"]
    )


@pytest.mark.spec("R18")
@pytest.mark.parametrize(("question", "code"), [("breaks", 5), ("unavailable", 5), ("crashes", 1)])
def test_a_failure_midway_ends_as_any_other(svod, question: str, code: int) -> None:
    svod.use(TTY_COMPATIBLE="1", TERM="dumb")
    ended = svod("ask", question)
    assert ended.code == code
    assert ended.err.startswith("svod: ")


@pytest.mark.spec("R6")
@pytest.mark.parametrize(
    ("language", "said"), [("ru", "Смысл вопроса не успел"), ("en", "was not ready in time")]
)
def test_a_refusal_does_not_say_twice_that_meaning_had_no_part(
    svod, scripted: Scripted, language: str, said: str
) -> None:
    svod.speak(language)
    scripted.answering.notes = ("meaning_late",)
    assert said not in svod("ask", "nothing").out
    assert said in svod("ask", "Срок?").out

"""Searching and asking."""

import re
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

import typer

from svod.cli.catalogue import CATALOGUE, t
from svod.cli.commands.options import AsJson, Kinds, Levels, MinScore, Namespaces, ReadFor
from svod.cli.excerpts import excerpt
from svod.cli.output import console, print_result
from svod.cli.remote import open_client

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from rich.console import Console
    from rich.text import Text

    from svod.client.found import Hit, SearchMeta
    from svod.client.results import Answer, AnswerDelta, AnswerMeta, Citation, Evidence

_INDENT = "    "
_ALL = 0.995
"""What rounds to a hundred per cent."""
_LONGEST_QUOTE = 400
"""Characters of a quote: it shows where an answer stands, it is not the document."""
_TABLE_RULE = re.compile(r"^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$")
_LINE_MARK = re.compile(r"^\s*(?:>\s?)*(?:#{1,6}\s+|(?:```+|~~~+)\w*\s*$|[-*+]\s+(?=\S))")
_LINK = re.compile(r"!?\[([^\]]+)\]\([^()\s]*(?:\([^()\s]*\))?[^()\s]*\)")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")


class _Asked(TypedDict):
    language: str | None
    levels: "Sequence[str] | None"
    namespaces: "Sequence[str] | None"
    kinds: "Sequence[str] | None"
    read_for: str | None
    min_score: float


def search(
    query: Annotated[str, typer.Argument(metavar=t("meta.query"), help=t("help.search.query"))],
    *,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=50, help=t("help.search.limit"))
    ] = 10,
    mode: Annotated[
        Literal["both", "words", "meaning"], typer.Option(help=t("help.search.mode"))
    ] = "both",
    levels: Levels = None,
    namespaces: Namespaces = None,
    kinds: Kinds = None,
    read_for: ReadFor = None,
    min_score: MinScore = 0.0,
    as_json: AsJson = False,
) -> None:
    """Search."""
    with open_client() as client:
        found = client.search(
            query,
            limit=limit,
            mode=mode,
            levels=levels or None,
            namespaces=namespaces or None,
            kinds=kinds or None,
            read_for=read_for,
            min_score=min_score,
        )
    if as_json:
        print_result(found)
        return
    target = console()
    if not found.hits:
        target.print(t("find.nothing"))
    for number, hit in enumerate(found.hits, 1):
        head = _place(hit.title, hit.heading_path, hit.page, hit.sheet, hit.external_id)
        target.print(f"{number}. {head}  {hit.score:.2f}", style="bold")
        _print_indented(target, excerpt(hit.text, hit.matched.spans))
        for line in _asides(hit):
            _print_indented(target, line)
        target.print()
    for one in found.meta.corrected:
        target.print(t("find.corrected", typed=one.typed, used=one.used), style="dim")
    _tell_notes(target, found.meta)


def ask(
    question: Annotated[
        str, typer.Argument(metavar=t("meta.question"), help=t("help.ask.question"))
    ],
    *,
    language: Annotated[
        Literal["ru", "en"] | None, typer.Option(help=t("help.ask.language"))
    ] = None,
    levels: Levels = None,
    namespaces: Namespaces = None,
    kinds: Kinds = None,
    read_for: ReadFor = None,
    min_score: MinScore = 0.0,
    as_json: AsJson = False,
) -> None:
    """Ask."""
    asked = _Asked(
        language=language,
        levels=levels or None,
        namespaces=namespaces or None,
        kinds=kinds or None,
        read_for=read_for,
        min_score=min_score,
    )
    target = console()
    with open_client() as client:
        if target.is_terminal and not as_json:
            answer = _told(target, client.ask_stream(question, **asked))
        else:
            answer = client.ask(question, **asked)
    if as_json:
        print_result(answer)
        return
    if not target.is_terminal:
        target.print(answer.answer)
    _tell_sources(target, answer)


def _told(target: "Console", events: "Generator[Evidence | AnswerDelta | Answer]") -> "Answer":
    """The answer, shown as it comes."""
    from svod.client.results import Answer, AnswerDelta  # noqa: PLC0415

    with closing(events):
        for event in events:
            if isinstance(event, AnswerDelta):
                target.print(event.text, end="", soft_wrap=True)
            elif isinstance(event, Answer):
                target.print()
                return event
    raise AssertionError("the client ends with an answer or fails")


def _tell_sources(target: "Console", answer: "Answer") -> None:
    from rich.text import Text  # noqa: PLC0415

    if answer.citations:
        target.print(f"\n{t('ask.sources')}", style="dim")
    for citation in answer.citations:
        target.print(_source(citation))
        _print_indented(target, Text(t("quote", text=_one_line(citation.text))))
    if not answer.answered and answer.nearest is not None:
        near = answer.nearest
        target.print(f"\n{t('ask.nearest')}", style="dim")
        target.print(_place(near.title, near.heading_path, near.page, near.sheet, near.external_id))
        _print_indented(target, Text(t("quote", text=_one_line(near.text))))
    _tell_notes(target, answer.meta, is_refusal=not answer.answered)


def _source(citation: "Citation") -> str:
    place = _place(
        citation.title,
        citation.heading_path,
        citation.page,
        citation.sheet,
        citation.external_id,
    )
    return f"[{citation.n}] {place}"


def _place(
    title: str,
    heading_path: "Sequence[str]",
    page: int | None,
    sheet: str | None,
    external_id: str | None,
) -> str:
    """Title and headings, then page or sheet, then where the file lies."""
    # A document's first heading is often its title once more.
    headings = [one for one in heading_path if one != title]
    said = [" › ".join([title, *headings])]
    if page is not None:
        said.append(t("find.page", page=page))
    if sheet is not None and sheet not in heading_path:
        said.append(t("find.sheet", sheet=sheet))
    place = ", ".join(said)
    return f"{place} ({external_id})" if external_id and external_id != title else place


def _asides(hit: "Hit") -> "Generator[Text]":
    """What to know of a hit: what it stands in the place of, and why it may be out of date."""
    from rich.text import Text  # noqa: PLC0415

    for gone in hit.overrides:
        what = f"{gone.title} ({gone.level})"
        yield Text(t("find.overrides", what=what), style="dim")
    if hit.stale_reason is not None and f"find.{hit.stale_reason}" in CATALOGUE:
        yield Text(t(f"find.{hit.stale_reason}"), style="dim")


def _print_indented(target: "Console", text: "Text") -> None:
    # Not the library's padding, which fills every line with spaces.
    for line in text.wrap(target, max(target.width - len(_INDENT), 20)):
        line.rstrip()
        line.pad_left(len(_INDENT))
        target.print(line, soft_wrap=True)


def _tell_notes(
    target: "Console", meta: "SearchMeta | AnswerMeta", *, is_refusal: bool = False
) -> None:
    """How the search went, where that was not as it should; a refusal says so of meaning itself."""
    told = [note for note in meta.notes if not (is_refusal and note.startswith("meaning_"))]
    said = [t(f"find.{note}") for note in told if f"find.{note}" in CATALOGUE]
    if not is_refusal and meta.used_meaning and meta.meaning_ready < _ALL:
        said.append(t("find.part_meaning", ready=int(meta.meaning_ready * 100)))
    for line in said:
        target.print(f"\n{line}", style="dim")


def _one_line(text: str) -> str:
    """A quote for a person: one line, without Markdown's marks, cut between words where long."""
    said: list[str] = []
    for line in text.splitlines():
        if _TABLE_RULE.match(line):
            continue
        bare = _LINE_MARK.sub("", line).strip()
        if bare.startswith("|"):
            bare = "; ".join(cell.strip() for cell in bare.strip("|").split("|") if cell.strip())
        bare = _BOLD.sub(r"\2", _LINK.sub(r"\1", bare))
        if bare:
            said.append(" ".join(bare.split()))
    whole = " ".join(said)
    if len(whole) <= _LONGEST_QUOTE:
        return whole
    return whole[:_LONGEST_QUOTE].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"

"""Adding files, folders, pages and notes."""

import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from svod.cli.catalogue import t
from svod.cli.commands.options import AsJson, Level, Namespace
from svod.cli.failing import Exit, WrongUse
from svod.cli.output import console, grumble, print_json, say
from svod.cli.remote import open_client

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from svod.cli.uploading import Sent
    from svod.cli.walking import Walked
    from svod.client import Client


def add(  # noqa: PLR0913 - a command: the library fills them
    paths: Annotated[
        list[str] | None, typer.Argument(metavar=t("meta.path"), help=t("help.add.paths"))
    ] = None,
    *,
    text: Annotated[str | None, typer.Option(help=t("help.add.text"))] = None,
    title: Annotated[str | None, typer.Option(help=t("help.add.title"))] = None,
    external_id: Annotated[str | None, typer.Option(help=t("help.add.external_id"))] = None,
    level: Level = "workspace",
    namespace: Namespace = "",
    refresh_days: Annotated[
        int | None, typer.Option(min=1, max=30, help=t("help.add.refresh_days"))
    ] = None,
    copy: Annotated[bool, typer.Option("--copy", help=t("help.add.copy"))] = False,
    tags: Annotated[list[str] | None, typer.Option("--tag", help=t("help.add.tags"))] = None,
    wait: Annotated[bool, typer.Option("--wait", help=t("help.add.wait"))] = False,
    until: Annotated[Literal["words", "meaning"], typer.Option(help=t("help.add.until"))] = "words",
    as_json: AsJson = False,
) -> int:
    """Add, and wait if asked to."""
    if text is None and not paths:
        raise WrongUse(t("add.nothing_named"))
    if text is not None and paths:
        raise WrongUse(t("add.text_and_paths"))
    from svod.cli.linking import send_links  # noqa: PLC0415
    from svod.cli.uploading import Sent, Where, send  # noqa: PLC0415

    with open_client() as client:
        if text is not None:
            note = sys.stdin.read() if text == "-" else text
            added = client.add_note(
                note,
                title=title,
                level=level,
                namespace=namespace,
                external_id=external_id,
                tags=tags,
            )
            sent, walked = [Sent.of(added)], None
        else:
            urls, walked = _sorted(paths or [])
            count = len(walked.files) + len(urls)
            if (title or external_id) and count != 1:
                raise WrongUse(t("add.one_only"))
            where = Where(
                level,
                namespace,
                copy=copy,
                title=title,
                external_id=external_id,
                tags=tuple(tags) if tags else None,
            )
            sent = _unopened(walked)
            with _progress(t("add.sending"), count) as step:
                done = _each(sent, step)
                send_links(client, urls, where, refresh_days=refresh_days, done=done)
                send(client, walked.files, where, done=done)
        if wait:
            sent = _waited(client, sent, meaning=until == "meaning")
    sent.sort(key=lambda one: one.external_id or "")
    if as_json:
        for one in sent:
            print_json(_line(one))
    else:
        _report(sent, walked, waited=wait)
    return Exit.FAILED if any(one.failed for one in sent) else Exit.DONE


def _sorted(named: "Iterable[str]") -> "tuple[list[str], Walked]":
    """The addresses of pages among what was named, and the files."""
    from svod.cli.linking import is_address  # noqa: PLC0415
    from svod.cli.walking import walk  # noqa: PLC0415

    urls = [one for one in named if is_address(one)]
    return urls, walk([Path(one) for one in named if not is_address(one)])


def _unopened(walked: "Walked") -> "list[Sent]":
    from svod.cli.uploading import failure_of, unreadable  # noqa: PLC0415

    return [unreadable(file, failure_of(error)) for file, error in walked.unreadable]


def _waited(client: "Client", sent: "list[Sent]", *, meaning: bool) -> "list[Sent]":
    from svod.cli.waiting import wait  # noqa: PLC0415

    ended = [one for one in sent if one.item is None]
    open_ones = [one for one in sent if one.item is not None]
    with _progress(t("add.waiting"), len(open_ones)) as step:
        wait(client, open_ones, meaning=meaning, done=_each(ended, step))
    return ended


def _each(into: "list[Sent]", step: "Callable[[], None]") -> "Callable[[Sent], None]":
    def done(one: "Sent") -> None:
        into.append(one)
        step()

    return done


@contextmanager
def _progress(what: str, total: int) -> "Generator[Callable[[], None]]":
    """A bar on a terminal, nothing elsewhere; each call of what it gives moves it by one."""
    target = console(errors=True)
    if not target.is_terminal or total == 0:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=target, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)


def _line(one: "Sent") -> dict[str, Any]:
    from svod.client.decoding import encode  # noqa: PLC0415

    return {
        "item_id": one.item.item_id if one.item else None,
        "external_id": one.external_id,
        "title": one.title,
        "status": one.item.status if one.item else "failed",
        "outcome": one.outcome,
        "failure": encode(one.failure),
    }


def _report(sent: "list[Sent]", walked: "Walked | None", *, waited: bool) -> None:
    if walked is None:
        note = sent[0]
        item_id = note.item.item_id if note.item else ""
        say(f"{t(f'add.outcome.{note.outcome}')}: {note.title} ({item_id})")
    elif not sent:
        say(t("add.no_files"))
    else:
        failed = sum(one.failed for one in sent)
        counts = Counter(one.outcome for one in sent if not one.failed)
        kinds = {kind: counts[kind] for kind in ("created", "updated", "unchanged")}
        say(t("add.done", failed=failed, **kinds))
    if walked is not None and walked.skipped:
        passed = {"hidden": walked.hidden, "links": walked.links, "special": walked.special}
        what = [t(f"add.skipped.{kind}", count=count) for kind, count in passed.items() if count]
        say(t("add.skipped", what=", ".join(what)))
    unfinished = any(one.item is not None and not one.item.done for one in sent)
    if unfinished and not waited:
        say(t("add.in_background"))
    _list_remarks(sent)


def _list_remarks(sent: "list[Sent]") -> None:
    failed = [one for one in sent if one.failure is not None]
    if failed:
        grumble(f"\n{t('add.failed')}")
    for one in failed:
        if one.failure is not None:
            told = " ".join(filter(None, (one.failure.message, one.failure.hint)))
            grumble(f"  {_on_one_line(one)}: {told}")
    warned = [one for one in sent if one.item is not None and one.item.warnings]
    if warned:
        grumble(f"\n{t('add.warned')}")
    for one in warned:
        if one.item is not None:
            told = " ".join(warning.message for warning in one.item.warnings)
            grumble(f"  {_on_one_line(one)}: {told}")


def _on_one_line(one: "Sent") -> str:
    # A line end in a file's name must not look like another file's line.
    return "\ufffd".join((one.external_id or one.title).splitlines())

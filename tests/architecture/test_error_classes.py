"""Every failure is one class: below a family, with a code of its own, in both languages."""

import ast
import importlib
import re
import string
from collections.abc import Iterator
from functools import cache

from source_tree import modules

from svod.foundation import errors
from svod.foundation.errors import Says, SvodError

FAMILIES = {
    errors.NotFound,
    errors.Denied,
    errors.Conflict,
    errors.Invalid,
    errors.Exhausted,
    errors.Unavailable,
}
CODE = re.compile(r"[a-z_]+\.[a-z][a-z_0-9]*")
ITEM_CODE = re.compile(r"[a-z][a-z_0-9]*")
"""Why an item failed (K15): one word, for it stands beside the item and not beside a room."""


@cache
def failures() -> tuple[type[SvodError], ...]:
    """Every failure of the package; the modules that define one are imported for it."""
    for module in modules():
        if any(_is_failure(node) for node in ast.walk(module.tree)):
            importlib.import_module(f"svod.{module.name}")
    found: set[type[SvodError]] = set()
    below: list[type[SvodError]] = [SvodError]
    while below:
        kind = below.pop()
        found.add(kind)
        below.extend(kind.__subclasses__())
    ours = [kind for kind in found if kind.__module__.startswith("svod.")]
    return tuple(sorted(ours, key=lambda kind: kind.__qualname__))


def _is_failure(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and any(
        isinstance(inner, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "says" for target in inner.targets)
        for inner in node.body
    )


def sentences(kind: type[SvodError]) -> Iterator[Says]:
    yield kind.says
    if kind.hint is not None:
        yield kind.hint


WITHOUT_A_FAMILY = {"Unexpected": "a fault of ours, which no caller can do anything about"}


def test_a_failure_stands_below_a_family_and_says_what_it_is() -> None:
    roots = {SvodError, *FAMILIES}
    astray = [
        kind.__qualname__
        for kind in failures()
        if kind not in roots
        and kind.__qualname__ not in WITHOUT_A_FAMILY
        and not any(issubclass(kind, family) for family in FAMILIES)
    ]
    assert not astray, astray
    silent = [kind.__qualname__ for kind in failures() if not (kind.__doc__ or "").strip()]
    assert not silent, silent


def test_codes_are_well_formed_and_unique() -> None:
    said: dict[str, list[str]] = {}
    for kind in failures():
        if "code" in vars(kind) and (kind in FAMILIES or not kind.__subclasses__()):
            said.setdefault(kind.code, []).append(kind.__qualname__)
            form = ITEM_CODE if _is_of_an_item(kind) else CODE
            assert form.fullmatch(kind.code), kind
    assert not {code: names for code, names in said.items() if len(names) > 1}


def _is_of_an_item(kind: type[SvodError]) -> bool:
    return any(parent.__name__ in {"ReadingFailed", "FetchFailed"} for parent in kind.__mro__)


def test_a_failure_that_is_raised_has_a_code_of_its_own() -> None:
    astray = [
        kind.__qualname__
        for kind in failures()
        if "code" not in vars(kind) and not kind.__subclasses__()
    ]
    assert not astray, astray


def test_a_failure_speaks_both_languages() -> None:
    astray: list[str] = []
    for kind in failures():
        for sentence in sentences(kind):
            english = sentence.en.strip() and not re.search(r"[а-яё]", sentence.en, re.IGNORECASE)
            russian = re.search(r"[а-яё]", sentence.ru, re.IGNORECASE)
            if not english or not (russian or sentence.ru == sentence.en):
                astray.append(f"{kind.__qualname__}: {sentence}")
    assert not astray, astray


def test_what_fills_a_sentence_has_a_name() -> None:
    """One language may tell a fact that the other has no word for, but never by its place."""
    astray = [
        f"{kind.__qualname__}: {text}"
        for kind in failures()
        for sentence in sentences(kind)
        for text in (sentence.en, sentence.ru)
        for _, name, _, _ in string.Formatter().parse(text)
        if name is not None and not name.isidentifier()
    ]
    assert not astray, astray

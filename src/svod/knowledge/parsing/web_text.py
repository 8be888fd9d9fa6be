"""The words of a part of an HTML page, and its lists."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from svod.knowledge.parsing.tables import counted

BLOCKS = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "body",
            "center",
            "dd",
            "details",
            "dialog",
            "div",
            "dl",
            "dt",
        ),
        *(
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "header",
            "hgroup",
            "hr",
            "html",
            "li",
        ),
        *(
            "legend",
            "main",
            "nav",
            "ol",
            "p",
            "section",
            "summary",
            "table",
            "tbody",
            "td",
            "tfoot",
            "th",
        ),
        *("thead", "tr", "ul", "caption", "menu", "frameset", "noframes", "optgroup", "search"),
    )
)
"""Elements that end a paragraph."""
HEADINGS = {f"h{level}": level for level in range(1, 7)}
LINE = "\x1e"
"""Stands for a line break until white space is collapsed."""
SPACE = re.compile(r"[ \t\r\n\f\xa0]+")
TEXT, COMMENT = "-text", "-comment"
MOST_ITEMS = 1_000_000


def children_of(node: LexborNode) -> Iterator[LexborNode]:
    """What is directly in an element, texts too."""
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def items_of(node: LexborNode, indent: int = 0) -> list[str]:
    """A list's items as Markdown, one string an item of the outermost list."""
    items: list[str] = []
    number = counted(node.attributes.get("start"), 1, most=MOST_ITEMS)
    for child in children_of(node):
        if child.tag in {"ul", "ol", "menu"}:
            items += items_of(child, indent + 1)
            continue
        if child.tag in {TEXT, COMMENT} and not (child.text_content or "").strip():
            continue
        nested = [inner for inner in child.css("ul,ol,menu") if not _is_nested(inner, child)]
        below = [line for inner in nested for line in items_of(inner, indent + 1)]
        for inner in nested:
            inner.decompose()
        passages = passages_of(child)
        if passages or below:
            mark = f"{number}." if node.tag == "ol" else "-"
            pad = "  " * indent
            text = f"\n{pad}  ".join(passages)
            items.append("\n".join([f"{pad}{mark} {text}".rstrip(), *below]))
            number += 1
    return items


def _is_nested(node: LexborNode, within: LexborNode) -> bool:
    parent = node.parent
    while parent is not None and parent.mem_id != within.mem_id:
        if parent.tag in {"ul", "ol", "menu"}:
            return True
        parent = parent.parent
    return False


def passages_of(node: LexborNode) -> list[str]:
    """A node's text, one string for each paragraph or line in it."""
    gathered: list[str] = []

    def gather(inner: LexborNode) -> None:
        tag = inner.tag or ""
        if tag == TEXT:
            gathered.append(inner.text_content or "")
        elif tag != COMMENT:
            edge = (
                LINE
                if tag in BLOCKS or tag in HEADINGS or tag in {"br", "pre", "blockquote"}
                else ""
            )
            gathered.append(edge)
            for child in children_of(inner):
                gather(child)
            gathered.append(edge)

    gather(node)
    lines = (SPACE.sub(" ", line).strip() for line in "".join(gathered).split(LINE))
    return [line for line in lines if line]

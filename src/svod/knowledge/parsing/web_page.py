"""An HTML page to blocks: its main part, walked once."""

import re
from html import unescape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from svod.knowledge.parsing.decoding import decoded_source
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.tables import write_table
from svod.knowledge.parsing.web_table import is_layout, rows_of
from svod.knowledge.parsing.web_text import (
    BLOCKS,
    COMMENT,
    HEADINGS,
    LINE,
    SPACE,
    TEXT,
    children_of,
    items_of,
    passages_of,
)
from svod.knowledge.parsing.writing import Writing

DEEPEST = 200
"""Levels of elements; a deeper page is kept as text without structure."""
MAIN_SHARE = 0.5
"""The part marked as main is taken for the page if it holds this share of the words."""
LEFT_SHARE = 0.25
"""Navigation and the like are dropped only if this share of the words remains without them."""

_UNSEEN = (
    "script,style,noscript,template,svg,iframe,object,canvas,head,select,button,input,textarea"
)
_AROUND = (
    "nav,header,footer,aside,[role=navigation],[role=banner],[role=contentinfo],[role=search],"
    "[role=complementary],[class*=cookie],[id*=cookie],[class*=breadcrumb]"
)
_HIDDEN = "[hidden],[aria-hidden=true],[style*='display:none'],[style*='display: none']"
_MAIN = ("main", "[role=main]", "article")
_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w:.-]+)", re.IGNORECASE)
_CLASS_LANGUAGE = re.compile(r"(?:language|lang|highlight-source)-([\w+#-]+)")
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]*)[^<>]*>")
_UNSEEN_TEXT = re.compile(
    r"<!--.*?-->|<(script|style|template|noscript|head)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE
)
_SELF_ENDING = frozenset(
    (
        *(
            "area",
            "base",
            "br",
            "col",
            "embed",
            "hr",
            "img",
            "input",
            "link",
            "meta",
            "param",
            "source",
        ),
        *(
            "track",
            "wbr",
            "p",
            "li",
            "td",
            "th",
            "tr",
            "dt",
            "dd",
            "option",
            "thead",
            "tbody",
            "tfoot",
        ),
        *(
            "colgroup",
            "html",
            "head",
            "body",
            "path",
            "rect",
            "circle",
            "use",
            "g",
            "line",
            "polygon",
        ),
    )
)


def write_page(writing: Writing, source: Source) -> None:
    """Write a page's main part."""
    charset = _CHARSET.search(source.content[:4096])
    declared = source.charset or (charset[1].decode("ascii", "replace") if charset else None)
    html = decoded_source(source, writing, declared)
    # Before the parser sees it: its time grows with the square of the depth (30,000: 100 s).
    if _depth(html) > DEEPEST:
        writing.warn("structure_lost")
        for line in _words_only(html).split("\n"):
            writing.paragraph(SPACE.sub(" ", line))
        return
    tree = LexborHTMLParser(html)
    title = tree.css_first("title")
    writing.title = SPACE.sub(" ", title.text_lexbor()).strip() if title else None
    body = tree.body or tree.root
    if body is None:
        return
    for node in tree.css(f"{_UNSEEN},{_HIDDEN}"):
        if node.tag not in {"body", "html"}:
            node.decompose()
    _Walk(writing).whole(_main_part(body))


def _depth(html: str) -> int:
    """About how deep the elements go: elements that end by themselves are not counted."""
    deepest = depth = 0
    for tag in _TAG.finditer(html):
        if tag[2].lower() not in _SELF_ENDING and not tag[0].endswith("/>"):
            depth = max(depth - 1, 0) if tag[1] else depth + 1
            deepest = max(deepest, depth)
    return deepest


def _words_only(html: str) -> str:
    html = _UNSEEN_TEXT.sub(" ", html)
    return unescape(_TAG.sub(lambda tag: "\n" if tag[2].lower() in BLOCKS else " ", html))


def _words(node: LexborNode) -> int:
    return len(node.text_lexbor().split())


def _main_part(body: LexborNode) -> LexborNode:
    everything = _words(body)
    for selector in _MAIN:
        found = body.css(selector)
        if len(found) == 1 and _words(found[0]) >= MAIN_SHARE * everything:
            body = found[0]
            break
    around = [
        node
        for node in body.css(_AROUND)
        if not node.css_first("h1") or node.tag in {"nav", "footer"}
    ]
    dropped = sum(_words(node) for node in around if not _is_inside(node, around))
    if _words(body) - dropped >= LEFT_SHARE * everything:
        for node in around:
            node.decompose()
    return body


def _is_inside(node: LexborNode, others: list[LexborNode]) -> bool:
    known = {other.mem_id for other in others}
    parent = node.parent
    while parent is not None:
        if parent.mem_id in known:
            return True
        parent = parent.parent
    return False


class _Walk:
    """One walk over a page; words between blocks gather until a block ends the paragraph."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing
        self._gathered: list[str] = []

    def whole(self, node: LexborNode) -> None:
        self._inside(node)
        self._flush()

    def _inside(self, node: LexborNode) -> None:
        for child in children_of(node):
            self._node(child)

    def _node(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag == TEXT:
            self._gathered.append(node.text_content or "")
        elif tag == "br":
            self._gathered.append(LINE)
        elif tag in {"code", "kbd", "samp", "tt"}:
            words = SPACE.sub(" ", node.text_lexbor()).strip()
            self._gathered.append(f"`{words}`" if words else " ")
        elif tag in HEADINGS or tag in BLOCKS or tag in {"pre", "blockquote", "listing", "xmp"}:
            self._flush()
            self._block(node, tag)
            self._flush()
        elif tag != COMMENT:
            self._inside(node)

    def _block(self, node: LexborNode, tag: str) -> None:
        match tag:
            case _ if tag in HEADINGS:
                self._writing.heading(SPACE.sub(" ", node.text_lexbor()), HEADINGS[tag])
            case "pre" | "listing" | "xmp":
                inner = node.css_first("code") or node
                named = _CLASS_LANGUAGE.search(
                    f"{node.attributes.get('class')} {inner.attributes.get('class')}"
                )
                self._writing.code(node.text_lexbor(), named[1] if named else "")
            case "blockquote" if not node.css_first("h1,h2,h3,h4,h5,h6,table,pre"):
                self._writing.quote("\n".join(passages_of(node)))
            case "ul" | "ol" | "menu" if not node.css_first("h1,h2,h3,h4,h5,h6,table,pre"):
                self._list(node)
            case "dl" if not node.css_first("h1,h2,h3,h4,h5,h6,table,pre,dl"):
                self._definitions(node)
            case "table" if not is_layout(node):
                self._table(node)
            case _:
                self._inside(node)

    def _flush(self) -> None:
        text = "".join(self._gathered)
        self._gathered = []
        lines = [SPACE.sub(" ", line).strip() for line in text.split(LINE)]
        self._writing.paragraph("\n".join(line for line in lines if line))

    def _list(self, node: LexborNode) -> None:
        self._writing.items(items_of(node))

    def _definitions(self, node: LexborNode) -> None:
        items: list[str] = []
        for child in node.css("dt,dd"):
            text = " ".join(passages_of(child))
            if child.tag == "dd" and items and items[-1].endswith(":"):
                items[-1] += f" {text}"
            elif text:
                items.append(f"- {text}" + (":" if child.tag == "dt" else ""))
        self._writing.items(items)

    def _table(self, node: LexborNode) -> None:
        caption = node.css_first("caption")
        if caption:
            self._writing.paragraph(SPACE.sub(" ", caption.text_lexbor()))
        rows, header = rows_of(node, lambda cell: " ".join(passages_of(cell)))
        write_table(self._writing, rows, has_header=header or None)

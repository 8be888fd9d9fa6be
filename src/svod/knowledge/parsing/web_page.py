"""An HTML page to blocks: its main part, walked once."""

import re
from collections.abc import Iterator
from html import unescape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from svod.knowledge.parsing.decoding import decoded_source
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.tables import counted, write_table
from svod.knowledge.parsing.web_table import is_layout, rows_of
from svod.knowledge.parsing.writing import Writing

DEEPEST = 200
"""Levels of elements; a deeper page is kept as text without structure."""
MAIN_SHARE = 0.5
"""The part marked as main is taken for the page if it holds this share of the words."""
MOST_ITEMS = 1_000_000
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
_BLOCKS = frozenset(
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
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINE = "\x1e"
_SPACE = re.compile(r"[ \t\r\n\f\xa0]+")
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
_TEXT, _COMMENT = "-text", "-comment"


def write_page(writing: Writing, source: Source) -> None:
    """Write a page's main part."""
    charset = _CHARSET.search(source.content[:4096])
    declared = source.charset or (charset[1].decode("ascii", "replace") if charset else None)
    html = decoded_source(source, writing, declared)
    # Before the parser sees it: its time grows with the square of the depth (30,000: 100 s).
    if _depth(html) > DEEPEST:
        writing.warn("structure_lost")
        for line in _words_only(html).split("\n"):
            writing.paragraph(_SPACE.sub(" ", line))
        return
    tree = LexborHTMLParser(html)
    title = tree.css_first("title")
    writing.title = _SPACE.sub(" ", title.text_lexbor()).strip() if title else None
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
    return unescape(_TAG.sub(lambda tag: "\n" if tag[2].lower() in _BLOCKS else " ", html))


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


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


class _Walk:
    """One walk over a page; words between blocks gather until a block ends the paragraph."""

    def __init__(self, writing: Writing) -> None:
        self._writing = writing
        self._gathered: list[str] = []

    def whole(self, node: LexborNode) -> None:
        self._inside(node)
        self._flush()

    def _inside(self, node: LexborNode) -> None:
        for child in _children(node):
            self._node(child)

    def _node(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag == _TEXT:
            self._gathered.append(node.text_content or "")
        elif tag == "br":
            self._gathered.append(_LINE)
        elif tag in {"code", "kbd", "samp", "tt"}:
            words = _SPACE.sub(" ", node.text_lexbor()).strip()
            self._gathered.append(f"`{words}`" if words else " ")
        elif tag in _HEADINGS or tag in _BLOCKS or tag in {"pre", "blockquote", "listing", "xmp"}:
            self._flush()
            self._block(node, tag)
            self._flush()
        elif tag != _COMMENT:
            self._inside(node)

    def _block(self, node: LexborNode, tag: str) -> None:
        match tag:
            case _ if tag in _HEADINGS:
                self._writing.heading(_SPACE.sub(" ", node.text_lexbor()), _HEADINGS[tag])
            case "pre" | "listing" | "xmp":
                inner = node.css_first("code") or node
                named = _CLASS_LANGUAGE.search(
                    f"{node.attributes.get('class')} {inner.attributes.get('class')}"
                )
                self._writing.code(node.text_lexbor(), named[1] if named else "")
            case "blockquote" if not node.css_first("h1,h2,h3,h4,h5,h6,table,pre"):
                self._writing.quote("\n".join(_passages(node)))
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
        lines = [_SPACE.sub(" ", line).strip() for line in text.split(_LINE)]
        self._writing.paragraph("\n".join(line for line in lines if line))

    def _list(self, node: LexborNode) -> None:
        self._writing.items(_items(node, 0))

    def _definitions(self, node: LexborNode) -> None:
        items: list[str] = []
        for child in node.css("dt,dd"):
            text = " ".join(_passages(child))
            if child.tag == "dd" and items and items[-1].endswith(":"):
                items[-1] += f" {text}"
            elif text:
                items.append(f"- {text}" + (":" if child.tag == "dt" else ""))
        self._writing.items(items)

    def _table(self, node: LexborNode) -> None:
        caption = node.css_first("caption")
        if caption:
            self._writing.paragraph(_SPACE.sub(" ", caption.text_lexbor()))
        rows, header = rows_of(node, lambda cell: " ".join(_passages(cell)))
        write_table(self._writing, rows, has_header=header or None)


def _items(node: LexborNode, indent: int) -> list[str]:
    """A list's items as Markdown, one string an item of the outermost list."""
    items: list[str] = []
    number = counted(node.attributes.get("start"), 1, most=MOST_ITEMS)
    for child in _children(node):
        if child.tag in {"ul", "ol", "menu"}:
            items += _items(child, indent + 1)
            continue
        if child.tag in {_TEXT, _COMMENT} and not (child.text_content or "").strip():
            continue
        nested = [inner for inner in child.css("ul,ol,menu") if not _is_nested(inner, child)]
        below = [line for inner in nested for line in _items(inner, indent + 1)]
        for inner in nested:
            inner.decompose()
        passages = _passages(child)
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


def _passages(node: LexborNode) -> list[str]:
    """A node's text, one string for each paragraph or line in it."""
    gathered: list[str] = []

    def gather(inner: LexborNode) -> None:
        tag = inner.tag or ""
        if tag == _TEXT:
            gathered.append(inner.text_content or "")
        elif tag != _COMMENT:
            edge = (
                _LINE
                if tag in _BLOCKS or tag in _HEADINGS or tag in {"br", "pre", "blockquote"}
                else ""
            )
            gathered.append(edge)
            for child in _children(inner):
                gather(child)
            gathered.append(edge)

    gather(node)
    lines = (_SPACE.sub(" ", line).strip() for line in "".join(gathered).split(_LINE))
    return [line for line in lines if line]

"""Texts of others made harmless before a model reads them.

Every line of an excerpt begins with a bar, so none of them can be a marker; the markers carry a
number that nobody outside knows. What no reader would see is taken out, and what some servers read
as the end of a turn is broken up.
"""

import re
import unicodedata

BAR = "│"
"""What each line of an excerpt begins with."""

_LINE_ENDS = re.compile("\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_SHOWN = frozenset("\t\n")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Control and format signs (zero width, direction, tags), halves of pairs, private and unknown."""
_VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u115f\u1160\u3164\uffa0]")
"""Variants of signs and letters without a shape: they can carry any hidden text."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TURN = re.compile(
    r"<(?=[|｜])|<(?=/?(?:s|bos|eos|start_of_turn|end_of_turn|begin_of_text|think)>)"
    r"|<(?=</?SYS>)|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])",
    re.IGNORECASE,
)
"""Where the templates of chats mark turns: `<|im_start|>`, `</s>`, `[INST]` and their kin."""


def shown(text: str) -> str:
    """A text as a reader sees it: without comments and signs that have no shape, in plain lines."""
    text = _COMMENT.sub(" ", _LINE_ENDS.sub("\n", text))
    text = _VARIANTS.sub("", text)
    return "".join(
        sign for sign in text if sign in _SHOWN or unicodedata.category(sign) not in _HIDDEN
    )


def harmless(text: str) -> str:
    """A text of any lines that begins and ends no turn."""
    # A space parts what a template would join; the reader of the answer never sees it.
    return _TURN.sub(lambda match: f"{match[0]} ", shown(text))


def in_one_line(text: str) -> str:
    """The same in one line, for titles, headings and questions."""
    return " ".join(harmless(text).split())


def barred(text: str) -> str:
    """The lines of a text, each after a bar."""
    return "\n".join(f"{BAR} {line}".rstrip() for line in harmless(text).split("\n"))

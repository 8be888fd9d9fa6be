"""The words of a question that ask and are not asked for: an answer does not repeat them."""

import re

_ASKING = re.compile(
    r"\bhow\s+(?:long|many|much|often|old|far|big|tall|soon|fast)\b"
    r"|\b(?:why|whose)\b"
    r"|\bкак\s+(?:долго|часто|давно|далеко|быстро|скоро)\b"
    r"|\b(?:скольк\w+|наскольк\w+|почему|зачем|откуда|отчего)\b",
    re.IGNORECASE,
)


def without_asking(question: str) -> str:
    """The question with its asking words blanked, each letter in its place.

    «How long is the warranty?» asks for no «long»; a sentence that has it is no nearer for that.
    Nothing is blanked where nothing else would be left.
    """
    blanked = _ASKING.sub(lambda asking: " " * len(asking[0]), question)
    return blanked if any(letter.isalnum() for letter in blanked) else question

"""The words of the library that reads arguments, in Russian."""

import re

from svod.foundation.errors import Language

_HELP = (
    ("Usage: ", "Вызов: "),
    ("Arguments:\n", "Что указать:\n"),
    ("Options:\n", "Параметры:\n"),
    ("Commands:\n", "Команды:\n"),
    ("COMMAND [ARGS]...", "КОМАНДА [ЧТО]..."),
    ("[OPTIONS]", "[ПАРАМЕТРЫ]"),
    ("[required]", "[обязательно]"),
    ("[default: ", "[иначе "),
    ("Show this message and exit.", "Показать эту справку."),
    ("Install completion for the current shell.", "Включить дополнение в этой оболочке."),
)
_WIDE_HELP = re.compile(
    r"Show\s+completion\s+for\s+the\s+current\s+shell,\s+to\s+copy\s+it\s+or\s+customize\s+the\s+"
    r"installation\."
)
_ARGUMENT_KIND = re.compile(r"(?m)^(  [A-ZА-ЯЁ]+)( <[^>|]+>)")
_KINDS = re.compile(r"<(?:list\[)?(str|int|float|Path)(?: range)?\]?>")
_BETWEEN = re.compile(r"(?<=[\[ ])([\d.]+)<=x<=([\d.]+)")
_FROM = re.compile(r"x>=(?=\d)")
_KIND_WORDS = {
    Language.EN: {"str": "TEXT", "int": "N", "float": "N", "Path": "PATH"},
    Language.RU: {"str": "ТЕКСТ", "int": "ЧИСЛО", "float": "ЧИСЛО", "Path": "ПУТЬ"},
}
_ERRORS = (
    (r"No such option: (.*)", r"Нет такого параметра: \1"),
    (r"\(Possible options: (.*)\)", r"(похожие: \1)"),
    (r"Did you mean (.*)\?", r"Может быть, \1?"),
    (r"No such command (.*)\.", r"Нет такой команды: \1."),
    (r"Missing argument (.*)\.", r"Не указано: \1."),
    (r"Missing option (.*)\.", r"Не указан параметр \1."),
    (r"Missing command\.", "Не указана команда."),
    (r"Invalid value for (.*?): (.*)", r"Не подходит значение для \1: \2"),
    (r"Invalid value: (.*)", r"Не подходит значение: \1"),
    (r"(.*) is not a valid integer range\.", r"\1 — не целое число в этих пределах."),
    (r"(.*) is not a valid integer\.", r"\1 — не целое число."),
    (r"(.*) is not a valid int\.", r"\1 — не целое число."),
    (r"(.*) is not a valid float\.", r"\1 — не число."),
    (r"(.*) is not in the range (.*)\.", r"\1 не входит в пределы \2."),
    (r"Input should be less than or equal to (.*)", r"нужно не больше \1"),
    (r"Input should be greater than or equal to (.*)", r"нужно не меньше \1"),
    (r"Input should be a valid integer.*", r"нужно целое число"),
    (r"Input should be a valid number.*", r"нужно число"),
    (r"(.*) is not one of (.*)\.", r"\1 — не одно из: \2."),
    (r"Option (.*) requires an argument\.", r"Параметру \1 нужно значение."),
    (r"Option (.*) does not take a value\.", r"Параметр \1 не принимает значения."),
    (r"Got unexpected extra arguments? \((.*)\)", r"Лишнее: \1"),
    (r"Got unexpected extra argument\(s\) \((.*)\)", r"Лишнее: \1"),
)
_PATTERNS = tuple((re.compile(pattern), said) for pattern, said in _ERRORS)


def help_in(language: Language, text: str) -> str:
    """A help text in the language."""
    words = _KIND_WORDS[language]
    text = _ARGUMENT_KIND.sub(lambda found: found[1] + " " * len(found[2]), text)
    text = _BETWEEN.sub(r"\1…\2", text)
    text = _FROM.sub("от " if language is Language.RU else "from ", text)
    # As wide as what it stands for, or the columns would move.
    text = _KINDS.sub(lambda found: words[found[1]].ljust(len(found[0])), text)
    if language is Language.EN:
        return text
    for english, russian in _HELP:
        text = text.replace(english, russian)
    return _WIDE_HELP.sub("Показать настройку дополнения для этой оболочки.", text)


def error_in(language: Language, text: str) -> str:
    """A message about wrong use in the language."""
    text = text.replace("Value error, ", "")
    if language is Language.EN:
        return text
    for pattern, said in _PATTERNS:
        text = pattern.sub(said, text)
    return text

"""Which language to speak, from what the reader's program says it prefers."""

from svod.foundation.errors import Language


def preferred(accept_language: str) -> Language:
    """The better liked of our languages; English when neither is named.

    Source: RFC 9110, 12.5.4. A malformed part is passed over.
    """
    best, best_weight = Language.EN, 0.0
    for part in accept_language.split(",")[:20]:
        tag, _, parameter = part.partition(";")
        name = tag.strip().lower().split("-")[0]
        weight = _weight(parameter)
        if name in tuple(Language) and weight > best_weight:
            best, best_weight = Language(name), weight
    return best


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name != "q":
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0

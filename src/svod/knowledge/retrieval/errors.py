"""This room's failures."""

from svod.foundation.errors import Invalid, Says


class TooManyHits(Invalid):
    """More hits were asked for than one search returns, or none."""

    code = "retrieval.too_many_hits"
    says = Says(
        "{limit} hits were asked for; from 1 to {most} can be had.",
        "Запрошено результатов: {limit}, а можно от 1 до {most}.",
    )
    hint = Says("Ask for fewer.", "Запросите меньше.")


class NothingAsked(Invalid):
    """The query holds nothing to look for."""

    code = "retrieval.nothing_asked"
    says = Says("The query is empty.", "Запрос пуст.")
    hint = Says("Write what to look for.", "Напишите, что искать.")


class ThresholdOutOfRange(Invalid):
    """The least score is not one that a hit can have."""

    code = "retrieval.threshold_out_of_range"
    says = Says(
        "The least score is {min_score}; scores lie between 0 and 1.",
        "Порог равен {min_score}, а оценки лежат от 0 до 1.",
    )


class UnknownKind(Invalid):
    """A kind of items was named that there is not."""

    code = "retrieval.unknown_kind"
    says = Says("There are no items of the kind {kind}.", "Записей вида {kind} не бывает.")
    hint = Says("The kinds are {kinds}.", "Виды записей: {kinds}.")

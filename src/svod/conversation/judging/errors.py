"""What judging a question can be refused for."""

from svod.foundation.errors import Invalid, NotFound, Says


class JudgementNotFound(NotFound):
    """There is no such judged question, or the caller may not see it."""

    code = "judging.not_found"
    says = Says("There is no such judged question.", "Такого оценённого вопроса нет.")


class TooManyJudgements(Invalid):
    """More questions were judged at once than one call takes."""

    code = "judging.too_many"
    says = Says(
        "{count} judged questions were sent; the most at once is {limit}.",
        "Прислано оценённых вопросов: {count}, а за раз можно не больше {limit}.",
    )
    hint = Says("Send them in parts.", "Пришлите их по частям.")


class BadJudgementCursor(Invalid):
    """The cursor was not given by this list."""

    code = "judging.bad_cursor"
    says = Says("This is no cursor of the list.", "Это не курсор этого списка.")
    hint = Says("Take `next_cursor` as it was given.", "Возьмите `next_cursor` как есть.")

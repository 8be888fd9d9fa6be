"""What a question can be refused for before anything is searched."""

from svod.foundation.errors import Invalid, Says


class QuestionEmpty(Invalid):
    """The question holds nothing that could be looked for."""

    code = "answering.question_empty"
    says = Says("The question is empty.", "Вопрос пуст.")
    hint = Says("Ask in a few words or a sentence.", "Задайте его словом или предложением.")


class QuestionTooLong(Invalid):
    """The question is longer than one question may be."""

    code = "answering.question_too_long"
    says = Says(
        "The question has {length} characters; the most is {limit}.",
        "В вопросе {length} знаков, а можно не больше {limit}.",
    )
    hint = Says(
        "Ask one thing at a time; add longer texts as notes or files.",
        "Спросите о чём-то одном; длинный текст добавьте заметкой или файлом.",
    )

"""What can go wrong between us and a model."""

from svod.foundation.errors import Invalid, Says, Unavailable


class WeightsMissing(Unavailable):
    """The file with the weights of the built-in model is not installed."""

    code = "providers.weights_missing"
    says = Says(
        "The weights of the built-in model are not installed.",
        "Веса встроенной модели не установлены.",
    )
    hint = Says(
        "Install again with ./svod up, or set SVOD_EMBEDDINGS=none to search by words only.",
        "Установите заново командой ./svod up или задайте SVOD_EMBEDDINGS=none: поиск по словам.",
    )


class WeightsChanged(Unavailable):
    """The file with the weights is not the one that this release was made for."""

    code = "providers.weights_changed"
    says = Says(
        "The weights of the built-in model have sha256 {seen}…, not {expected}….",
        "У весов встроенной модели sha256 {seen}…, а не {expected}….",
    )
    hint = Says(
        "Remove the environment (.venv) and start ./svod up again.",
        "Удалите окружение (.venv) и запустите ./svod up снова.",
    )


class WeightsDamaged(Unavailable):
    """The file with the weights does not follow its own format."""

    code = "providers.weights_damaged"
    says = Says(
        "The weights of the built-in model cannot be read: {reason}.",
        "Веса встроенной модели не читаются: {reason}.",
    )
    hint = WeightsChanged.hint


class ModelNotBuilt(Unavailable):
    """The files of the built-in model could not be made from its weights."""

    code = "providers.model_not_built"
    says = Says(
        "The built-in model could not be prepared: {reason}.",
        "Встроенную модель не удалось подготовить: {reason}.",
    )
    hint = Says(
        "Check free space (200 MB) and memory (600 MB); it is tried again at the next need.",
        "Проверьте место (200 МБ) и память (600 МБ); при следующем обращении попытка повторится.",
    )


class ModelNotLoaded(Unavailable):
    """The built-in model is prepared but could not be loaded."""

    code = "providers.model_not_loaded"
    says = Says(
        "The built-in model could not be loaded: {reason}.",
        "Встроенную модель не удалось загрузить: {reason}.",
    )
    hint = ModelNotBuilt.hint


class EmbeddingFailed(Unavailable):
    """The model is loaded but failed on these texts."""

    code = "providers.embedding_failed"
    says = Says(
        "The model failed on these texts: {reason}.",
        "Модель не справилась с этими текстами: {reason}.",
    )


class EmbedderClosed(Unavailable):
    """The embedder was closed, as the process is stopping."""

    code = "providers.embedder_closed"
    says = Says("The model was already put away.", "Модель уже выгружена.")


class UnknownEmbeddings(Invalid):
    """The setting names no embedder that we have."""

    code = "providers.unknown_embeddings"
    says = Says(
        "SVOD_EMBEDDINGS is {value!r}; it can be builtin or none.",
        "SVOD_EMBEDDINGS равно {value!r}, а может быть builtin или none.",
    )

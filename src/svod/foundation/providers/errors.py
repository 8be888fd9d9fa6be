"""What can go wrong between us and a model."""

from svod.foundation.errors import Invalid, Says, Unavailable


class ModelFailed(Unavailable):
    """A model gave no vectors; never raised itself."""

    code = "providers.model_failed"
    says = Says("The meaning model failed.", "Модель смысла не сработала.")


class WeightsMissing(ModelFailed):
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


class WeightsChanged(ModelFailed):
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


class WeightsDamaged(ModelFailed):
    """The file with the weights does not follow its own format."""

    code = "providers.weights_damaged"
    says = Says(
        "The weights of the built-in model cannot be read: {reason}.",
        "Веса встроенной модели не читаются: {reason}.",
    )
    hint = WeightsChanged.hint


class ModelNotBuilt(ModelFailed):
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


class ModelNotLoaded(ModelFailed):
    """The built-in model is prepared but could not be loaded."""

    code = "providers.model_not_loaded"
    says = Says(
        "The built-in model could not be loaded: {reason}.",
        "Встроенную модель не удалось загрузить: {reason}.",
    )
    hint = ModelNotBuilt.hint


class EmbeddingFailed(ModelFailed):
    """The model is loaded but failed on these texts."""

    code = "providers.embedding_failed"
    says = Says(
        "The model failed on these texts: {reason}.",
        "Модель не справилась с этими текстами: {reason}.",
    )


class EmbedderClosed(ModelFailed):
    """The embedder was closed, as the process is stopping."""

    code = "providers.embedder_closed"
    says = Says("The model was already put away.", "Модель уже выгружена.")


class ModelNotLearned(ModelFailed):
    """What this model is shows in its first reply, which has not come yet."""

    code = "providers.model_not_learned"
    says = Says("The meaning model has not answered yet.", "Модель смысла ещё не отвечала.")


class EndpointFailed(ModelFailed):
    """The embeddings endpoint did not give vectors; never raised itself."""

    code = "providers.endpoint_failed"
    says = Says("The embeddings endpoint failed.", "Сервис эмбеддингов не ответил как следует.")
    hint = Says(
        "Check SVOD_EMBEDDINGS_URL and that the service runs; it is asked again by itself.",
        "Проверьте SVOD_EMBEDDINGS_URL и сам сервис; обращения повторятся без перезапуска.",
    )


class EndpointUnreachable(EndpointFailed):
    """Nothing came back from the embeddings endpoint."""

    code = "providers.endpoint_unreachable"
    says = Says(
        "The embeddings endpoint does not answer: {reason}.",
        "Сервис эмбеддингов не отвечает: {reason}.",
    )


class EndpointBusy(EndpointFailed):
    """The embeddings endpoint asked to come back later, or failed on its side."""

    code = "providers.endpoint_busy"
    says = Says(
        "The embeddings endpoint answers with status {status}.",
        "Сервис эмбеддингов отвечает кодом {status}.",
    )
    hint = Says(
        "A limit of its plan may be reached; it is asked again by itself.",
        "Возможно, исчерпан лимит тарифа; обращения повторятся без перезапуска.",
    )


class EndpointKeyRefused(EndpointFailed):
    """The embeddings endpoint does not accept the key."""

    code = "providers.endpoint_key_refused"
    says = Says(
        "The embeddings endpoint refuses the key (status {status}).",
        "Сервис эмбеддингов не принимает ключ (код {status}).",
    )
    hint = Says(
        "Set a valid SVOD_EMBEDDINGS_KEY and restart.",
        "Задайте действующий SVOD_EMBEDDINGS_KEY и перезапустите сервер.",
    )


class EndpointRefused(EndpointFailed):
    """The embeddings endpoint does not take what was sent."""

    code = "providers.endpoint_refused"
    says = Says(
        "The embeddings endpoint refuses the request (status {status}, {reason}).",
        "Сервис эмбеддингов отклоняет запрос (код {status}, {reason}).",
    )
    hint = Says(
        "Check SVOD_EMBEDDINGS_MODEL, SVOD_EMBEDDINGS_DIMENSIONS and SVOD_EMBEDDINGS_MAX_TOKENS.",
        "Проверьте SVOD_EMBEDDINGS_MODEL, SVOD_EMBEDDINGS_DIMENSIONS и SVOD_EMBEDDINGS_MAX_TOKENS.",
    )


class EndpointUnfit(EndpointFailed):
    """The embeddings endpoint answered something that is not the vectors asked for."""

    code = "providers.endpoint_unfit"
    says = Says(
        "The embeddings endpoint answered with {reason}.",
        "Ответ сервиса эмбеддингов не годится: {reason}.",
    )
    hint = EndpointRefused.hint


class EndpointIncomplete(Invalid):
    """An endpoint was chosen and not said which."""

    code = "providers.endpoint_incomplete"
    says = Says(
        "SVOD_EMBEDDINGS=openai needs SVOD_EMBEDDINGS_URL and SVOD_EMBEDDINGS_MODEL.",
        "Для SVOD_EMBEDDINGS=openai нужны SVOD_EMBEDDINGS_URL и SVOD_EMBEDDINGS_MODEL.",
    )


class FolderIncomplete(Invalid):
    """The folder that is to hold a model does not hold all of it."""

    code = "providers.folder_incomplete"
    says = Says(
        "The folder in SVOD_EMBEDDINGS holds no usable model: {reason}.",
        "В папке из SVOD_EMBEDDINGS нет годной модели: {reason}.",
    )
    hint = Says(
        "It needs model.onnx, one SentencePiece file *.model, and svod.json.",
        "Нужны model.onnx, один файл SentencePiece *.model и svod.json.",
    )


class TokenizerUnsupported(Invalid):
    """The folder holds a tokenizer of a kind that we cannot run."""

    code = "providers.tokenizer_unsupported"
    says = Says(
        "The folder in SVOD_EMBEDDINGS has tokenizer.json alone, which is not supported.",
        "В папке из SVOD_EMBEDDINGS есть только tokenizer.json, а он не поддерживается.",
    )
    hint = Says(
        "Put the SentencePiece file of the model (*.model) beside it, or serve the model by an "
        "endpoint and set SVOD_EMBEDDINGS=openai.",
        "Положите рядом файл SentencePiece этой модели (*.model) или запустите модель отдельным "
        "сервисом и задайте SVOD_EMBEDDINGS=openai.",
    )


class FolderUnusable(ModelFailed):
    """The model of the folder cannot be loaded or gives no vectors."""

    code = "providers.folder_unusable"
    says = Says(
        "The model of the folder cannot be used: {reason}.",
        "Модель из папки использовать нельзя: {reason}.",
    )
    hint = FolderIncomplete.hint


class UnknownEmbeddings(Invalid):
    """The setting names no embedder that we have."""

    code = "providers.unknown_embeddings"
    says = Says(
        "SVOD_EMBEDDINGS is {value!r}; it can be builtin, none, openai or a folder with a model.",
        "SVOD_EMBEDDINGS равно {value!r}, а может быть builtin, none, openai или папкой с моделью.",
    )

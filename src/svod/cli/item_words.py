"""What the commands about items say beyond listing and showing, both languages side by side."""

from collections.abc import Mapping

from svod.foundation.errors import Says

ITEM_WORDS: Mapping[str, Says] = {
    "help.items.history": Says(
        "List the versions of an item: who made each, and when.",
        "Показать версии материала: кто и когда сделал каждую.",
    ),
    "help.items.compare": Says(
        "Show what changed between two versions of an item.",
        "Показать, чем отличаются две версии материала.",
    ),
    "help.items.compare.from": Says(
        "The earlier version; the one before the other by default.",
        "Более ранняя версия; иначе та, что перед второй.",
    ),
    "help.items.compare.to": Says(
        "The later version; the newest by default.", "Более поздняя версия; иначе последняя."
    ),
    "help.items.restore": Says(
        "Bring an earlier version of an item back, as a new one.",
        "Вернуть более раннюю версию материала: она станет новой.",
    ),
    "help.items.restore.version": Says("The version to bring back.", "Какую версию вернуть."),
    "help.items.move": Says(
        "Move items to another level or namespace.",
        "Переместить материалы на другой уровень или в другой раздел.",
    ),
    "help.items.tag": Says("Give items tags.", "Поставить материалам метки."),
    "help.items.untag": Says("Take tags away from items.", "Снять с материалов метки."),
    "help.items.tags": Says(
        "A tag of up to 50 characters; may be given several times.",
        "Метка длиной до 50 знаков; можно указать несколько раз.",
    ),
    "help.items.pin": Says("Pin items.", "Закрепить материалы."),
    "help.items.unpin": Says("Unpin items.", "Открепить материалы."),
    "help.items.cancel": Says(
        "Stop the reading of items; what is found of them stays.",
        "Остановить чтение материалов; найденное раньше останется.",
    ),
    "help.items.tagged": Says("Only those with this tag.", "Только с этой меткой."),
    "help.items.pinned": Says("Only those that are pinned.", "Только закреплённые."),
    "help.add.tags": Says(
        "A tag for what is added; may be given several times.",
        "Метка для добавленного; можно указать несколько раз.",
    ),
    "items.became.done": Says("Done: {count}.", "Сделано: {count}."),
    "items.became.unchanged": Says("Already so: {count}.", "Уже так: {count}."),
    "items.became.failed": Says("Not done: {count}.", "Не удалось: {count}."),
    "items.restored": Says(
        "Version {version} is back as version {new}; it is being read.",
        "Версия {version} вернулась под номером {new}; она читается.",
    ),
    "items.compared": Says(
        "Version {earlier} → {later}: {removed} lines removed, {added} added.",
        "Версия {earlier} → {later}: строк убрано {removed}, добавлено {added}.",
    ),
    "items.compared.title": Says(
        "The title was “{earlier}”, now it is “{later}”.",
        "Название было «{earlier}», стало «{later}».",
    ),
    "items.compared.same": Says("The texts are the same.", "Тексты одинаковы."),
    "items.compared.cut": Says(
        "Not all changes are shown: there are too many, or lines too long.",
        "Показаны не все изменения: их слишком много или строки слишком длинные.",
    ),
    "items.compared.place": Says(
        "Line {earlier}, now {later}:", "Строка {earlier}, теперь {later}:"
    ),
    "col.version": Says("Version", "Версия"),
    "col.made": Says("Made", "Создана"),
    "col.by": Says("By", "Кем"),
    "col.size": Says("Bytes", "Байт"),
    "history.restored": Says("version {version} again", "снова версия {version}"),
    "field.tags": Says("Tags", "Метки"),
    "field.pinned": Says("Pinned", "Закреплено"),
    "field.origin": Says("Came through", "Откуда"),
    "field.by": Says("Added by", "Кем добавлено"),
    "yes": Says("yes", "да"),
}

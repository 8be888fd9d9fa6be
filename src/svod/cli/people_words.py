"""What the command line says of domains, addresses, members, limits and workspaces."""

from collections.abc import Mapping

from svod.foundation.errors import Says

PEOPLE: Mapping[str, Says] = {
    "help.domains": Says(
        "Domains of the workspace: list, add, delete.",
        "Домены рабочей области: список, добавление, удаление.",
    ),
    "help.domains.list": Says("List the domains.", "Список доменов."),
    "help.domains.add": Says("Register a domain.", "Зарегистрировать домен."),
    "help.domains.delete": Says(
        "Delete a domain, its addresses and all that is on them.",
        "Удалить домен, его адреса и всё, что на них.",
    ),
    "help.domains.name": Says(
        "A mail domain, example.com, or a channel, telegram:shop_bot.",
        "Почтовый домен, example.com, или канал, telegram:shop_bot.",
    ),
    "help.domains.which": Says("Its name or id.", "Его имя или идентификатор."),
    "help.addresses": Says(
        "Addresses of the domains: list, add, delete.",
        "Адреса доменов: список, добавление, удаление.",
    ),
    "help.addresses.list": Says("List the addresses.", "Список адресов."),
    "help.addresses.add": Says("Register an address.", "Зарегистрировать адрес."),
    "help.addresses.delete": Says(
        "Delete an address and all that is on it.", "Удалить адрес и всё, что на нём."
    ),
    "help.addresses.name": Says(
        "An address of a registered domain.", "Адрес зарегистрированного домена."
    ),
    "help.addresses.domain": Says("Only of this domain.", "Только этого домена."),
    "help.members": Says(
        "Members of the workspace: list, add, change, remove.",
        "Участники рабочей области: список, добавление, изменение, удаление.",
    ),
    "help.members.list": Says("List the members.", "Список участников."),
    "help.members.add": Says("Make a member.", "Добавить участника."),
    "help.members.change": Says("Change a member.", "Изменить участника."),
    "help.members.remove": Says(
        "Remove a member and his keys; what he added stays.",
        "Удалить участника и его ключи; добавленное им остаётся.",
    ),
    "help.members.email": Says("His e-mail.", "Его электронная почта."),
    "help.members.name": Says("His name.", "Его имя."),
    "help.members.role": Says(
        "owner, admin, member, developer, viewer or billing.",
        "owner (владелец), admin (администратор), member (участник), developer (разработчик), "
        "viewer (читатель) или billing (расчёты).",
    ),
    "help.members.which": Says("His e-mail or id.", "Его почта или идентификатор."),
    "help.members.unlimited": Says("Lift every limit.", "Снять все ограничения."),
    "help.members.disabled": Says(
        "Let neither him nor his keys in, or let them in again.",
        "Не пускать ни его, ни его ключи, или снова пускать.",
    ),
    "help.limits": Says(
        "Limited to this domain or address, domain:example.com=send; without =send it is read. "
        "Can be given several times.",
        "Ограничить этим доменом или адресом, domain:example.com=send; без =send только чтение. "
        "Можно указать несколько раз.",
    ),
    "help.keys.expires": Says(
        "Valid until this day or moment: 2027-01-31.",
        "Действует до этого дня или момента: 2027-01-31.",
    ),
    "help.workspaces": Says(
        "Workspaces of this server: list, make, rename, delete.",
        "Рабочие области сервера: список, создание, переименование, удаление.",
    ),
    "help.workspaces.list": Says("List the workspaces.", "Список рабочих областей."),
    "help.workspaces.make": Says(
        "Make a workspace; its owner's key is shown once.",
        "Создать рабочую область; ключ владельца показывается один раз.",
    ),
    "help.workspaces.rename": Says("Rename a workspace.", "Переименовать рабочую область."),
    "help.workspaces.delete": Says(
        "Delete a workspace with everything in it.", "Удалить рабочую область со всем, что в ней."
    ),
    "help.workspaces.name": Says("Its name.", "Её название."),
    "help.workspaces.language": Says(
        "Language of what it says by itself: ru or en.",
        "Язык того, что она говорит сама: ru или en.",
    ),
    "help.workspaces.id": Says(
        "Id, from `svod workspaces`.", "Идентификатор из `svod workspaces`."
    ),
    "help.workspaces.confirm": Says(
        "Its name, to confirm without being asked.",
        "Её название: подтверждение без вопроса.",
    ),
    "meta.email": Says("EMAIL", "ПОЧТА"),
    "meta.domain": Says("DOMAIN", "ДОМЕН"),
    "meta.address": Says("ADDRESS", "АДРЕС"),
    "meta.level_grant": Says("LEVEL[=GRANT]", "УРОВЕНЬ[=ПРАВО]"),
    "col.domain": Says("Domain", "Домен"),
    "col.address": Says("Address", "Адрес"),
    "col.addresses": Says("Addresses", "Адресов"),
    "col.email": Says("E-mail", "Почта"),
    "col.role": Says("Role", "Роль"),
    "col.limits": Says("Limited to", "Ограничения"),
    "col.keys": Says("Keys", "Ключей"),
    "col.language": Says("Language", "Язык"),
    "role.owner": Says("owner", "владелец"),
    "role.admin": Says("admin", "администратор"),
    "role.member": Says("member", "участник"),
    "role.developer": Says("developer", "разработчик"),
    "role.viewer": Says("viewer", "читатель"),
    "role.billing": Says("billing", "расчёты"),
    "grant.read": Says("read", "чтение"),
    "grant.send": Says("send", "отправка"),
    "limits.none": Says("not limited", "нет"),
    "limits.nothing": Says("workspace level alone", "только общий уровень"),
    "limits.one": Says("{level} ({grant})", "{level} ({grant})"),
    "members.disabled": Says("{role}, disabled", "{role}, отключён"),
    "people.none": Says("There are none.", "Пока пусто."),
    "people.added": Says("{name} was added.", "Добавлено: {name}."),
    "people.changed": Says("{name} was changed.", "Изменено: {name}."),
    "people.deleted": Says("{name} was deleted.", "Удалено: {name}."),
    "people.kept": Says("Nothing was changed.", "Ничего не изменено."),
    "people.missing": Says("There is no {name} here.", "{name}: такого здесь нет."),
    "people.need_yes": Says(
        "This asks first; add --yes where nobody can answer.",
        "Сначала нужен ответ; там, где отвечать некому, добавьте --yes.",
    ),
    "domains.delete_sure": Says(
        "Delete {name}, its addresses ({addresses}) and the items on them ({items}) for good?",
        "Удалить {name}, адреса ({addresses}) и материалы на них ({items}) насовсем?",
    ),
    "addresses.delete_sure": Says(
        "Delete {name} and the items on it ({items}) for good?",
        "Удалить {name} и материалы на нём ({items}) насовсем?",
    ),
    "members.remove_sure": Says(
        "Remove {name}? His keys ({keys}) stop working at once.",
        "Удалить участника {name}? Его ключи ({keys}) сразу перестанут работать.",
    ),
    "members.one_only": Says(
        "Give either --level or --unlimited, not both.",
        "Укажите либо --level, либо --unlimited, но не оба.",
    ),
    "keys.one_end": Says(
        "Give either --days or --expires, not both.",
        "Укажите либо --days, либо --expires, но не оба.",
    ),
    "keys.bad_expiry": Says(
        "--expires is a day or a moment, such as 2027-01-31 or 2027-01-31T18:00.",
        "--expires — это день или момент, например 2027-01-31 или 2027-01-31T18:00.",
    ),
    "limits.bad": Says(
        "--level is written domain:example.com=read or …=send.",
        "--level пишется так: domain:example.com=read или …=send.",
    ),
    "workspaces.key": Says(
        "Key of the owner; keep it now, it is not shown again:",
        "Ключ владельца; сохраните его сейчас, больше он не появится:",
    ),
    "workspaces.delete_name": Says(
        "Everything in it goes for good. To delete «{name}», type its name",
        "Всё, что в ней, исчезнет насовсем. Чтобы удалить «{name}», введите её название",
    ),
    "workspaces.need_confirm": Says(
        "Deleting a workspace is confirmed by its name: --confirm NAME.",
        "Удаление рабочей области подтверждается её названием: --confirm ИМЯ.",
    ),
    "who.role": Says("Your role", "Ваша роль"),
    "who.limits": Says("You are limited to", "Вам доступны только"),
}

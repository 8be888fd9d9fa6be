"""What can go wrong with members."""

from svod.foundation.errors import Conflict, Denied, Invalid, NotFound, Says


class MemberNotFound(NotFound):
    """There is no such member in this workspace."""

    code = "workspaces.member_not_found"
    says = Says("There is no such member here.", "Такого участника здесь нет.")


class EmailTaken(Conflict):
    """Another member of the workspace has this e-mail."""

    code = "workspaces.email_taken"
    says = Says(
        "Another member of this workspace has this e-mail.",
        "Эта почта уже у другого участника рабочей области.",
    )


class BadEmail(Invalid):
    """What was given is no e-mail address."""

    code = "workspaces.bad_email"
    says = Says("This is not an e-mail address.", "Это не адрес электронной почты.")


class BadName(Invalid):
    """A name is empty or too long."""

    code = "workspaces.bad_name"
    says = Says("A name has 1 to 100 characters.", "В имени от 1 до 100 знаков.")


class MemberMoved(Conflict):
    """Someone changed the member meanwhile."""

    code = "workspaces.member_changed_meanwhile"
    says = Says(
        "The member changed meanwhile: it is at revision {revision}.",
        "Участника успели изменить: теперь это редакция {revision}.",
    )
    hint = Says("Read it again, then repeat.", "Прочитайте его снова и повторите.")


class OwnersOnly(Denied):
    """Only an owner makes, changes and removes owners, and renames the workspace."""

    code = "workspaces.owners_only"
    says = Says("Only an owner may do this.", "Это может только владелец.")


class LastOwner(Conflict):
    """A workspace keeps an owner who may act."""

    code = "workspaces.last_owner"
    says = Says(
        "This is the last owner of the workspace.", "Это последний владелец рабочей области."
    )
    hint = Says(
        "Make another member an owner first.", "Сначала сделайте владельцем другого участника."
    )


class OperatorStays(Conflict):
    """The member through whom the operator of the server acts is not changed by others or removed."""

    code = "workspaces.operator_stays"
    says = Says(
        "This member is the operator of the server: others do not change him, and he stays an owner.",
        "Этот участник — оператор сервера: другие его не меняют, и он остаётся владельцем.",
    )

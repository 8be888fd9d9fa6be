"""What can go wrong with whole workspaces."""

from svod.foundation.errors import Conflict, Invalid, NotFound, Says


class WorkspaceNotFound(NotFound):
    """There is no such workspace, or the caller may not know of it."""

    code = "workspaces.not_found"
    says = Says("There is no such workspace.", "Такой рабочей области нет.")


class WorkspaceMoved(Conflict):
    """Someone changed the workspace meanwhile."""

    code = "workspaces.changed_meanwhile"
    says = Says(
        "The workspace changed meanwhile: it is at revision {revision}.",
        "Рабочую область успели изменить: теперь это редакция {revision}.",
    )
    hint = Says("Read it again, then repeat.", "Прочитайте её снова и повторите.")


class FirstWorkspaceStays(Conflict):
    """The first workspace of a server is the operator's own."""

    code = "workspaces.first_stays"
    says = Says(
        "The first workspace of a server is not deleted: the operator is its member.",
        "Первая рабочая область сервера не удаляется: в ней состоит оператор.",
    )
    hint = Says(
        "Delete the items in it, or the whole data folder.",
        "Удалите материалы в ней или всю папку данных.",
    )


class NotConfirmed(Invalid):
    """The name that confirms a deletion is not the workspace's."""

    code = "workspaces.not_confirmed"
    says = Says(
        "To delete a workspace, repeat its name in the field confirm.",
        "Чтобы удалить рабочую область, повторите её имя в поле confirm.",
    )
    hint = Says("Nothing was deleted.", "Ничего не удалено.")

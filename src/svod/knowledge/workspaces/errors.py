"""What can go wrong with workspaces, keys and levels."""

from svod.foundation.errors import Conflict, Denied, Invalid, NotFound, Says


class Unauthenticated(Denied):
    """No valid key was shown: missing, mistyped, revoked and expired look the same."""

    code = "workspaces.unauthenticated"
    says = Says("A valid API key is needed.", "Нужен действующий ключ API.")
    hint = Says(
        "Send it as `Authorization: Bearer svod_…`; `svod keys` makes one.",
        "Передайте его как `Authorization: Bearer svod_…`; ключ создаёт `svod keys`.",
    )


class SetupLinkSpent(Denied):
    """A set-up link works once, for 24 hours."""

    code = "workspaces.setup_link_spent"
    says = Says(
        "This set-up link was used already or is too old.",
        "Эта ссылка для первого входа уже использована или устарела.",
    )
    hint = Says("`svod up` prints a new one.", "Новую выводит `svod up`.")


class LevelNotFound(NotFound):
    """There is no such level, or the caller may not see it."""

    code = "workspaces.level_not_found"
    says = Says("There is no level {level} here.", "Уровня {level} здесь нет.")
    hint = Says("`svod whoami` lists the levels.", "Уровни перечисляет `svod whoami`.")


class LevelReadOnly(Denied):
    """The caller reads the level but does not change it."""

    code = "workspaces.level_read_only"
    says = Says(
        "You may read the level {level}, not change it.",
        "Уровень {level} вам можно читать, но не менять.",
    )


class KeyNotFound(NotFound):
    """There is no such key."""

    code = "workspaces.key_not_found"
    says = Says("There is no such key.", "Такого ключа нет.")


class OwnKeyRevoked(Conflict):
    """A key would revoke itself."""

    code = "workspaces.own_key"
    says = Says("A key does not revoke itself.", "Ключ не отзывает сам себя.")
    hint = Says("Use another key for it.", "Сделайте это другим ключом.")


class KeyTooStrong(Denied):
    """A key may not be given what its maker has not got."""

    code = "workspaces.key_too_strong"
    says = Says(
        "You cannot give a permission that you lack: {permission}.",
        "Нельзя дать право, которого у вас нет: {permission}.",
    )


class AdminLimited(Invalid):
    """An admin grants everything to everyone, so limits would bind him to nothing."""

    code = "workspaces.admin_limited"
    says = Says(
        "Whoever has the permission admin cannot be limited to addresses.",
        "Того, у кого есть право admin, нельзя ограничить адресами.",
    )
    hint = Says("Leave out the limits, or the permission.", "Уберите ограничения или это право.")


class BadKeyRequest(Invalid):
    """A key without a name, without permissions, or already expired."""

    code = "workspaces.bad_key_request"
    says = Says(
        "A key needs a name of 1 to 100 characters, a permission, and a future expiry.",
        "Ключу нужны имя от 1 до 100 знаков, хотя бы одно право и срок в будущем.",
    )

"""What can go wrong with domains and addresses."""

from svod.foundation.errors import Conflict, Invalid, NotFound, Says


class DomainNotFound(NotFound):
    """There is no such domain in this workspace."""

    code = "workspaces.domain_not_found"
    says = Says("There is no such domain here.", "Такого домена здесь нет.")


class AddressNotFound(NotFound):
    """There is no such address in this workspace."""

    code = "workspaces.address_not_found"
    says = Says("There is no such address here.", "Такого адреса здесь нет.")


class DomainTaken(Conflict):
    """The domain is registered on this server; in which workspace is not told."""

    code = "workspaces.domain_taken"
    says = Says(
        "The domain {name} is registered on this server already.",
        "Домен {name} на этом сервере уже зарегистрирован.",
    )
    hint = Says(
        "`svod domains` lists those of this workspace.",
        "Домены этой рабочей области перечисляет `svod domains`.",
    )


class AddressTaken(Conflict):
    """The address is registered already."""

    code = "workspaces.address_taken"
    says = Says("The address {name} is registered already.", "Адрес {name} уже зарегистрирован.")


class AddressOutside(Invalid):
    """The domain of an address is not registered in this workspace."""

    code = "workspaces.address_outside"
    says = Says(
        "The domain {domain} is not registered in this workspace.",
        "Домен {domain} не зарегистрирован в этой рабочей области.",
    )
    hint = Says("Register the domain first.", "Сначала зарегистрируйте домен.")


class BaseInUse(Conflict):
    """Plus-addresses stand on an address."""

    code = "workspaces.base_in_use"
    says = Says(
        "Plus-addresses stand on this address ({count}): {first}.",
        "На этом адресе держатся плюс-адреса ({count}): {first}.",
    )
    hint = Says("Delete them first.", "Сначала удалите их.")

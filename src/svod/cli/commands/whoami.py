"""Who the caller is."""

from svod.cli.catalogue import t
from svod.cli.commands.options import AsJson
from svod.cli.limits import show_limits
from svod.cli.output import print_result, print_table, say
from svod.cli.remote import open_client


def whoami(*, as_json: AsJson = False) -> None:
    """Say who the caller is and what he may do where (I7a)."""
    with open_client() as client:
        who = client.whoami()
    if as_json:
        print_result(who)
        return
    may = ", ".join(who.permissions) or t("who.nothing")
    say(f"{t('who.workspace')}: {who.workspace_name}")
    say(f"{t('who.you')}: {who.name}")
    if who.role:
        say(f"{t('who.role')}: {t(f'role.{who.role}')}")
    say(f"{t('who.may')}: {may}")
    if who.limits is not None:
        say(f"{t('who.limits')}: {show_limits(who.limits)}")
    if who.operator:
        say(t("who.operator"))
    say("")
    print_table(
        [t("col.level"), t("col.items"), t("col.may")],
        [
            [level.name, str(level.items), t("may.change" if level.may_change else "may.read")]
            for level in who.levels
        ],
        wide=0,
    )

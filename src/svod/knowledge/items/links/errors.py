"""What can go wrong with links, beside what fetching them says."""

from svod.foundation.errors import Conflict, Invalid, Says


class LinkTaken(Conflict):
    """Another item of the level is this page already."""

    code = "links.taken"
    says = Says(
        "Another item on this level is this page already.",
        "На этом уровне эта страница уже есть: это другой материал.",
    )
    hint = Says("Delete one of the two.", "Удалите один из двух.")


class NotALink(Invalid):
    """Only a link is fetched again by days."""

    code = "links.not_a_link"
    says = Says("Only links have refresh_days.", "refresh_days есть только у ссылок.")


class BadRefreshDays(Invalid):
    """A link is fetched again every 1, 7 or 30 days, or only when asked."""

    code = "links.bad_refresh_days"
    says = Says(
        "refresh_days is 1, 7, 30 or null; {days} was given.",
        "refresh_days может быть 1, 7, 30 или null, а указано {days}.",
    )

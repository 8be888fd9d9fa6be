"""Pages from addresses that users give: fetched from the open internet, and from nowhere else (X11).

Takes an address; gives a `Fetched` page, or raises one of the `FetchFailed` family, which say why in
both languages. It promises that no connection goes to an address that is not public or allowed by
an administrator, whatever the address looks like, resolves to or leads on to; that what comes fits
into its limits, packed and unpacked; and that it ends in time.
"""

from svod.foundation.fetching.errors import FetchFailed, fetch_failure
from svod.foundation.fetching.fetcher import Fetched, Fetcher, Limits
from svod.foundation.fetching.guard import Allowed, Guard, Names, check_host
from svod.foundation.fetching.hosts import Host
from svod.foundation.fetching.opening import guarded_fetcher
from svod.foundation.fetching.turns import Turns
from svod.foundation.fetching.url import WebUrl, read_url

__all__ = [
    "Allowed",
    "FetchFailed",
    "Fetched",
    "Fetcher",
    "Guard",
    "Host",
    "Limits",
    "Names",
    "Turns",
    "WebUrl",
    "check_host",
    "fetch_failure",
    "guarded_fetcher",
    "read_url",
]

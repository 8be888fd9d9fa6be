"""Domains and addresses: registered, listed, deleted with everything on them."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.json_body import StrictRoute, check_text
from svod.interfaces.api.numbers import level_number
from svod.interfaces.api.once import IdempotencyKey, Made, once
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.domains import (
    ADDRESS_EXAMPLE,
    ADDRESSES_EXAMPLE,
    DOMAIN_EXAMPLE,
    DOMAINS_EXAMPLE,
    AddressAsked,
    AddressesAsked,
    AddressesTold,
    AddressTold,
    DomainAsked,
    DomainsTold,
    DomainTold,
)
from svod.interfaces.api.shapes.pages import PageAsked

router = APIRouter(prefix="/api", tags=["domains"], route_class=StrictRoute)
_FIRST = "0" * 13


@router.get(
    "/domains",
    **operation("admin", "List domains", example=DOMAINS_EXAMPLE, problems=(422,)),
)
async def list_domains(
    rooms: OurRooms, caller: OurCaller, asked: Annotated[PageAsked, Query()]
) -> DomainsTold:
    """The domains of the workspace, in the order registered, in pages."""
    after = level_number(asked.cursor or _FIRST)
    return DomainsTold.of(await rooms.domains.domains(caller, after=after, limit=asked.limit))


@router.post(
    "/domains",
    response_model=DomainTold,
    **operation(
        "admin",
        "Register a domain",
        example=DOMAIN_EXAMPLE,
        status=201,
        problems=(400, 409, 413, 422),
    ),
)
async def add_domain(
    rooms: OurRooms, caller: OurCaller, asked: DomainAsked, idempotency_key: IdempotencyKey = None
) -> Response:
    """A mail domain or a channel of a platform. 409 where it is registered on this server already."""

    async def make() -> Made:
        return Made(DomainTold.of(await rooms.domains.add_domain(caller, asked.name)))

    return await once(
        rooms.replies,
        caller,
        idempotency_key,
        operation="add_domain",
        fingerprint=asked.model_dump_json().encode(),
        make=make,
    )


@router.get(
    "/domains/{domain_id}",
    **operation("admin", "Read a domain", example=DOMAIN_EXAMPLE, problems=(404,)),
)
async def get_domain(rooms: OurRooms, caller: OurCaller, domain_id: str) -> DomainTold:
    """A domain, with how many addresses and items it has."""
    return DomainTold.of(await rooms.domains.domain(caller, level_number(domain_id)))


@router.delete(
    "/domains/{domain_id}",
    **operation("admin", "Delete a domain", status=204, problems=(404,)),
)
async def delete_domain(rooms: OurRooms, caller: OurCaller, domain_id: str) -> None:
    """Removes a domain, its addresses, and every item on them, at once."""
    await rooms.domains.delete_domain(caller, level_number(domain_id))


@router.get(
    "/addresses",
    **operation("admin", "List addresses", example=ADDRESSES_EXAMPLE, problems=(422,)),
)
async def list_addresses(
    rooms: OurRooms, caller: OurCaller, asked: Annotated[AddressesAsked, Query()]
) -> AddressesTold:
    """The addresses of the workspace or of one domain, in the order registered, in pages."""
    check_text(asked.domain or "")
    after = level_number(asked.cursor or _FIRST)
    page = await rooms.domains.addresses(
        caller, domain=asked.domain, after=after, limit=asked.limit
    )
    return AddressesTold.of(page)


@router.post(
    "/addresses",
    response_model=AddressTold,
    **operation(
        "admin",
        "Register an address",
        example=ADDRESS_EXAMPLE,
        status=201,
        problems=(400, 409, 413, 422),
    ),
)
async def add_address(
    rooms: OurRooms, caller: OurCaller, asked: AddressAsked, idempotency_key: IdempotencyKey = None
) -> Response:
    """An address of a registered domain. A plus-address registers its base address along with it."""

    async def make() -> Made:
        return Made(AddressTold.of(await rooms.domains.add_address(caller, asked.name)))

    return await once(
        rooms.replies,
        caller,
        idempotency_key,
        operation="add_address",
        fingerprint=asked.model_dump_json().encode(),
        make=make,
    )


@router.get(
    "/addresses/{address_id}",
    **operation("admin", "Read an address", example=ADDRESS_EXAMPLE, problems=(404,)),
)
async def get_address(rooms: OurRooms, caller: OurCaller, address_id: str) -> AddressTold:
    """An address, with how many items it has."""
    return AddressTold.of(await rooms.domains.address(caller, level_number(address_id)))


@router.delete(
    "/addresses/{address_id}",
    **operation("admin", "Delete an address", status=204, problems=(404, 409)),
)
async def delete_address(rooms: OurRooms, caller: OurCaller, address_id: str) -> None:
    """Removes an address and every item on it. 409 while plus-addresses stand on it."""
    await rooms.domains.delete_address(caller, level_number(address_id))

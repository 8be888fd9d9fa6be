"""The OpenAPI document says what each operation needs and shows what it takes and gives."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from fakes.rooms import WORKSPACE
from svod.foundation.ids import write_id
from svod.interfaces.api.shapes import (
    adding,
    answers,
    bulk,
    domains,
    file_states,
    finding,
    items,
    members,
    probes,
    tenants,
    versions,
    workspaces,
)

PERMISSIONS = {"knowledge:read", "knowledge:write", "admin", "operator", "any", "none"}


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


@pytest.fixture
async def document(nobody: httpx2.AsyncClient) -> dict[str, Any]:
    return (await nobody.get("/api/openapi.json")).json()


@pytest.mark.spec("I1")
def test_the_document_is_openapi_3_1_and_names_every_route_of_the_first_issue(
    document: dict[str, Any],
) -> None:
    assert document["openapi"].startswith("3.1")
    assert {name for name, _ in _operations(document)} >= {
        "GET /health",
        "GET /ready",
        "GET /api/whoami",
        "GET /api/knowledge/levels",
        "POST /api/settings/rotation",
        "GET /api/settings/rotation",
        "GET /api/keys",
        "POST /api/keys",
        "DELETE /api/keys/{principal_id}",
        "GET /api/workspaces",
        "POST /api/workspaces",
        "GET /api/workspaces/{workspace_id}",
        "PATCH /api/workspaces/{workspace_id}",
        "DELETE /api/workspaces/{workspace_id}",
        "GET /api/domains",
        "POST /api/domains",
        "GET /api/domains/{domain_id}",
        "DELETE /api/domains/{domain_id}",
        "GET /api/addresses",
        "POST /api/addresses",
        "GET /api/addresses/{address_id}",
        "DELETE /api/addresses/{address_id}",
        "GET /api/members",
        "POST /api/members",
        "GET /api/members/{member_id}",
        "PATCH /api/members/{member_id}",
        "DELETE /api/members/{member_id}",
        "POST /api/knowledge/notes",
        "POST /api/knowledge/files",
        "POST /api/knowledge/links",
        "POST /api/knowledge/files/missing",
        "GET /api/knowledge/items",
        "GET /api/knowledge/items/{item_id}",
        "PATCH /api/knowledge/items/{item_id}",
        "DELETE /api/knowledge/items/{item_id}",
        "POST /api/knowledge/items/{item_id}/refresh",
        "GET /api/knowledge/items/{item_id}/text",
        "GET /api/knowledge/items/{item_id}/versions",
        "GET /api/knowledge/items/{item_id}/source",
        "POST /api/knowledge/search",
        "POST /api/knowledge/context",
        "POST /api/knowledge/ask",
        "POST /api/knowledge/judgements",
        "GET /api/knowledge/judgements",
        "GET /api/knowledge/judgements/fits",
        "DELETE /api/knowledge/judgements/{judgement_id}",
    }


@pytest.mark.spec("I1")
def test_every_operation_names_its_permission_an_id_of_its_own_and_a_summary(
    document: dict[str, Any],
) -> None:
    operations = dict(_operations(document))
    assert {name: one.get("x-permission") for name, one in operations.items()} == {
        name: one["x-permission"]
        for name, one in operations.items()
        if one["x-permission"] in PERMISSIONS
    }
    ids = [one["operationId"] for one in operations.values()]
    assert len(set(ids)) == len(ids)
    assert all(identifier.isidentifier() for identifier in ids)
    assert all(one["summary"] and one["description"] for one in operations.values())


@pytest.mark.spec("I1")
def test_every_operation_shows_an_example_of_what_it_takes_and_gives(
    document: dict[str, Any],
) -> None:
    schemas = document["components"]["schemas"]
    for name, operation in _operations(document):
        for status, response in operation["responses"].items():
            if status in {"200", "201", "202"}:
                assert all("example" in one for one in response["content"].values()), name
        for content in operation.get("requestBody", {}).get("content", {}).values():
            shape = schemas.get(content["schema"].get("$ref", "").rpartition("/")[2], {})
            assert "example" in content or shape.get("examples"), name


@pytest.mark.spec("I1")
def test_examples_of_requests_fit_the_shapes_that_they_illustrate() -> None:
    for shape in (
        adding.NoteAsked,
        adding.MissingAsked,
        answers.QuestionAsked,
        finding.SearchAsked,
        items.ChangeAsked,
        bulk.BulkAsked,
        bulk.BulkNotesAsked,
        versions.RestoreAsked,
        workspaces.KeyAsked,
        domains.DomainAsked,
        domains.AddressAsked,
        members.MemberAsked,
        members.MemberChangeAsked,
        tenants.WorkspaceAsked,
        tenants.WorkspaceChangeAsked,
        tenants.WorkspaceDeletionAsked,
    ):
        for example in shape.model_config["json_schema_extra"]["examples"]:
            shape.model_validate(example)


@pytest.mark.spec("I1")
def test_examples_of_replies_fit_the_shapes_that_they_illustrate() -> None:
    for shape, example in (
        (file_states.MissingTold, file_states.MISSING_EXAMPLE),
        (answers.AnswerTold, answers.ANSWER_EXAMPLE),
        (finding.FoundTold, finding.FOUND_EXAMPLE),
        (items.AddedTold, items.ADDED_EXAMPLE),
        (items.ItemsTold, items.ITEMS_EXAMPLE),
        (items.TextTold, items.TEXT_EXAMPLE),
        (bulk.BulkTold, bulk.BULK_EXAMPLE),
        (bulk.BulkNotesTold, bulk.BULK_NOTES_EXAMPLE),
        (versions.ComparisonTold, versions.COMPARISON_EXAMPLE),
        (versions.VersionsTold, versions.VERSIONS_EXAMPLE),
        (probes.ReadyTold, probes.READY_EXAMPLE),
        (workspaces.KeysTold, workspaces.KEYS_EXAMPLE),
        (workspaces.LevelsTold, workspaces.LEVELS_EXAMPLE),
        (workspaces.NewKeyTold, workspaces.NEW_KEY_EXAMPLE),
        (workspaces.WhoamiTold, workspaces.WHOAMI_EXAMPLE),
        (domains.DomainsTold, domains.DOMAINS_EXAMPLE),
        (domains.AddressesTold, domains.ADDRESSES_EXAMPLE),
        (members.MembersTold, members.MEMBERS_EXAMPLE),
        (tenants.NewWorkspaceTold, tenants.NEW_WORKSPACE_EXAMPLE),
        (tenants.WorkspacesTold, tenants.WORKSPACES_EXAMPLE),
    ):
        told = shape.model_validate(example)
        assert set(told.model_dump(exclude_none=False)) == set(example)


@pytest.mark.spec("I1")
def test_every_reference_in_the_document_leads_somewhere(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]

    def references(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            for inner in value.values():
                yield from references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    found = set(references(document))
    assert found
    assert {one.rpartition("/")[2] for one in found} <= set(schemas)
    assert "HTTPValidationError" not in schemas
    assert document["components"]["securitySchemes"]["api_key"]["scheme"] == "bearer"


@pytest.mark.spec("I1", "X17")
async def test_every_operation_but_probes_and_doors_needs_a_key(
    nobody: httpx2.AsyncClient, document: dict[str, Any]
) -> None:
    for name, operation in _operations(document):
        method, path = name.split(" ")
        response = await nobody.request(method, path.replace("{", "").replace("}", ""))
        # Through a door one comes with a password or a link, which this request lacks.
        expected = {200, 422} if operation["x-permission"] == "none" else {401}
        assert response.status_code in expected, name


@pytest.mark.spec("I1", "X1", "X17")
async def test_every_operation_asks_for_the_permission_that_it_names(
    owner: httpx2.AsyncClient,
    reader: httpx2.AsyncClient,
    billing: httpx2.AsyncClient,
    document: dict[str, Any],
) -> None:
    added = await owner.post("/api/knowledge/notes", json={"text": "Возврат за 21 день."})
    item_id = added.json()["item"]["item_id"]
    key = await owner.post("/api/keys", json={"name": "k", "permissions": ["knowledge:read"]})
    principal_id = key.json()["key"]["principal_id"]
    schemas = document["components"]["schemas"]
    for name, operation in _operations(document):
        needed = operation["x-permission"]
        if needed in {"none", "any"}:
            continue
        method, path = name.split(" ")
        path = path.replace("{item_id}", item_id).replace("{principal_id}", principal_id)
        path = path.replace("{workspace_id}", write_id(WORKSPACE))
        request: dict[str, Any] = {}
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            shape = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
            request["json"] = schemas[shape]["examples"][0]
        elif content:
            request["files"] = {"file": ("a.txt", b"text")}
        refused = await billing.request(method, path, **request)
        lacks = "operator_needed" if needed == "operator" else "permission_missing"
        assert (refused.status_code, refused.json()["code"]) == (403, f"workspaces.{lacks}"), name
        if needed != "knowledge:read":
            assert (await reader.request(method, path, **request)).status_code == 403, name
        elif method == "GET" or "search" in path or "ask" in path:
            assert (await reader.request(method, path, **request)).status_code == 200, name

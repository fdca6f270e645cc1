# SPDX-License-Identifier: Apache-2.0
"""/api/v1/openapi.json is correct: every listed operation answers, and unlisted ones do not exist."""
import re

import pytest
import requests

from harness.api import Api
from harness.server import Server
from test_doses import is_problem

WEBHOOKS = {"/api/v1/gateways/replies", "/api/v1/chat/updates"}
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
PROMISED = {
    ("GET", "/api/v1/me"), ("GET", "/api/v1/doses"), ("POST", "/api/v1/doses/{id}/answers"),
    ("POST", "/api/v1/administrations"), ("GET", "/api/v1/push-subscriptions"),
    ("POST", "/api/v1/push-subscriptions"), ("DELETE", "/api/v1/push-subscriptions/{id}"),
    ("GET", "/api/v1/deliveries"), ("POST", "/api/v1/deliveries/{id}/shown"),
    ("GET", "/api/v1/events"),
}


def described(api: Api) -> dict[str, dict[str, dict]]:
    """Maps path (with the base of `servers`) to method to operation."""
    document = api.ok("/api/v1/openapi.json")
    assert document["openapi"].startswith("3.")
    base = (document.get("servers") or [{"url": ""}])[0]["url"].rstrip("/")
    base = re.sub(r"^https?://[^/]+", "", base)
    return {
        base + path: {m.upper(): o for m, o in operations.items() if m.upper() in METHODS}
        for path, operations in document["paths"].items()
    }


def concrete(path: str) -> str:
    return re.sub(r"\{[^}]+\}", "nothing-here", path)


def test_it_lists_what_is_promised_and_every_answer(module_api: Api) -> None:
    paths = described(module_api)
    listed = {(m, re.sub(r"\{[^}]+\}", "{id}", p)) for p, found in paths.items() for m in found}
    assert listed >= PROMISED
    for path, operations in paths.items():
        assert operations, path
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation.get("summary") or operation.get("description"), where
            assert any(code.startswith("2") for code in operation["responses"]), where


def test_generators_of_clients_find_tags_names_and_examples(module_api: Api) -> None:
    document = module_api.ok("/api/v1/openapi.json")
    tags = {tag["name"] for tag in document["tags"]}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert len(operation["tags"]) == 1 and set(operation["tags"]) <= tags, f"{method} {path}"
            if "requestBody" in operation:
                assert {"400", "415", "422"} <= set(operation["responses"]), f"{method} {path}"
    for name, schema in document["components"]["schemas"].items():
        assert "examples" in schema, name
        for member, value in schema.get("properties", {}).items():
            assert "properties" not in value and "properties" not in value.get("items", {}), f"{name}.{member}"
    assert set(document["components"]["securitySchemes"]) == {"bearer", "session"}


def test_every_listed_route_answers(module_api: Api) -> None:
    for path, operations in described(module_api).items():
        for method in operations:
            headers = {} if method == "GET" else {"Content-Type": "application/json"}
            response = module_api.request(
                method, concrete(path), headers=headers, data=None if method == "GET" else b"{}",
                stream=True,  # the event stream never ends
            )
            response.close()
            where = f"{method} {path}: {response.status_code}"
            assert response.status_code not in (401, 405, 415), where
            # A company's or a bot's webhook is not there until the operator sets its key.
            if "{" not in path and path not in WEBHOOKS:
                assert response.status_code != 404, where


def test_other_methods_of_a_listed_route_are_405_with_allow(module_api: Api) -> None:
    for path, operations in described(module_api).items():
        for method in set(METHODS) - set(operations):
            response = module_api.request(method, concrete(path))
            where = f"{method} {path}: {response.status_code}"
            assert response.status_code == 405, where
            allowed = {m.strip() for m in response.headers["Allow"].split(",")}
            assert set(operations) <= allowed and method not in allowed, where


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "path", ["", "/", "/nothing", "/dose", "/doses/x", "/doses/x/answers/y", "/me/x", "/openapi"]
)
def test_what_is_not_listed_is_404(module_api: Api, method: str, path: str) -> None:
    paths = [re.compile(re.sub(r"\\\{[^}]+\\\}", "[^/]+", re.escape(p))) for p in described(module_api)]
    full = f"/api/v1{path}"
    assert not any(p.fullmatch(full) for p in paths), "the document grew: name another path"
    is_problem(module_api.request(method, full), 404)


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/fhir/metadata", {"GET"}), ("/fhir/MedicationRequest", {"GET", "POST", "PUT", "PATCH", "DELETE"}),
        ("/fhir/MedicationRequest/nothing-here", {"GET", "PUT", "PATCH", "DELETE"}),
        ("/fhir/Communication/nothing-here", {"GET"}), ("/fhir/Communication", {"GET", "POST"}), ("/health", {"GET"}),
        ("/api/v1/openapi.json", {"GET"}), ("/robots.txt", {"GET"}),
    ],
)
def test_wrong_methods_elsewhere_are_405_too(
    module_api: Api, path: str, methods: set[str]
) -> None:
    for method in sorted(set(METHODS) - methods):
        response = module_api.request(method, path)
        if response.status_code == 404 and path.startswith("/fhir/") and "nothing" in path:
            continue
        assert response.status_code == 405, f"{method} {path}: {response.status_code}"
        assert methods <= {m.strip() for m in response.headers["Allow"].split(",")}


def test_health_needs_no_sign_in(server: Server) -> None:
    response = server.api().get("/health")
    assert response.status_code == 200 and response.json() == {"status": "ok"}


def test_files_of_pages_come_compressed_to_whoever_takes_them_so(module_api: Api) -> None:
    page = requests.get(f"{module_api.base}/sign-in", timeout=60).text
    paths = set(re.findall(r'"(/assets/app\.[0-9a-f]+\.(?:css|js))"', page))
    assert len(paths) == 2, paths
    sent = 0
    for path in paths:
        plain = requests.get(module_api.base + path, headers={"Accept-Encoding": "identity"}, timeout=60)
        packed = requests.get(module_api.base + path, headers={"Accept-Encoding": "br, gzip"}, timeout=60)
        refused = requests.get(module_api.base + path, headers={"Accept-Encoding": "gzip;q=0"}, timeout=60)
        assert "Content-Encoding" not in plain.headers and "Content-Encoding" not in refused.headers
        assert packed.headers["Content-Encoding"] == "gzip" and packed.headers["Vary"] == "Accept-Encoding"
        assert packed.content == plain.content == refused.content
        sent += int(packed.headers["Content-Length"])
    # The bytes of a first visit in addition to the page itself (60 KB with it).
    assert sent < 30_000

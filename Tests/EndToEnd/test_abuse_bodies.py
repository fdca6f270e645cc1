# SPDX-License-Identifier: Apache-2.0
"""Malformed, huge, deep and wrongly typed bodies: 4xx with the reason and place, and no change."""
import json
from collections.abc import Iterator

import pytest

from harness.api import FHIR_JSON, JSON, Api
from harness.server import Server

DEEP = 100_000
BODIES: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\t ",
    "truncated object": b'{"action":"taken"',
    "truncated string": b'{"action":"tak',
    "trailing comma": b'{"action":"taken",}',
    "two values": b'{"action":"taken"} {}',
    "text after": b'{"action":"taken"}x',
    "single quotes": b"{'action':'taken'}",
    "no quotes": b"{action:taken}",
    "comment": b'{"action":"taken" /* now */}',
    "not json": b"<xml/>",
    "form": b"action=taken",
    "NaN": b'{"action":"taken","corrects":NaN}',
    "infinity": b'{"action":"taken","corrects":1e999999999}',
    "leading zero": b'{"action":"taken","corrects":01}',
    "plus sign": b'{"action":"taken","corrects":+1}',
    "duplicate key": b'{"action":"skipped","action":"taken"}',
    "duplicate key by escape": b'{"action":"skipped","\\u0061ction":"taken"}',
    "invalid utf-8": b'{"action":"taken","reason":"\xff\xfe"}',
    "overlong utf-8": b'{"action":"taken","reason":"\xc0\xaf"}',
    "encoded surrogate": b'{"action":"taken","reason":"\xed\xa0\x80"}',
    "lone surrogate": b'{"action":"taken","reason":"\\ud800"}',
    "control character": b'{"action":"taken","reason":"a\x00b"}',
    "utf-16": '{"action":"taken"}'.encode("utf-16"),
    "byte order mark only": b"\xef\xbb\xbf",
    "deep arrays": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "deep and open": b"[" * DEEP,
    "deep within": b'{"action":"taken","extra":' + b"[" * 1000 + b"]" * 1000 + b"}",
    "a number": b"12",
    "a string": b'"taken"',
    "null": b"null",
    "array": b'[{"action":"taken"}]',
    "huge number": b'{"action":"taken","corrects":' + b"9" * 100_000 + b"}",
    "huge string": b'{"action":"' + b"x" * 5_000_000 + b'"}',
    "many keys": json.dumps({f"k{i}": i for i in range(50_000)}).encode(),
}
WRITES = ["answers", "administrations", "create request", "update request"]


@pytest.fixture(scope="module")
def target(module_api: Api) -> Iterator[dict[str, tuple[str, str, str]]]:
    """The writes of the API, with a dose and a plan at stake; checks at the end that both are unchanged."""
    plan = module_api.add_plan(module_api.events(600, 660))
    dose = module_api.doses(plan=plan["id"])[0]["id"]
    before = module_api.snapshot()
    yield {
        "answers": ("POST", f"/api/v1/doses/{dose}/answers", JSON),
        "administrations": ("POST", "/api/v1/administrations", JSON),
        "create request": ("POST", "/fhir/MedicationRequest", FHIR_JSON),
        "update request": ("PUT", f"/fhir/MedicationRequest/{plan['id']}", FHIR_JSON),
    }
    assert module_api.snapshot() == before, "a refused body changed something"


def says_what_and_where(response, media_type: str) -> None:
    body = response.json()
    if media_type == FHIR_JSON:
        assert response.headers["Content-Type"].split(";")[0] == FHIR_JSON
        assert body["resourceType"] == "OperationOutcome" and body["issue"]
        for issue in body["issue"]:
            assert issue["severity"] in ("fatal", "error", "warning", "information")
            assert issue["code"] and (issue.get("diagnostics") or issue.get("details"))
    else:
        assert response.headers["Content-Type"].split(";")[0] == "application/problem+json"
        assert body["title"] and body["detail"] and body["status"] == response.status_code


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("name", BODIES)
def test_a_bad_body_is_refused(
    module_api: Api, server: Server, target: dict, write: str, name: str
) -> None:
    method, path, media_type = target[write]
    response = module_api.request(
        method, path, data=BODIES[name], headers={"Content-Type": media_type, "Accept": media_type}
    )
    assert 400 <= response.status_code < 500, response.text[:500]
    says_what_and_where(response, media_type)
    assert server.alive and module_api.get("/health").status_code == 200


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("media_type", ["text/plain", "text/html", "multipart/form-data", "x"])
def test_another_media_type_is_415(
    module_api: Api, target: dict, write: str, media_type: str
) -> None:
    method, path, _ = target[write]
    response = module_api.request(method, path, data=b"{}", headers={"Content-Type": media_type})
    assert response.status_code == 415, response.text


WRONG_TYPES = [
    {"resourceType": "MedicationRequest"},
    {"resourceType": "Patient"},
    {"resourceType": 5},
    {"resourceType": ["MedicationRequest"]},
    {"resourceType": "Nothing", "id": "a"},
    {},
]
CHANGES: dict[str, object] = {
    "status": 7, "intent": None, "subject": "Patient/x", "dosageInstruction": {},
    "medicationCodeableConcept": [], "authoredOn": "2026-02-30", "priority": "soonish",
    "doNotPerform": "true", "note": "text", "unknownElement": 1, "identifier": [], "id": "a/../b",
    "contained": [{"resourceType": "Medication"}, 5], "extension": [{"url": 5}],
}
TIMINGS: dict[str, object] = {
    "zero period": {"repeat": {"frequency": 1, "period": 0, "periodUnit": "d"}},
    "negative period": {"repeat": {"frequency": 1, "period": -1, "periodUnit": "d"}},
    "no unit": {"repeat": {"frequency": 1, "period": 1}},
    "unknown unit": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "fortnight"}},
    "zero frequency": {"repeat": {"frequency": 0, "period": 1, "periodUnit": "d"}},
    "frequency of a billion billions": {
        "repeat": {"frequency": 10**18, "period": 1, "periodUnit": "d"}
    },
    "time and meal": {"repeat": {"timeOfDay": ["08:00:00"], "when": ["CM"]}},
    "short time": {"repeat": {"timeOfDay": ["8:00"]}},
    "hour 25": {"repeat": {"timeOfDay": ["25:00:00"]}},
    "no times": {"repeat": {"timeOfDay": []}},
    "unknown day": {"repeat": {"dayOfWeek": ["monday"], "timeOfDay": ["08:00:00"]}},
    "negative offset": {"repeat": {"when": ["ACM"], "offset": -5}},
    "offset with C": {"repeat": {"when": ["C"], "offset": 5}},
    "end before start": {
        "repeat": {
            "boundsPeriod": {"start": "2026-03-02", "end": "2026-03-01"}, "timeOfDay": ["08:00:00"],
        }
    },
    "two bounds": {
        "repeat": {
            "boundsPeriod": {"start": "2026-03-02"}, "boundsDuration": {"value": 1, "code": "d"},
            "timeOfDay": ["08:00:00"],
        }
    },
    "impossible date": {"event": ["2026-02-30T08:00:00Z"]},
    "event without offset": {"event": ["2026-03-01T08:00:00"]},
    "repeat is a list": {"repeat": []},
    "text for a number": {"repeat": {"frequency": "1", "period": 1, "periodUnit": "d"}},
}


@pytest.mark.parametrize("resource", WRONG_TYPES, ids=str)
def test_a_wrong_resource_is_refused(module_api: Api, target: dict, resource: dict) -> None:
    response = module_api.fhir("POST", "MedicationRequest", resource)
    assert response.status_code in (400, 422), response.text
    says_what_and_where(response, FHIR_JSON)


@pytest.mark.parametrize("element", CHANGES)
def test_a_wrong_element_is_named(module_api: Api, target: dict, element: str) -> None:
    plan = module_api.plan(module_api.events(30)) | {element: CHANGES[element]}
    # A client's id is ignored on create, so PUT is used instead.
    method, path = ("PUT", "MedicationRequest/abc") if element == "id" else ("POST", "MedicationRequest")
    response = module_api.fhir(method, path, plan)
    assert response.status_code in (400, 422), response.text
    says_what_and_where(response, FHIR_JSON)
    if element != "id":
        # FHIRPath names a choice without its type: medication, not medicationCodeableConcept.
        name = element.removesuffix("CodeableConcept")
        assert any(name in e for i in response.json()["issue"] for e in i.get("expression", []))


@pytest.mark.parametrize("name", TIMINGS)
def test_a_timing_in_error_is_refused(module_api: Api, target: dict, name: str) -> None:
    response = module_api.fhir("POST", "MedicationRequest", module_api.plan(TIMINGS[name]))
    assert response.status_code in (400, 422), response.text
    says_what_and_where(response, FHIR_JSON)

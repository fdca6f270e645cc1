# SPDX-License-Identifier: Apache-2.0
"""The FHIR API: metadata, reads and searches, and plans created by POST or PUT that give doses."""
import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from harness.api import FHIR_JSON, Api, instant, parse
from harness.server import Server
from test_doses import TWICE_A_DAY


def is_outcome(response, *statuses: int) -> dict:
    assert response.status_code in statuses, f"{response.status_code} {response.text}"
    assert response.headers["Content-Type"].split(";")[0] == FHIR_JSON
    body = response.json()
    assert body["resourceType"] == "OperationOutcome"
    assert all(i["severity"] and i["code"] for i in body["issue"]) and body["issue"]
    return body


def test_metadata_needs_no_token_and_says_what_exists(server: Server) -> None:
    body = server.api().ok("/fhir/metadata")
    assert body["resourceType"] == "CapabilityStatement" and body["fhirVersion"] == "4.0.1"
    assert body["kind"] == "instance" and "application/fhir+json" in body["format"]
    kinds = {r["type"]: r for r in body["rest"][0]["resource"]}
    assert set(kinds) >= {"Patient", "MedicationRequest", "MedicationAdministration"}
    for kind in ("MedicationRequest", "MedicationAdministration"):
        names = {p["name"] for p in kinds[kind]["searchParam"]}
        assert names >= {"_id", "patient", "status", "_lastUpdated"}
    actions = {i["code"] for i in kinds["MedicationRequest"]["interaction"]}
    assert actions >= {"read", "search-type", "create", "update"}
    assert kinds["MedicationRequest"]["updateCreate"] is True


def test_create_answers_as_rest_wants(api: Api) -> None:
    response = api.fhir("POST", "MedicationRequest", api.plan(api.events(30)) | {"id": "mine"})
    assert response.status_code == 201, response.text
    body = response.json()
    assert body["id"] != "mine" and body["meta"]["versionId"] and body["meta"]["lastUpdated"]
    version = body["meta"]["versionId"]
    assert response.headers["ETag"] == f'W/"{version}"'
    place = response.headers["Location"]
    assert place == f"{api.base}/fhir/MedicationRequest/{body['id']}/_history/{version}"
    read = api.fhir("GET", f"MedicationRequest/{body['id']}")
    assert read.status_code == 200 and read.json() == body
    assert read.headers["ETag"] == f'W/"{version}"' and read.headers["Last-Modified"]
    assert "no-store" in read.headers["Cache-Control"]


def test_put_with_an_id_of_the_client_creates_then_changes(new_api: Callable[[], Api]) -> None:
    ann, bob = new_api(), new_api()
    name = f"plan-{ann.patient}"[:64].replace("_", "-")
    plan = ann.plan(ann.events(30, 60)) | {"id": name}
    assert ann.fhir("PUT", f"MedicationRequest/{name}", plan).status_code == 201
    doses = ann.doses(plan=name)
    assert len(doses) == 2
    assert ann.fhir("PUT", f"MedicationRequest/{name}", plan).status_code == 200
    assert ann.doses(plan=name) == doses, "the same plan again keeps its doses"
    is_outcome(ann.fhir("PUT", "MedicationRequest/other", plan), 400, 422)
    # The id is taken, which other clients must not learn.
    theirs = bob.plan(bob.events(30)) | {"id": name}
    is_outcome(bob.fhir("PUT", f"MedicationRequest/{name}", theirs), 403, 404, 409, 412, 422)
    assert ann.doses(plan=name) == doses and bob.doses() == []


def test_an_old_version_is_412(api: Api) -> None:
    plan = api.add_plan(api.events(30))
    path = f"/fhir/MedicationRequest/{plan['id']}"
    headers = {"If-Match": f'W/"{plan["meta"]["versionId"]}"'}
    changed = plan | {"note": [{"text": "with water"}]}
    assert api.request("PUT", path, json=changed, headers=headers).status_code == 200
    is_outcome(api.request("PUT", path, json=plan, headers=headers), 412)
    assert api.ok(path)["note"] == [{"text": "with water"}]


def test_what_is_posted_stays_whole(api: Api) -> None:
    """Keeps extensions, contained resources, narrative, key order and the text of decimals."""
    plan = api.plan(api.events(30)) | {
        "extension": [{"url": "http://example.org/x", "valueDecimal": 0}],
        "contained": [{"resourceType": "Medication", "id": "m", "code": {"text": "Ä \U0001f48a"}}],
        "text": {"status": "generated", "div": '<div xmlns="http://www.w3.org/1999/xhtml">a</div>'},
        "_priority": {"extension": [{"url": "http://example.org/y", "valueString": "b"}]},
        "authoredOn": "2026-03",
    }
    text = json.dumps(plan).replace('"valueDecimal": 0', '"valueDecimal": 72.100')
    text = text.replace('"value": 1,', '"value": 1.50,')
    headers = {"Content-Type": FHIR_JSON}
    response = api.request("POST", "/fhir/MedicationRequest", data=text, headers=headers)
    assert response.status_code == 201, response.text
    kept = api.fhir("GET", f"MedicationRequest/{response.json()['id']}")
    assert "72.100" in kept.text and "1.50" in kept.text
    body = kept.json()
    for name in ("extension", "contained", "text", "_priority", "authoredOn", "subject"):
        assert body[name] == json.loads(text)[name]


def test_a_dosage_without_text_is_read_with_one_in_the_language_asked_for(api: Api) -> None:
    path = f"/fhir/MedicationRequest/{api.add_plan(TWICE_A_DAY)['id']}"
    plain = api.ok(path)
    assert "text" not in plain["dosageInstruction"][0]

    def read(language: str, path: str = path) -> dict:
        return api.request("GET", path, headers={"Accept-Language": language}).json()

    dosage = read("fr-CA, de;q=0.5")["dosageInstruction"][0]
    assert dosage["text"].startswith("Prenez 1 comprimé")
    assert dosage["_text"]["extension"] == [{"url": "urn:regimen:generated-text", "valueCode": "fr"}]
    assert read("ja") == plain and "text" not in read("de", f"{path}/_history/1")["dosageInstruction"][0]
    # If a client sends back a resource that it read, the server's additions are not stored.
    assert api.fhir("PUT", path.removeprefix("/fhir/"), read("nl")).status_code == 200
    assert api.ok(path)["dosageInstruction"] == plain["dosageInstruction"]


@pytest.mark.parametrize(
    ("timing", "count"),
    [
        ({"repeat": {"timeOfDay": ["06:00:00", "14:00:00", "22:00:00"]}}, 21),
        ({"repeat": {"frequency": 2, "period": 1, "periodUnit": "d"}}, 14),
        ({"repeat": {"frequency": 1, "period": 6, "periodUnit": "h"}}, 28),
        ({"repeat": {"period": 2, "periodUnit": "d", "frequency": 1}}, 3),
        ({"repeat": {"dayOfWeek": ["mon", "thu"], "timeOfDay": ["09:00:00"]}}, 2),
        ({"repeat": {"when": ["ACM", "HS"], "offset": 15}}, 14),
        ({"repeat": {"when": ["C"]}}, 21),
    ],
    ids=str,
)
def test_a_timing_gives_its_doses(api: Api, timing: dict, count: int) -> None:
    plan = api.add_plan(timing)
    # Seven days well after the start, independent of the current time.
    start = api.now() + timedelta(days=3)
    doses = api.doses(start, start + timedelta(days=7), plan=plan["id"])
    # Every second day gives three or four in seven days; all others divide them evenly.
    assert len(doses) in ((3, 4) if count == 3 else (count,))
    assert len({d["due"] for d in doses}) == len(doses)


def test_milliseconds_of_an_event_are_kept(api: Api) -> None:
    moment = api.now() + timedelta(minutes=30, milliseconds=123)
    plan = api.add_plan({"event": [instant(moment)]})
    assert [parse(d["due"]) for d in api.doses(plan=plan["id"])] == [moment]


@pytest.mark.parametrize(
    "change",
    [
        {"dosageInstruction": [{"text": "one when it hurts"}]},
        {"dosageInstruction": [{"asNeededBoolean": True, "timing": TWICE_A_DAY}]},
        {"doNotPerform": True},
        {"status": "on-hold"},
        {"implicitRules": "http://example.org/rules"},
        {"intent": "proposal"},
        {
            "dosageInstruction": [
                {"timing": {"repeat": {"timeOfDay": ["08:00:00"], "extension": [{"url": "http://e.org/e", "valueBoolean": True}]}}}
            ]
        },
        {
            "dosageInstruction": [
                {"timing": TWICE_A_DAY, "sequence": 1}, {"timing": TWICE_A_DAY, "sequence": 2},
            ]
        },
    ],
    ids=lambda c: str(c)[:60],
)
def test_what_may_not_ring_is_kept_whole_and_has_no_doses(api: Api, change: dict) -> None:
    response = api.fhir("POST", "MedicationRequest", api.plan(TWICE_A_DAY) | change)
    assert response.status_code == 201, response.text
    plan = response.json()["id"]
    now = api.now()
    window = {"from": instant(now), "to": instant(now + timedelta(days=7))}
    listing = api.ok("/api/v1/doses", patient=api.patient, **window)
    assert [d for d in listing["doses"] if d["plan"] == plan] == []
    assert [u for u in listing["unplanned"] if u["plan"] == plan and u["reason"]]
    kept = api.ok(f"/fhir/MedicationRequest/{plan}")
    assert all(kept[name] == value for name, value in change.items())


def test_a_plan_for_someone_else_is_refused(new_api: Callable[[], Api]) -> None:
    ann, bob = new_api(), new_api()
    plan = bob.plan(bob.events(30)) | {"subject": {"reference": f"Patient/{ann.patient}"}}
    is_outcome(bob.fhir("POST", "MedicationRequest", plan), 403, 404, 422)
    assert ann.doses() == []


@pytest.fixture(scope="module")
def shelf(module_api: Api) -> tuple[Api, list[dict]]:
    plans = [module_api.add_plan(module_api.events(30 + i)) for i in range(7)]
    stopped = plans[6] | {"status": "stopped"}
    assert module_api.fhir("PUT", f"MedicationRequest/{plans[6]['id']}", stopped).status_code == 200
    return module_api, plans


def found(api: Api, kind: str = "MedicationRequest", **query: object) -> list[str]:
    return [r["id"] for r in api.pages(kind, **query)]


def test_searches_find_what_they_name(shelf: tuple[Api, list[dict]]) -> None:
    api, plans = shelf
    ids = [p["id"] for p in plans]
    assert sorted(found(api)) == sorted(ids)
    assert found(api, _id=ids[2]) == [ids[2]]
    assert sorted(found(api, _id=f"{ids[1]},{ids[2]},nothing")) == sorted(ids[1:3])
    assert sorted(found(api, status="active")) == sorted(ids[:6])
    assert sorted(found(api, status="stopped,active")) == sorted(ids)
    assert found(api, status="completed") == []
    assert sorted(found(api, patient=f"Patient/{api.patient}")) == sorted(ids)
    assert found(api, _lastUpdated="lt2020-01-01") == []
    assert sorted(found(api, _lastUpdated="ge2020-01-01")) == sorted(ids)
    assert found(api, patient="nobody-at-all") == []
    bundle = api.ok("/fhir/Patient", _id=api.patient)
    assert [entry["resource"]["id"] for entry in bundle["entry"]] == [api.patient]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 50])
def test_pages_show_each_match_once(shelf: tuple[Api, list[dict]], count: int) -> None:
    api, plans = shelf
    first = api.ok("/fhir/MedicationRequest", patient=api.patient, _count=count)
    assert first["type"] == "searchset" and first["total"] == 7
    assert len(first["entry"]) == min(count, 7)
    links = {link["relation"]: link["url"] for link in first["link"]}
    assert links["self"].startswith(f"{api.base}/fhir/MedicationRequest?")
    assert ("next" in links) == (count < 7)
    for entry in first["entry"]:
        assert entry["search"]["mode"] == "match"
        assert entry["fullUrl"] == f"{api.base}/fhir/MedicationRequest/{entry['resource']['id']}"
    assert sorted(found(api, _count=count)) == sorted(p["id"] for p in plans)


def test_an_empty_search_is_an_empty_bundle(api: Api) -> None:
    body = api.ok("/fhir/MedicationAdministration", patient=api.patient)
    assert body["type"] == "searchset" and body["total"] == 0 and "entry" not in body


@pytest.mark.parametrize(
    "query", ["_lastUpdated=tomorrow", "_lastUpdated=2026-02-30", "_count=-1", "_count=many", "status:nonsense=a"]
)
def test_a_bad_search_is_refused(module_api: Api, query: str) -> None:
    path = f"MedicationRequest?patient={module_api.patient}&{query}"
    is_outcome(module_api.fhir("GET", path), 400, 422)


@pytest.mark.parametrize(
    "path",
    [
        "MedicationRequest/nothing-here", "Patient/nothing-here", "MedicationAdministration/nothing",
        "Medicationrequest", "Nonsense", "Nonsense/1", "MedicationRequest/a/b/c", "",
        "MedicationRequest/" + "a" * 65, "MedicationRequest/a%20b",
    ],
)
def test_what_is_not_there_is_an_outcome(module_api: Api, path: str) -> None:
    is_outcome(module_api.fhir("GET", path), 400, 404, 405)


def test_the_patient_is_read_as_fhir(api: Api) -> None:
    patient = api.ok(f"/fhir/Patient/{api.patient}")
    assert patient["resourceType"] == "Patient" and patient["id"] == api.patient
    assert patient["meta"]["versionId"]

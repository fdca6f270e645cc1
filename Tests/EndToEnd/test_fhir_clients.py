# SPDX-License-Identifier: Apache-2.0
"""The FHIR API driven by public clients (fhirpy, fhirclient), and its answers read by a public validator."""
import uuid
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest
from fhir.resources.R4B import get_fhir_model_class
from fhirclient import client as smart_client
from fhirclient.models.medicationrequest import MedicationRequest
from fhirclient.models.patient import Patient
from fhirpy import SyncFHIRClient
from fhirpy.base.exceptions import MultipleResourcesFound, OperationOutcome

from harness.api import FHIR_JSON, Api
from harness.server import Server
from test_doses import TWICE_A_DAY

CLINICAL = "http://terminology.hl7.org/CodeSystem/condition-clinical"


@pytest.fixture
def system(server: Server) -> Api:
    """Returns a client that reaches every patient."""
    email = f"{uuid.uuid4().hex[:12]}@example.org"
    server.create_account(email)
    return Api(server.base, server.create_token(email, "system/*.cruds"))


@pytest.fixture
def fhirpy(system: Api) -> SyncFHIRClient:
    return SyncFHIRClient(f"{system.base}/fhir", authorization=f"Bearer {system.token}")


def condition(patient: str, text: str = "Gout", **more: object) -> dict:
    return {
        "resourceType": "Condition", "code": {"text": text}, "subject": {"reference": f"Patient/{patient}"},
        "clinicalStatus": {"coding": [{"system": CLINICAL, "code": "active"}]}, **more,
    }


def person(fhirpy: SyncFHIRClient, family: str):
    made = fhirpy.resource(
        "Patient", name=[{"family": family, "given": ["Ann"]}], identifier=[{"system": "urn:mrn", "value": family}])
    made.save()
    return made


def test_fhirpy_saves_patches_and_counts(fhirpy: SyncFHIRClient) -> None:
    family = f"F{uuid.uuid4().hex[:10]}"
    ann = person(fhirpy, family)
    people = fhirpy.resources("Patient").search(name=family.lower())
    assert people.count() == 1 and people.first().id == ann.id and people.get().id == ann.id
    ann.patch(gender="female")
    ann.refresh()
    assert ann["gender"] == "female"
    ann.patch(gender=None)
    assert "gender" not in people.get()
    part = people.elements("name").get()
    assert part["name"][0]["family"] == family and "identifier" not in part
    assert part["meta"]["tag"][0]["code"] == "SUBSETTED"


def test_fhirpy_changes_what_its_criteria_match(fhirpy: SyncFHIRClient) -> None:
    ann = person(fhirpy, f"F{uuid.uuid4().hex[:10]}")
    name = uuid.uuid4().hex
    criteria = fhirpy.resources("Condition").search(identifier=f"urn:c|{name}")
    own = {"identifier": [{"system": "urn:c", "value": name}]}

    def sent(text: str):
        return fhirpy.resource(**{
            ("resource_type" if key == "resourceType" else key): value
            for key, value in condition(ann.id, text, **own).items()
        })

    first, created = criteria.get_or_create(sent("Gout"))
    again, second = criteria.get_or_create(sent("Asthma"))
    assert created and not second and again.id == first.id and again["code"]["text"] == "Gout"
    changed, new = criteria.update(sent("Asthma"))
    assert not new and changed.id == first.id and changed["code"]["text"] == "Asthma"
    assert criteria.patch(recordedDate="2026-03-01")["recordedDate"] == "2026-03-01"
    sent("Cough").save()
    with pytest.raises(MultipleResourcesFound):
        criteria.get_or_create(sent("Gout"))
    with pytest.raises(OperationOutcome):
        fhirpy.resources("Condition").search(frobnicate="1").delete()
    assert criteria.count() == 2


def test_fhirpy_follows_references_both_ways(fhirpy: SyncFHIRClient) -> None:
    family = f"F{uuid.uuid4().hex[:10]}"
    ann = person(fhirpy, family)
    made = fhirpy.resource("Condition", **{k: v for k, v in condition(ann.id).items() if k != "resourceType"})
    made.save()
    chained = fhirpy.resources("Condition").search(patient__Patient__name=family)
    assert [one.id for one in chained.fetch()] == [made.id]
    having = fhirpy.resources("Patient").has("Condition", "subject", code__text="gout").search(name=family)
    assert [one.id for one in having.fetch()] == [ann.id]
    included = chained.include("Condition", "patient").fetch_raw()
    assert {entry.resource["resourceType"] for entry in included.entry} == {"Condition", "Patient"}
    reverse = fhirpy.resources("Patient").search(_id=ann.id).revinclude("Condition", "subject").fetch_raw()
    assert [entry["search"]["mode"] for entry in reverse.entry] == ["match", "include"]
    made.delete()
    assert chained.count() == 0


def test_fhirclient_reads_searches_and_writes(system: Api) -> None:
    smart = smart_client.FHIRClient(settings={"app_id": "test", "api_base": f"{system.base}/fhir/"})
    # The server names its sign-in for apps, which a client with a token of its own does not need.
    smart.prepare()
    smart.server.session.headers["Authorization"] = f"Bearer {system.token}"
    families = [f"C{uuid.uuid4().hex[:10]}" for _ in range(3)]
    made = [Patient({"name": [{"family": family}]}).create(smart.server) for family in families]
    read = Patient.read(made[0]["id"], smart.server)
    read.gender = "other"
    assert read.update(smart.server)["meta"]["versionId"] == "2"
    search = Patient.where({"_id": ",".join(one["id"] for one in made), "_count": "1", "_sort": "family"})
    assert [one.name[0].family for one in search.perform_resources_iter(smart.server)] == sorted(families)
    plan = system.plan(TWICE_A_DAY) | {"subject": {"reference": f"Patient/{made[0]['id']}"}}
    assert system.fhir("POST", "MedicationRequest", plan).status_code == 201
    found = MedicationRequest.where({"patient": made[0]["id"]}).include("subject").perform_resources(smart.server)
    assert sorted(type(one).__name__ for one in found) == ["MedicationRequest", "Patient"]


def test_a_validator_accepts_what_is_served(system: Api, new_api: Callable[[], Api]) -> None:
    ann = new_api()
    plan = ann.add_plan(TWICE_A_DAY)
    assert ann.administer(plan["id"]).status_code == 201
    assert ann.fhir("POST", "Condition", condition(ann.patient)).status_code == 201
    metadata = system.ok("/fhir/metadata")
    served = {
        resource["type"] for resource in metadata["rest"][0]["resource"]
        if any(one["code"] == "search-type" for one in resource.get("interaction", []))
    }
    assert len(served) > 20
    paths = [f"{kind}?patient={ann.patient}" for kind in ("MedicationRequest", "Condition", "AuditEvent", "Consent")]
    paths += [f"{kind}?_count=20" for kind in sorted(served)]
    paths += [f"Patient/{ann.patient}/{operation}" for operation in ("$everything", "$summary")]
    paths += ["_history?_count=20", "MedicationRequest/_history?_count=20", "metadata"]
    for path in paths:
        answer = system.ok(f"/fhir/{path}")
        get_fhir_model_class(answer["resourceType"]).model_validate(answer)
        # The same content as XML is well-formed, with the same root.
        xml = system.request("GET", f"/fhir/{path}", headers={"Accept": "application/fhir+xml"})
        root = ElementTree.fromstring(xml.content)
        assert root.tag == f"{{http://hl7.org/fhir}}{answer['resourceType']}", path


def test_a_claimed_search_parameter_works(system: Api) -> None:
    values = {
        "token": "x", "date": "2026", "string": "x", "reference": "Patient/x", "quantity": "5", "number": "5", "uri": "urn:x",
        "composite": "x$2026",
    }
    statement = system.ok("/fhir/metadata")
    for resource in statement["rest"][0]["resource"]:
        for parameter in resource.get("searchParam", []):
            query = f"{parameter['name']}={values[parameter['type']]}"
            answer = system.get(f"/fhir/{resource['type']}?{query}")
            assert answer.status_code == 200, f"{resource['type']}?{query}: {answer.text}"
        for include in resource.get("searchInclude", []):
            answer = system.get(f"/fhir/{resource['type']}?_count=1&_include={include}")
            assert answer.status_code == 200, f"{include}: {answer.text}"


@pytest.mark.parametrize(
    "query", ["frobnicate=1", "status:of=x", "_sort=nothing", "_count=-1", "_lastUpdated=soon", "_include=x"])
def test_a_parameter_that_is_not_understood_is_refused(system: Api, query: str) -> None:
    for kind in ("MedicationRequest", "Observation", "Communication", "AuditEvent", "Practitioner"):
        strict = system.get(f"/fhir/{kind}?{query}")
        assert strict.status_code == 400, f"{kind}?{query}: {strict.text}"
        assert strict.headers["Content-Type"].split(";")[0] == FHIR_JSON
        assert strict.json()["issue"][0]["expression"], "the parameter is named"


def test_lenient_handling_names_what_it_ignored(system: Api) -> None:
    lenient = system.request(
        "GET", "/fhir/Patient?frobnicate=1&_count=1", headers={"Prefer": "handling=lenient"}).json()
    assert "frobnicate" not in [one for one in lenient["link"] if one["relation"] == "self"][0]["url"]
    outcomes = [entry for entry in lenient["entry"] if entry["search"]["mode"] == "outcome"]
    assert len(outcomes) == 1 and "frobnicate" in str(outcomes[0]["resource"])

# SPDX-License-Identifier: Apache-2.0
"""The FHIR API driven by fhirpy, an independent public client."""
import pytest
from fhirpy import SyncFHIRClient
from fhirpy.base.exceptions import OperationOutcome, ResourceNotFound

from harness.api import Api


@pytest.fixture
def client(api: Api) -> SyncFHIRClient:
    return SyncFHIRClient(f"{api.base}/fhir", authorization=f"Bearer {api.token}")


def test_a_plan_is_saved_changed_and_found(api: Api, client: SyncFHIRClient) -> None:
    plan = client.resource(**{
        ("resource_type" if key == "resourceType" else key): value
        for key, value in api.plan(api.events(30, 60)).items()
    })
    plan.save()
    assert plan.id and len(api.doses(plan=plan.id)) == 2
    plan["note"] = [{"text": "with water"}]
    plan.save()
    again = client.reference("MedicationRequest", plan.id).to_resource()
    assert again["note"][0]["text"] == "with water"
    again.refresh()
    found = client.resources("MedicationRequest").search(patient=api.patient, status="active")
    assert [r.id for r in found.fetch_all()] == [plan.id]


def test_an_answer_is_read_as_an_administration(api: Api, client: SyncFHIRClient) -> None:
    plan = api.add_plan(api.events(*range(30, 60)))
    for dose in api.doses(plan=plan["id"]):
        assert api.answer(dose["id"], "taken", confirm=True).status_code == 200
    search = client.resources("MedicationAdministration").search(patient=api.patient)
    fetched = search.limit(7).fetch_all()
    assert len(fetched) == 30 and len({r.id for r in fetched}) == 30
    assert {r["status"] for r in fetched} == {"completed"}
    assert search.count() == 30


def test_errors_reach_the_client_as_outcomes(api: Api, client: SyncFHIRClient) -> None:
    with pytest.raises(ResourceNotFound):
        client.reference("MedicationRequest", "nothing-here").to_resource()
    with pytest.raises(OperationOutcome):
        client.resource("MedicationRequest", status="active").save()

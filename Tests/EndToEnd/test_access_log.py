# SPDX-License-Identifier: Apache-2.0
"""The access log of a person's data, on a page in every language, in the JSON API and as FHIR AuditEvents."""
from datetime import timedelta

from harness.api import Api, instant
from harness.server import Server
from harness.session import Session

PROFILE = "https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit."


def test_a_look_is_told_to_the_person_and_to_nobody_else(server: Server) -> None:
    ann = Session.by_invitation(server, "looked-at@example.org")
    api = server.api(server.create_token("looked-at@example.org"))
    api.add_plan(api.events(5), name="Secret medicine")
    server.invite("looker@example.org")
    looker: Api = server.api(server.create_token("looker@example.org", "system/*.cruds"))
    assert looker.get("/fhir/MedicationRequest", patient=api.patient).status_code == 200
    assert looker.get(f"/fhir/Patient/{api.patient}").status_code == 200

    page = ann.get("/privacy/access-log")
    assert page.status_code == 200 and "looker</span>" in page.text
    assert "Searched: medicines" in page.text and "Secret medicine" not in page.text
    for language in ("de", "nb", "th", "tr"):
        headers = {"Accept-Language": language}
        told = ann.request("GET", "/privacy/access-log", headers=headers)
        assert told.status_code == 200 and "privacy." not in told.text
    now = api.now()
    window = {"from": instant(now - timedelta(hours=1)), "to": instant(now + timedelta(hours=1))}
    events = api.ok("/api/v1/audit", **window)["events"]
    assert any(e["by"].get("name") == "looker" and e["kind"] == "search" for e in events), events
    found = api.pages("AuditEvent", _count=2)
    assert len({e["id"] for e in found}) == len(found) >= 3
    queries = [e for e in found if e.get("meta", {}).get("profile") == [PROFILE + "PatientQuery"]]
    assert queries and queries[0]["entity"][0]["query"]
    one = api.fhir("GET", f"AuditEvent/{found[0]['id']}")
    assert one.status_code == 200 and one.json() == found[0]
    assert api.get("/fhir/AuditEvent", date="soon").status_code == 400
    assert api.get("/api/v1/audit").status_code == 422

    server.invite("stranger@example.org")
    stranger = server.api(server.create_token("stranger@example.org"))
    assert stranger.get("/api/v1/audit", patient=api.patient, **window).status_code == 404
    assert stranger.fhir("GET", f"AuditEvent/{found[0]['id']}").status_code == 404
    assert "entry" not in stranger.ok("/fhir/AuditEvent", patient=api.patient)

# SPDX-License-Identifier: Apache-2.0
"""A copy of everything about a person, and erasure: no file keeps a trace, and no one else loses anything."""
import base64
import csv
import io
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.api import Api
from harness.server import Server
from harness.session import Session

# Every text that Ann writes contains it, in whatever field.
MARK = "Zqxmarker"
EMAIL = "ann@example.org"


@dataclass
class Home:
    server: Server
    ann: Session
    api: Api
    ben: Api

    @property
    def patient(self) -> str:
        return self.api.patient

    def traces(self) -> dict[str, int]:
        """Returns the files of the data folder that contain the marker, and how often."""
        found = {}
        for path in self.server.data.rglob("*"):
            if path.is_file():
                count = path.read_bytes().count(MARK.encode())
                if count:
                    found[path.name] = count
        return found


def push_device() -> dict:
    point = b"\x04" + bytes.fromhex(
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
    def text(value: bytes) -> str:
        return base64.urlsafe_b64encode(value).decode().rstrip("=")
    return {
        "endpoint": f"https://updates.push.services.mozilla.com/wpush/v2/{MARK}",
        "keys": {"p256dh": text(point), "auth": text(os.urandom(16))}, "label": f"{MARK} phone",
    }


@pytest.fixture
def home(own_server: Callable[..., Server], tmp_path: Path) -> Home:
    """Ann with the marker in every field that she can fill, changed several times; Ben has his own data."""
    server = own_server().start()
    server.invite("ben@example.org")
    ben = server.api(server.create_token("ben@example.org"))
    ben.add_plan(ben.events(1, 2), name="Bens medicine")
    ann = Session.by_invitation(server, EMAIL)
    token = server.create_token(EMAIL)
    api = server.api(token)
    for number in range(3):
        ann.submit(
            "/me/account", "given-name", **{
                "given-name": f"{MARK} Ann{number}", "family-name": f"{MARK} Family{number}",
                "phone": f"+49 30 55555{number}", "email": f"{MARK}{number}@example.org"})
    plan = api.add_plan(api.events(-5, -4, 1, 2, 3), name=f"{MARK} tablets")
    for number in range(5):
        plan["note"] = [{"text": f"{MARK} note {number} " + "x" * 900}]
        plan["dosageInstruction"][0]["patientInstruction"] = f"{MARK} with water"
        response = api.fhir("PUT", f"MedicationRequest/{plan['id']}", plan)
        assert response.status_code == 200, response.text
        plan = response.json()
    dose = api.doses()[0]["id"]
    assert api.answer(dose, "skipped", reason=f"{MARK} felt sick").status_code == 200
    assert api.administer(f"{MARK} syrup", key=f"{MARK}-key", reason="").status_code in (201, 422)
    assert api.administer(f"{MARK} drops", taken=False, reason=f"{MARK} none left").status_code == 201
    assert api.post("/api/v1/push-subscriptions", push_device()).status_code == 201
    proposed = api.plan(api.events(30), name=f"{MARK} proposed") | {
        "id": f"{MARK}1", "identifier": [{"system": "urn:x", "value": f"{MARK}-identifier"}]}
    file = tmp_path / f"{MARK}.json"
    file.write_text(json.dumps(proposed))
    server.command("import", str(file), "--patient", api.patient)
    form = ann.form("/import", action="/import")
    sent = ann.request(
        "POST", "/import", data=form.fields,
        files={"file": (f"{MARK}.json", file.read_bytes(), "application/json")})
    assert sent.status_code == 303, sent.text[:500]
    return Home(server, ann, api, ben)


def test_everything_can_be_taken_along(home: Home, tmp_path: Path) -> None:
    by_page = home.ann.request(
        "POST", "/privacy/export", data=home.ann.form("/privacy", action="/privacy/export").fields)
    assert by_page.status_code == 200
    path = tmp_path / "copy.zip"
    said = home.server.command("export", "--patient", home.patient, str(path))
    assert str(path) in said and path.stat().st_mode & 0o777 == 0o600
    for content in (by_page.content, path.read_bytes()):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert archive.testzip() is None
            bundle = json.loads(archive.read("fhir-history.json"))
            assert bundle["type"] == "history"
            requests = [
                e for e in bundle["entry"]
                if e.get("resource", {}).get("resourceType") == "MedicationRequest"]
            assert len(requests) >= 6 and all(MARK in json.dumps(e) for e in requests)
            for name in archive.namelist():
                assert name == os.path.normpath(name) and not name.startswith(("/", "."))
                if name.endswith(".csv"):
                    rows = list(csv.reader(io.StringIO(archive.read(name).decode("utf-8-sig"))))
                    assert len({len(row) for row in rows}) == 1, f"{name} is no table"
            everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
            for text in ("felt sick", "none left", "drops", "proposed", "phone", "Family2", EMAIL):
                assert text in everything, text
            assert "Bens medicine" not in everything
    again = home.server.command("export", "--patient", home.patient, str(path), check=False)
    assert again == ""


def test_erasing_leaves_no_trace_in_any_file(home: Home) -> None:
    server = home.server
    assert sum(home.traces().values()) > 20, "the marker is not where it should be"
    before = home.ben.snapshot()
    refused = server.command("erase", "--patient", home.patient, stdin="somebody\n", check=False)
    assert refused == "" and home.api.ok("/api/v1/me")
    said = server.command("erase", "--patient", home.patient, stdin=f"{home.patient}\n")
    assert "keep no trace" in said, said
    assert home.traces() == {}, "while it runs"
    assert home.api.get("/api/v1/me").status_code == 401
    assert home.ann.get("/").status_code == 303
    assert home.ben.snapshot() == before
    server.command("verify")
    server.stop()
    assert home.traces() == {}, "after it stopped"
    assert not any(MARK in line for line in server.log + server.output), "in the log"
    server.start()
    ben = server.api(home.ben.token)
    assert ben.doses(), "Ben's doses are gone"
    gone = server.command("export", "--patient", home.patient, "/dev/null", check=False)
    assert gone == ""

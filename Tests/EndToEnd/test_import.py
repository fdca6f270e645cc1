# SPDX-License-Identifier: Apache-2.0
"""`regimen import`: through the lock and the socket, dry runs, bad files, many entries, samples."""
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.server import Server, ServerError

PATIENT = "urn:uuid:11111111-1111-4111-8111-111111111111"
SAMPLES = os.environ.get("REGIMEN_FHIR_SAMPLES", "")


def request(number: int, **more: Any) -> dict[str, Any]:
    return {
        "resourceType": "MedicationRequest", "id": f"r{number}", "status": "active",
        "intent": "order", "medicationCodeableConcept": {"text": f"Medicine {number}"},
        "subject": {"reference": PATIENT},
        "dosageInstruction": [{
            "timing": {"repeat": {"timeOfDay": ["08:00:00"]}},
            "doseAndRate": [{"doseQuantity": {"value": 1, "unit": "tablet"}}],
        }],
    } | more


def administration(number: int) -> dict[str, Any]:
    return {
        "resourceType": "MedicationAdministration", "id": f"a{number}", "status": "completed",
        "medicationCodeableConcept": {"text": "Medicine 1"}, "subject": {"reference": PATIENT},
        "request": {"reference": "https://h/fhir/MedicationRequest/r1"},
        "effectiveDateTime": f"2025-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
        f"T{number % 24:02}:{number % 60:02}:{number // 60 % 60:02}Z",
    }


def bundle(*resources: dict[str, Any]) -> dict[str, Any]:
    entries: list[dict[str, Any]] = [{
        "fullUrl": PATIENT,
        "resource": {"resourceType": "Patient", "name": [{"family": "Example", "given": ["Ann"]}]},
    }]
    for resource in resources:
        address = f"https://h/fhir/{resource['resourceType']}/{resource.get('id', 'none')}"
        entries.append({"fullUrl": address, "resource": resource})
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def write(folder: Path, content: Any, name: str = "file.json") -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


def lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.parametrize("running", [False, True], ids=["lock", "socket"])
def test_a_bundle_becomes_doses_and_again_nothing(
    own_server: Callable[..., Server], tmp_path: Path, running: bool
) -> None:
    server = own_server()
    server.invite("ann@example.org")
    token = server.create_token("ann@example.org")
    file = write(tmp_path, bundle(request(1), request(2, status="completed"), administration(1)))
    if running:
        server.start()
    trial = lines(server.command("import", file, "--accept", "--dry-run"))
    assert [line.get("medicine") for line in trial] == ["Medicine 1", "Medicine 2", None]
    first = lines(server.command("import", file, "--accept"))[-1]
    assert first["prescriptions"]["accepted"] == 1 and first["prescriptions"]["ended"] == 1
    assert first["administrations"]["recorded"] == 1 and first["problemCount"] == 0
    again = lines(server.command("import", file, "--accept"))[-1]
    assert again["prescriptions"]["unchanged"] == 2
    assert again["administrations"] == {"recorded": 0, "corrected": 0, "unchanged": 1}
    if not running:
        server.start()
    assert server.api(token).doses()


def test_bad_entries_are_named_and_the_sound_ones_taken(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server()
    server.invite("ann@example.org")
    broken = {"resourceType": "MedicationRequest"}
    text = json.dumps(bundle(broken, request(1)))
    report = lines(server.command("import", write(tmp_path, text[:-2])))[-1]
    assert [(problem["entry"], problem["reason"]) for problem in report["problems"]] == [
        (2, "invalid"), (4, "ends-early"),
    ]
    assert report["prescriptions"]["proposed"] == 1


@pytest.mark.parametrize(
    ("content", "word"),
    [("<Bundle/>", "JSON"), ("date,dose", "value"), ("", "empty"), (None, "no file")],
    ids=["xml", "csv", "empty", "missing"],
)
@pytest.mark.parametrize("running", [False, True], ids=["lock", "socket"])
def test_other_files_end_with_one_line(
    own_server: Callable[..., Server], tmp_path: Path, content: str | None, word: str,
    running: bool,
) -> None:
    server = own_server()
    server.invite("ann@example.org")
    if running:
        server.start()
    file = str(tmp_path / "missing") if content is None else write(tmp_path, content, "file")
    with pytest.raises(ServerError, match="ended with 1") as failure:
        server.command("import", file)
    assert word in str(failure.value)


@pytest.mark.parametrize("running", [False, True], ids=["lock", "socket"])
def test_a_file_that_names_no_one_needs_a_name(
    own_server: Callable[..., Server], tmp_path: Path, running: bool
) -> None:
    server = own_server()
    if running:
        server.start()
    resource = request(1, subject={"reference": "Patient/7"})
    file = write(
        tmp_path, {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": resource}]})
    with pytest.raises(ServerError, match="ended with 1") as failure:
        server.command("import", file)
    assert "--name" in str(failure.value)
    report = lines(server.command("import", file, "--name", "Ann Example", "--accept"))[-1]
    assert report["prescriptions"]["accepted"] == 1 and report["patient"]


def test_measurements_are_stored_once(own_server: Callable[..., Server], tmp_path: Path) -> None:
    server = own_server()
    server.invite("ann@example.org")
    measurement = {
        "resourceType": "Observation", "id": "o1", "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "40443-4"}]},
        "subject": {"reference": PATIENT}, "effectiveDateTime": "2025-02-27T23:00:00Z",
        "valueQuantity": {"value": 61, "unit": "/min"},
    }
    broken = measurement | {"id": "o2", "valueQuantity": {"value": 6100, "unit": "/min"}}
    file = write(tmp_path, bundle(measurement, broken))
    report = lines(server.command("import", file))[-1]
    assert report["measurements"] == {"stored": 1, "replaced": 0, "unchanged": 0}
    assert [(problem["entry"], problem["reason"]) for problem in report["problems"]] == [
        (3, "value")]
    again = lines(server.command("import", file))[-1]
    assert again["measurements"] == {"stored": 0, "replaced": 0, "unchanged": 1}


def test_lines_of_resources_are_read_one_by_one(
    own_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    rows = [json.dumps(request(number)) for number in range(20)]
    rows.insert(3, '{"resourceType":')
    report = lines(server.command("import", write(tmp_path, "\n".join(rows), "a.ndjson")))[-1]
    assert report["entries"] == 21 and report["prescriptions"]["proposed"] == 20
    assert [problem["entry"] for problem in report["problems"]] == [4]


def test_a_thousand_entries_are_taken(own_server: Callable[..., Server], tmp_path: Path) -> None:
    server = own_server().start()
    server.invite("ann@example.org")
    file = write(
        tmp_path, bundle(request(1), *[administration(number) for number in range(998)]))
    report = lines(server.command("import", file))[-1]
    assert report["entries"] == 1_000 and report["problemCount"] == 0
    assert report["administrations"]["recorded"] == 998
    assert server.api().get("/health").status_code == 200


@pytest.mark.skipif(not SAMPLES, reason="REGIMEN_FHIR_SAMPLES names no folder of sample resources")
def test_public_samples_are_read(own_server: Callable[..., Server]) -> None:
    """Public resources of several makers: all are read, and none is refused for its form.

    Drafts between DSTU2 and STU3 are not a released version: they may be refused, but must never crash.
    """
    server = own_server()
    server.invite("ann@example.org")
    kinds = ("medicationrequest", "medicationorder", "medicationadministration")
    files = [
        file for file in sorted(Path(SAMPLES).glob("*.json"))
        if any(kind in file.name.lower() for kind in kinds)
    ]
    assert files
    for file in files:
        report = lines(server.command("import", str(file), "--accept", "--dry-run"))[-1]
        reasons = {problem["reason"] for problem in report["problems"]}
        if "v1.7.0" not in file.name or "-r4-" in file.name:
            assert reasons <= {"medication-missing", "not-final"}, (file.name, report["problems"])

# SPDX-License-Identifier: Apache-2.0
"""The contract of `regimen instructions`."""
import json
import subprocess
from pathlib import Path

import pytest

from harness.server import binary

LANGUAGES = ["en", "de", "nb", "th", "tr", "fr", "es", "it", "pt", "nl"]
TABLET = {"doseAndRate": [{"doseQuantity": {"value": 1, "code": "{tablet}"}}],
          "timing": {"repeat": {"frequency": 2, "period": 1, "periodUnit": "d"}}}


def run(*lines: object, arguments: tuple[str, ...] = ()) -> list[dict]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    result = subprocess.run(
        [str(binary()), "instructions", *arguments], input=text + "\n", capture_output=True, text=True,
        timeout=60)
    assert result.returncode == 0 and result.stderr == ""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_line_is_answered_in_its_place() -> None:
    steps = [TABLET | {"sequence": 1}, TABLET | {"sequence": 2, "extension": [{"url": "x"}]}]
    answers = run(
        {"id": "a", "dosage": TABLET}, "", {"id": 2, "dosages": steps}, "{", "[]", {"id": "none"},
        {"id": "negative", "dosage": {"doseAndRate": [{"doseQuantity": {"value": -1, "code": "mg"}}]}},
        {"id": "de", "dosage": TABLET, "lang": "de-AT"}, {"id": "ja", "dosage": TABLET, "lang": "ja"},
        {"id": "text", "dosage": TABLET | {"text": "3 tablets"}})
    assert answers[0] == {"id": "a", "text": "Take 1 tablet twice a day.", "unvoiced": []}
    assert answers[1]["unvoiced"] == ["dosage[1].extension"]
    assert answers[1]["text"].startswith("First: Take 1 tablet") and "Then: " in answers[1]["text"]
    assert [set(answer) for answer in answers[2:6]] == [{"id", "error"}] * 4
    assert answers[5]["error"] == "doseAndRate.doseQuantity is not above zero."
    assert answers[6]["text"].startswith("Nehmen Sie 1 Tablette") and "error" in answers[7]
    assert answers[8]["mismatches"] == ["text: 3"]


def test_prescriptions_of_both_versions_are_read() -> None:
    request = {"resourceType": "MedicationRequest", "id": "r4", "dosageInstruction": [TABLET]}
    order = {"resourceType": "MedicationOrder", "id": "dstu2", "dosageInstruction": [
        {"timing": TABLET["timing"], "doseQuantity": {"value": 1, "code": "{tablet}"}}]}
    answers = run(request, order, {"resourceType": "Patient", "id": "p"})
    assert [answer.get("text") for answer in answers] == ["Take 1 tablet twice a day."] * 2 + [None]
    assert [answer["id"] for answer in answers] == ["r4", "dstu2", "p"]


@pytest.mark.parametrize("form", ["patient", "short", "clinical"])
def test_every_form_in_every_language(form: str) -> None:
    texts = {run({"id": 1, "dosage": TABLET}, arguments=("--language", language, "--form", form))[0]["text"]
             for language in LANGUAGES}
    assert len(texts) == len(LANGUAGES) and all("1" in text for text in texts)


def test_many_lines_keep_their_order(tmp_path: Path) -> None:
    file = tmp_path / "dosages.ndjson"
    lines = [{"id": number, "dosage": {"doseAndRate": [{"doseQuantity": {"value": number, "code": "mg"}}]}}
             for number in range(1, 20_001)]
    file.write_text("\n".join(map(json.dumps, lines)))
    result = subprocess.run(
        [str(binary()), "instructions", str(file)], capture_output=True, text=True, timeout=60, check=True)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == list(range(1, 20_001))
    assert answers[11_999]["text"] == "Take 12,000 mg."


def test_what_is_used_wrongly_is_said_in_one_line() -> None:
    for arguments, code in [(["--language", "ja"], 2), (["--form", "poem"], 2), (["/no/such/file"], 1)]:
        result = subprocess.run(
            [str(binary()), "instructions", *arguments], capture_output=True, text=True, timeout=60)
        assert result.returncode == code and result.stdout == ""
        assert result.stderr.startswith("regimen: ") and result.stderr.count("\n") == 1

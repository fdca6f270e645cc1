# SPDX-License-Identifier: Apache-2.0
"""The contract of `regimen detect` on the command line."""
import json
import subprocess
from pathlib import Path

import pytest

from harness.server import binary


def run(lines: list[str], *arguments: str) -> list[dict]:
    result = subprocess.run(
        [str(binary()), "detect", *arguments], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and result.stderr == ""
    return [json.loads(line) for line in result.stdout.splitlines()]


def day(person: object, number: int, bpm: float, **more: object) -> str:
    readings = [[hour + 0.25, bpm + (number + hour) % 3 - 1, "watch"] for hour in (10, 14, 16, 18)]
    return json.dumps({
        "p": person, "d": number, "agent": "bisoprolol", "slot": "morning", "dose": 1.0, "readings": readings,
        "steps": 5000, "answer": None} | more)


@pytest.mark.parametrize("method", ["boundary", "dynamic", "model"])
def test_every_line_is_answered_in_place(method: str) -> None:
    people = [day(person, number, 60) for number in range(30) for person in (0, "anna")]
    lines = people + [day(0, 30, 76), day("anna", 30, 60)]
    answers = run(lines, "--method", method)
    assert [(a["p"], a["d"]) for a in answers] == [(json.loads(l)["p"], json.loads(l)["d"]) for l in lines]
    assert [a["alert"] for a in answers] == [False] * len(people) + [True, False]
    assert all(set(a) == {"p", "d", "alert", "score"} and 0 <= a["score"] <= 1 for a in answers)
    # Another person's lines have no effect.
    assert run([l for l in lines if json.loads(l)["p"] == 0], "--method", method) == [a for a in answers if a["p"] == 0]


def test_bad_lines_are_answered_and_change_nothing() -> None:
    days = [day(0, number, 60) for number in range(20)]
    bad = [
        "nonsense", "[1]", '{"d":3}', '{"p":0}', '{"p":0,"d":1.5}', '{"p":0,"d":99,"readings":[[1]]}',
        '{"p":0,"d":99,"readings":"x"}', '{"p":0,"d":99,"readings":[["a",60,"watch"]]}', '{"p":0,"d":99,"dose":-1}',
        '{"p":0,"d":99,"answer":"maybe"}', '{"p":0,"d":99,"steps":-5}', '{"p":0,"d":99,"d":100}', '{"p":0,"d":99,}',
        '{"p":0,"d":9223372036854775807}', '{"p":0,"d":-9223372036854775808}', day(0, 3, 90), '{"p":null,"d":3}',
        '{"p":0,"d":99,"agent":7}', "{" * 100000, '{"p":0,"d":99,"readings":[[1e999,60,"watch"]]}']
    answers = run(days + bad + [day(0, 20, 61)])
    assert ["error" in answer for answer in answers] == [False] * 20 + [True] * len(bad) + [False]
    assert [answer for answer in answers if "error" not in answer] == run(days + [day(0, 20, 61)])


def test_what_is_left_out_or_spelled_otherwise_is_understood() -> None:
    plain = [day(0, number, 60) for number in range(20)]
    spelled = [json.dumps(json.loads(line), indent=None, separators=(" , ", " : ")).replace("watch", "w\\u0061tch")
               for line in plain]
    assert run(spelled) == run(plain)
    answers = run(['{"p":1,"d":0}', '{"p":1,"d":1,"agent":"unheard of","slot":"noon","extra":{"a":1}}',
                   '{"p":1,"d":2,"readings":[[12,60]],"dose":null,"steps":null}'])
    assert [answer["alert"] for answer in answers] == [False] * 3


def test_methods_are_compared_on_labelled_people(tmp_path: Path) -> None:
    missed = {30, 31, 32, 50}
    rows = ["p,d,agent,slot,hour,bpm,source,steps,answer,missed"]
    for person in ("anna", "bo"):
        for number in range(80):
            for hour in (10, 14, 16, 18):
                bpm = (70 if number in missed else 60) + (number + hour) % 3 - 1
                rows.append(f"{person},{number},bisoprolol,morning,{hour}.25,{bpm},watch,5000,missed,{int(number in missed)}")
    table, figure = tmp_path / "people.csv", tmp_path / "figure.svg"
    table.write_text("\n".join(rows) + "\n")
    command = [str(binary()), "detect", "--evaluate", "--figure", str(figure), str(table)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0 and result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0].startswith("2 people, 160 days") and "2 of one day, 0 of two, 2 longer" in lines[0]
    for method in ("boundary", "dynamic", "model"):
        found = [line.split() for line in lines if line.startswith(f"  {method} ")]
        # One day, two days (there are none), three and more.
        assert len(found) == 2 and found[0][3] == "-" and found[0][4:6] == ["1.000", "(1.000-1.000)"]
    assert figure.read_text().startswith("<svg")
    table.write_text("p,d,missed\n1,0,0\n1,0.5,0\n")
    broken = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert broken.returncode == 1 and "Row 3" in broken.stderr


def test_usage() -> None:
    for arguments in (["--budget", "0"], ["--budget", "-1"], ["--method", "guess"], ["--figure", "picture.svg"]):
        result = subprocess.run([str(binary()), "detect", *arguments], input="", capture_output=True, text=True)
        assert result.returncode == 2 and result.stderr.count("\n") == 1
    missing = subprocess.run([str(binary()), "detect", "no-such-file"], capture_output=True, text=True)
    assert missing.returncode == 1

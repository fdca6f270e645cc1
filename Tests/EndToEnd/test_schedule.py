# SPDX-License-Identifier: Apache-2.0
"""`regimen schedule`: its contract, and 200 random questions against an independent expansion."""
import json
import random
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from harness.api import Api, instant
from harness.server import binary
from harness.timing_oracle import EVENTS, WEEKDAYS, expand

ZONES = ["Europe/Oslo", "America/New_York", "Pacific/Auckland", "Australia/Lord_Howe",
         "Asia/Bangkok", "America/St_Johns", "Africa/Casablanca", "Pacific/Apia", "UTC",
         "America/Havana", "Asia/Beirut", "Europe/Dublin", "Antarctica/Troll", "Asia/Kathmandu"]
STARTS = ["2024-03-05", "2024-10-01", "2025-03-28", "2026-01-31", "2024-02-29", "2011-12-20",
          "2026-10-20", "2027-03-10"]


def run(lines: list[str], *arguments: str) -> list[dict]:
    result = subprocess.run(
        [str(binary()), "schedule", *arguments], input="\n".join(lines) + "\n",
        capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and result.stderr == ""
    return [json.loads(line) for line in result.stdout.splitlines()]


def drawn(draw: random.Random, number: int) -> dict:
    repeat: dict = {}
    shape = draw.randrange(7)
    if shape == 0:
        repeat |= {"period": draw.randint(1, 72), "periodUnit": "h", "frequency": draw.randint(1, 3)}
    elif shape == 1:
        repeat |= {"frequency": draw.randint(1, 4), "period": 1, "periodUnit": "d"}
    elif shape == 2:
        period = draw.randint(2, 9)
        repeat |= {"period": period, "periodUnit": "d", "frequency": draw.randint(1, period)}
    elif shape == 3:
        repeat |= {"period": draw.randint(1, 3), "periodUnit": "wk",
                   "dayOfWeek": draw.sample(WEEKDAYS, draw.randint(2, 4))}
    elif shape == 4:
        repeat |= {"period": draw.randint(1, 3), "periodUnit": "wk", "frequency": draw.randint(1, 7)}
    elif shape == 5:
        repeat |= {"period": draw.randint(1, 4), "periodUnit": draw.choice(["mo", "a"])}
    else:
        repeat |= {"period": draw.randint(1, 3), "periodUnit": "d"}
    clock = draw.randrange(3) if shape != 0 else 2
    if clock == 0:
        drawn_times = {draw.randrange(24 * 12) * 5 for _ in range(draw.randint(1, 4))}
        repeat["timeOfDay"] = [f"{t // 60:02}:{t % 60:02}:00" for t in drawn_times]
    elif clock == 1:
        codes = [c for c in EVENTS if not c.startswith("C")] + ["ACM", "ACD", "ACV", "PCM", "PCD", "PCV"]
        repeat["when"] = draw.sample(codes, draw.randint(1, 3))
        if draw.random() < 0.5:
            repeat["offset"] = draw.choice([0, 15, 45, 120])
    if shape in (2, 5, 6) and draw.random() < 0.3:
        repeat["dayOfWeek"] = draw.sample(WEEKDAYS, 4)
    start = draw.choice(STARTS)
    if draw.random() < 0.5:
        repeat["boundsPeriod"] = {"start": start}
    if draw.random() < 0.3:
        repeat["count"] = draw.randint(1, 60)
    if draw.random() < 0.3:
        repeat.setdefault("boundsPeriod", {})["end"] = f"{int(start[:4]) + 1}{start[4:7]}-15"
    until = f"{int(start[:4]) + 1}{start[4:8]}01"
    return {"id": number, "timing": {"repeat": repeat}, "tz": draw.choice(ZONES), "start": start, "end": until}


def test_agrees_with_an_independent_expansion() -> None:
    draw = random.Random(20260301)
    questions = [drawn(draw, number) for number in range(200)]
    answers = run([json.dumps(question) for question in questions])
    assert [answer["id"] for answer in answers] == list(range(200))
    total = 0
    for question, answer in zip(questions, answers):
        expected = expand(question)
        assert answer.get("instants") == expected, (question, answer.get("error"))
        total += len(expected)
    assert total > 25_000


def test_each_line_is_answered_in_place(tmp_path: Path) -> None:
    daily = '"tz":"Europe/Oslo","start":"2026-03-01","end":"2026-03-02"'
    lines = [
        '{"id":"a","timing":{"repeat":{"frequency":1}},%s}' % daily,
        "not json", "[]", "",
        '{"id":{"own":1},"timing":{"repeat":{"period":1}},%s}' % daily,
        '{"id":"z","timing":{"repeat":{"frequency":1}},"tz":"Mars/Base","start":"2026-03-01","end":"2026-03-02"}',
        '{"id":"t","rule":{"kind":"taper","start":"2026-03-01","steps":[{"days":1,"times":["08:00","20:00"],'
        '"dose":0.50}]},%s}' % daily,
        '{"id":"e","timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"s"}},"tz":"UTC",'
        '"start":"2000-01-01","end":"9999-01-01"}',
    ]
    file = tmp_path / "questions.ndjson"
    file.write_text("\n".join(lines))
    result = subprocess.run(
        [str(binary()), "schedule", str(file)], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert answers[0] == {"id": "a", "instants": ["2026-03-01T08:00:00+01:00"]}
    assert "JSON" in answers[1]["error"] and "object" in answers[2]["error"]
    assert answers[3] == {"id": {"own": 1}, "error": "repeat.period needs repeat.periodUnit (tim-2)."}
    assert answers[4]["id"] == "z" and "tz" in answers[4]["error"]
    assert len(answers[5]["instants"]) == 2 and '"doses":[0.50,0.50]' in result.stdout
    assert "instants" in answers[6]["error"] and len(answers) == 7


def test_a_missing_file_exits_1_with_one_line() -> None:
    result = subprocess.run(
        [str(binary()), "schedule", "/nonexistent"], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1 and result.stdout == "" and result.stderr.count("\n") == 1


def test_a_pipe_is_answered_line_by_line() -> None:
    with subprocess.Popen(
        [str(binary()), "schedule"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        for number in range(3):
            process.stdin.write(json.dumps({
                "id": number, "timing": {"repeat": {"count": 1}}, "tz": "UTC",
                "start": "2026-03-01T08:00", "end": "2026-03-02"}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {
                "id": number, "instants": ["2026-03-01T08:00:00+00:00"]}
        process.stdin.close()
        assert process.wait(10) == 0


def test_why_a_dose_is_at_three_and_what_an_edit_moves() -> None:
    question = {
        "id": 1, "timing": {"repeat": {"timeOfDay": ["02:30:00"]}}, "tz": "Europe/Oslo",
        "start": "2026-03-28", "end": "2026-03-31",
        "before": {"timing": {"repeat": {"timeOfDay": ["02:00:00"]}}}}
    answer = run([json.dumps(question)], "--explain")[0]
    assert answer["instants"][1] == "2026-03-29T03:00:00+02:00"
    why = answer["explanations"][1]
    assert [reason["rule"] for reason in why] == [6, 8] and why[1]["moved"]
    assert "02:30:00" in why[1]["text"]
    assert [change["change"] for change in answer["changes"]] == ["moved", "moved"]
    assert answer["changes"][0]["from"] == "2026-03-28T02:00:00+01:00"
    assert answer["changes"][0]["to"] == "2026-03-28T02:30:00+01:00"


@pytest.mark.parametrize(
    ("timing", "count"),
    [
        ({"repeat": {"timeOfDay": ["08:00:00", "20:00:00"], "count": 7}}, 7),
        ({"repeat": {"period": 1, "periodUnit": "mo", "count": 2}}, 2),
        ({"code": {"coding": [{"code": "BID"}]}, "repeat": {"count": 5}}, 5),
        ({"repeat": {"period": 4, "periodMax": 6, "periodUnit": "h"}}, None),
        ({"repeat": {"frequency": 14, "period": 1, "periodUnit": "wk"}}, None),
        ({"repeat": {"frequency": 1}}, None),
        ({"code": {"text": "weekly"}, "repeat": {"timeOfDay": ["08:00:00"]}}, None),
    ],
    ids=["count", "months", "code", "longest-period", "more-than-days", "no-period", "words"],
)
def test_a_plan_rings_by_the_same_rules_or_says_why_not(
    api: Api, timing: dict, count: int | None
) -> None:
    now = api.now()
    bounds = {"boundsPeriod": {"start": (now + timedelta(days=2)).date().isoformat()}}
    plan = api.add_plan(timing | {"repeat": timing["repeat"] | bounds})
    answer = api.ok(
        "/api/v1/doses", patient=api.patient, **{
            "from": instant(now), "to": instant(now + timedelta(days=100))})
    doses = [dose for dose in answer["doses"] if dose["plan"] == plan["id"]]
    assert len(doses) == (count or 0)
    assert (plan["id"] in [one["plan"] for one in answer["unplanned"]]) == (count is None)

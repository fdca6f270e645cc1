# SPDX-License-Identifier: Apache-2.0
"""Metrics of a running server, the identifiers of requests, and the files for Prometheus and Grafana."""
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import requests

from harness.exposition import Family, parse
from harness.push_receiver import Reply
from harness.ringing import Ring, eventually
from harness.server import REPOSITORY, Server

DEPLOY = REPOSITORY / "deploy"
RULES = DEPLOY / "prometheus" / "regimen.rules.yml"
DASHBOARD = DEPLOY / "grafana" / "regimen.json"
METRIC = re.compile(r"\bregimen_[a-z_]+")
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{TRACE}-00f067aa0ba902b7-01"


def scrape(server: Server) -> dict[str, Family]:
    return parse(server.command("metrics"))


def base_name(name: str) -> str:
    return re.sub(r"_(bucket|sum|count)$", "", name)


def expressions() -> list[str]:
    """Returns the queries of the dashboard, as Grafana would send them."""
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    queries = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    return [query.replace("$__rate_interval", "5m").replace("$instance", ".*") for query in queries]


def promtool(*arguments: str) -> None:
    program = shutil.which("promtool")
    if program is None:
        assert not os.environ.get("REGIMEN_PROMTOOL"), "promtool is not installed"
        pytest.skip("promtool is not installed (Debian's package prometheus)")
    found = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stdout + found.stderr


def test_requests_are_counted_by_route_without_their_addresses(
    own_server: Callable[..., Server],
) -> None:
    server = own_server().start()
    for _ in range(3):
        requests.get(f"{server.base}/health", timeout=10)
    requests.get(f"{server.base}/medicines/secret-plan", timeout=10, allow_redirects=False)
    requests.get(f"{server.base}/secret/place?name=secret", timeout=10)
    requests.get(f"{server.base}/api/v1/doses", timeout=10)
    requests.request("PROPFIND", f"{server.base}/", timeout=10)
    metrics = scrape(server)
    counted = metrics["regimen_http_requests_total"]
    assert counted.value(method="GET", route="/health", status="2xx") == 3
    assert counted.value(method="GET", route="/medicines/{plan}", status="3xx") == 1
    assert counted.value(method="GET", route="none", status="4xx") == 1
    assert counted.value(method="GET", route="/api/v1/doses", status="4xx") == 1
    assert counted.total(method="other") == 1
    durations = metrics["regimen_http_request_duration_seconds"]
    assert durations.value("_count", surface="api") == 4
    assert durations.total("_count") == counted.total() == 7
    assert metrics["regimen_database_duration_seconds"].value("_count", operation="read") > 0
    assert "secret" not in server.command("metrics")


def test_denied_sign_ins_are_counted(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    page = requests.get(f"{server.base}/sign-in", timeout=10)
    assert page.status_code == 200
    fields = {"email": "nobody@example.org", "password": "violet kettle marches 1"}
    requests.post(
        f"{server.base}/sign-in", data=fields, timeout=30, allow_redirects=False,
        headers={"Sec-Fetch-Site": "same-origin", "Origin": server.base})
    assert scrape(server)["regimen_sign_ins_total"].value(outcome="denied") == 1


def test_reminders_are_counted_on_their_way(own_ring: Callable[..., Ring]) -> None:
    ring = own_ring()
    person = ring.person("veryrarename")
    device, expired = person.subscribe(), person.subscribe()
    expired.reply(Reply(410))
    dose = person.dose_in(1, name="Methotrexate 7.5 mg")
    eventually(lambda: device.rung(dose), "the reminder")

    def counted() -> dict[str, Family] | None:
        found = scrape(ring.server)
        attempts = found["regimen_delivery_attempts_total"]
        both = attempts.value(channel="push", outcome="handed-over") >= 1 and (
            attempts.value(channel="push", outcome="gone") == 1)
        return found if both else None

    metrics = eventually(counted, "the results")
    assert metrics["regimen_reminders_rung_total"].value() >= 1
    assert metrics["regimen_reminders_missed_total"].value() == 0
    assert metrics["regimen_deliveries_planned_total"].value(channel="push") >= 2
    assert metrics["regimen_delivery_claims_total"].value(channel="push") >= 2
    delays = metrics["regimen_delivery_delay_seconds"]
    assert delays.value("_count", channel="push") >= 1
    assert metrics["regimen_reminders_lag_seconds"].value("_count") >= 1
    assert metrics["regimen_deliveries_in_progress"].value(channel="push") == 0
    text = ring.server.command("metrics").lower()
    private = ["veryrarename", "methotrexate", dose, person.api.patient, device.subscription]
    assert not [word for word in private if word.lower() in text]


def test_no_label_has_many_values(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    for number in range(200):
        requests.get(f"{server.base}/a{number}/b{number}", timeout=10)
        requests.request(f"M{number}", f"{server.base}/", timeout=10)
    for family in scrape(server).values():
        assert len(family.samples) < 300, family.name


def test_a_request_has_an_identifier_in_answer_and_log(own_server: Callable[..., Server]) -> None:
    server = own_server(environment={"REGIMEN_LOG_LEVEL": "debug"}).start()
    sent = requests.get(f"{server.base}/health", headers={"traceparent": PARENT}, timeout=10)
    assert sent.headers["X-Request-ID"] == TRACE

    def logged(trace: str) -> bool:
        entries = [json.loads(line) for line in server.log if trace in line]
        return any(
            entry["message"] == "answered" and entry["metadata"]["trace_id"] == trace
            for entry in entries)

    eventually(lambda: logged(TRACE), "the log line")
    for field in ({}, {"traceparent": PARENT.upper()}, {"traceparent": "x" * 5000}):
        answer = requests.get(f"{server.base}/api/v1/doses", headers=field, timeout=10)
        trace = answer.headers["X-Request-ID"]
        assert re.fullmatch(r"[0-9a-f]{32}", trace) and trace != TRACE
        assert answer.json()["trace"] == trace
        eventually(lambda: logged(trace), "the log line")


def test_the_files_name_only_metrics_that_exist(own_server: Callable[..., Server]) -> None:
    document = (REPOSITORY / "docs" / "operate.md").read_text(encoding="utf-8")
    known = set(re.findall(r"^\| `(regimen_[a-z_]+)` \|", document, re.MULTILINE))
    rules = RULES.read_text(encoding="utf-8")
    named = {base_name(name) for name in METRIC.findall(rules + " ".join(expressions()))}
    assert named and named <= known, named - known
    server = own_server().start()
    requests.get(f"{server.base}/health", timeout=10)
    served = scrape(server).keys()
    assert served <= known, served - known
    # Without backups there is nothing to tell about their age and interval.
    assert known - served <= {"regimen_backup_age_seconds", "regimen_backup_interval_seconds"}


def test_every_rule_has_a_test() -> None:
    rules = re.findall(r"- alert: (\w+)", RULES.read_text(encoding="utf-8"))
    tests = RULES.with_name("regimen.test.yml").read_text(encoding="utf-8")
    named = re.findall(r"- name: (\w+ (?:alerts|is quiet))$", tests, re.MULTILINE)
    assert rules and sorted(named) == sorted(f"{r} {what}" for r in rules for what in ("alerts", "is quiet"))


def test_promtool_accepts_the_rules_and_the_dashboard(tmp_path: Path) -> None:
    promtool("check", "rules", str(RULES))
    promtool("test", "rules", str(RULES.with_name("regimen.test.yml")))
    queries = tmp_path / "dashboard.yml"
    rules = [f"  - record: q{n}\n    expr: {json.dumps(e)}\n" for n, e in enumerate(expressions())]
    queries.write_text("groups:\n- name: dashboard\n  rules:\n" + "".join(rules))
    promtool("check", "rules", str(queries))


def test_promtool_accepts_the_metrics(own_server: Callable[..., Server]) -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("promtool is not installed (Debian's package prometheus)")
    text = own_server().start().command("metrics")
    found = subprocess.run(
        [program, "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
    assert found.returncode == 0, found.stdout + found.stderr

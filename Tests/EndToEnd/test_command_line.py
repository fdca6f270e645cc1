# SPDX-License-Identifier: Apache-2.0
"""The command line: help, refusals with one clear line, the lock, the socket, the log."""
import json
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from harness.server import PASSWORD, REPOSITORY, Server, binary


def run(*arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(binary()), *arguments], input=stdin, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["serve"], ["import"], ["schedule"], ["account"], ["account", "create"], ["token"],
        ["token", "create"], ["token", "list"], ["token", "end"], ["backup"], ["restore"], ["verify"], ["rebuild"], ["doctor"],
        ["health"], ["metrics"], ["upgrade"],
    ],
    ids=" ".join,
)
def test_help_is_everywhere(arguments: list[str]) -> None:
    result = run(*arguments, "--help")
    assert result.returncode == 0 and "USAGE:" in result.stdout and result.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"], ["serve", "--port", "many"], ["serve", "--port", "70000"], ["serve", "--no"],
        ["serve", "--sign-up", "everyone"],
        ["serve", "--behind-proxy", "proxy.example.org"], ["serve", "--behind-proxy", "10.0.0.0/33"],
        ["serve", "--home", "--public-url", "http://kitchen.local:8443"],
        ["account", "create"], ["token", "create", "--account", "a@example.org"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_2(arguments: list[str], tmp_path: Path) -> None:
    data = ["--data", str(tmp_path / "data")] if arguments[0] != "nonsense" else []
    result = run(*arguments, *data)
    assert result.returncode == 2 and result.stderr.strip() and result.stdout == ""


def test_the_version_has_its_commit() -> None:
    version = (REPOSITORY / "VERSION").read_text().strip()
    result = run("--version")
    assert result.returncode == 0
    assert re.fullmatch(rf"regimen {re.escape(version)} \([\w.+-]+\)\n", result.stdout), result.stdout


def test_health_is_one_line_with_its_status(own_server: Callable[..., Server]) -> None:
    server = own_server()
    data = ["--data", str(server.data)]
    stopped = run("health", *data)
    assert stopped.returncode == 1 and "No server is running" in stopped.stderr
    server.start()
    for place in (data, ["--url", server.base], ["--url", server.base + "/"]):
        well = run("health", *place)
        assert (well.returncode, well.stdout, well.stderr) == (0, "ok\n", ""), well
    other = run("health", "--url", server.base + "/fhir")
    assert other.returncode == 1 and "not that of a Regimen server" in other.stderr
    base = server.base
    server.stop()
    gone = run("health", "--url", base)
    assert gone.returncode == 1 and gone.stderr == f"regimen: No server answers at {base}.\n"
    for wrong in ("nowhere", "ftp://127.0.0.1", base + "/?a=b"):
        assert run("health", "--url", wrong).returncode == 2


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_plain_http_beyond_loopback_is_refused(host: str, tmp_path: Path) -> None:
    result = run("serve", "--host", host, "--port", "0", "--data", str(tmp_path / "data"))
    assert result.returncode == 2
    assert "--home" in result.stderr and "--behind-proxy" in result.stderr


def test_the_demonstration_is_not_served_in_public_by_accident(own_server: Callable[..., Server]) -> None:
    public = ("--public-url", "https://med.example.org")
    for options in (public, ("--behind-proxy", "10.0.0.2")):
        server = own_server(options=("--host", "127.0.0.1", *options))
        (server.data / "DEMO").touch()
        result = run("serve", "--port", "0", "--data", str(server.data), *options)
        assert result.returncode == 2 and "--demo-on-purpose" in result.stderr and result.stdout == ""
        server.options += ("--demo-on-purpose",)
        server.start()
        server.stop()
    # A server that only this computer can reach needs no option, like `make demo`.
    quiet = own_server()
    (quiet.data / "DEMO").touch()
    quiet.start()


def test_security_txt_is_what_was_configured(own_server: Callable[..., Server]) -> None:
    server = own_server(environment={"REGIMEN_SECURITY_CONTACT": "security@example.org, https://example.org/report"})
    server.start()
    text = requests.get(f"{server.base}/.well-known/security.txt", timeout=60).text
    assert text.startswith("Contact: mailto:security@example.org\nContact: https://example.org/report\nExpires: ")
    for wrong in ("http://example.org", "nobody"):
        refused = own_server(environment={"REGIMEN_SECURITY_CONTACT": wrong})
        with pytest.raises(AssertionError, match="ended with 2"):
            refused.start()


def test_tokens_are_listed_and_ended_with_and_without_a_server(own_server: Callable[..., Server]) -> None:
    server = own_server()
    email = "ann@example.org"
    server.create_account(email)
    kept, ended = server.create_token(email), server.create_token(email, "user/*.rs")
    def listed() -> list[str]:
        return server.command("token", "list", "--account", email).splitlines()
    lines = listed()
    assert len(lines) == 2 and not any(kept in line or ended in line for line in lines)
    server.start()
    assert server.api(ended).get("/api/v1/me").status_code == 200
    assert server.api(ended).post("/api/v1/administrations", {}).status_code == 403
    line, = (line for line in listed() if ended[:8] in line and "user/*.rs" in line)
    assert server.command("token", "end", "--account", email, line.split()[0]).strip() == line.split()[0]
    assert server.api(ended).get("/api/v1/me").status_code == 401
    assert server.api(kept).get("/api/v1/me").status_code == 200
    server.stop()
    assert len(listed()) == 1
    assert run("token", "end", "--account", email, "000000", "--data", str(server.data)).returncode == 1


def test_accounts_and_tokens_with_and_without_a_server(own_server: Callable[..., Server]) -> None:
    server = own_server()
    server.create_account("before@example.org")  # under the lock
    before = server.create_token("before@example.org")
    server.start()
    server.create_account("during@example.org")  # through the socket
    # By the program: the harness itself talks to the socket of a server that runs.
    link = server.command("account", "create", "--email=invited@example.org")
    assert server.api().get(urlsplit(link.strip()).path).status_code == 200
    during = server.command(
        "token", "create", "--account=during@example.org", "--scope", "user/*.cruds").removesuffix("\n")
    assert "\n" not in during and during.strip() == during
    people = [server.api(token).patient for token in (before, during)]
    assert len(set(people)) == 2
    assert not any(before in line or during in line for line in server.log + server.output)


def test_refusals_are_one_clear_line(own_server: Callable[..., Server]) -> None:
    server = own_server()
    server.create_account("ann@example.org")
    data = ["--data", str(server.data)]
    refused = [
        run("account", "create", "--email", "ANN@example.org", *data, stdin=PASSWORD + "\n"),
        run("account", "create", "--email", "no mail address", *data, stdin=PASSWORD + "\n"),
        run("account", "create", "--email", "bob@example.org", *data, stdin="short\n"),
        run("account", "create", "--email", "bob@example.org", *data, stdin="password1234567\n"),
        run("token", "create", "--account", "nobody@example.org", "--scope", "user/*.cruds", *data),
        run("token", "create", "--account", "ann@example.org", "--scope", "everything", *data),
    ]
    for result in refused:
        assert result.returncode in (1, 2), result
        assert len(result.stderr.strip().splitlines()) == 1 and result.stdout == "", result
        assert "short" not in result.stderr.split() and PASSWORD not in result.stderr


def test_a_folder_in_use_is_refused(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    result = run("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(server.data))
    assert result.returncode == 1 and len(result.stderr.strip().splitlines()) <= 2
    assert server.alive and server.api().get("/health").status_code == 200


def test_the_data_folder_is_for_its_owner_alone(own_server: Callable[..., Server]) -> None:
    server = own_server(clock_offset=0)
    (server.data / "TEST").unlink()
    server.data.rmdir()
    server.start()
    assert stat.S_IMODE(server.data.stat().st_mode) == 0o700
    assert stat.S_IMODE((server.data / "keys.json").stat().st_mode) == 0o600


def test_the_setup_code_is_printed_only_while_no_account_exists(
    own_server: Callable[..., Server],
) -> None:
    server = own_server().start()
    first = server.setup_code()
    assert first and not any(first in line for line in server.log), "a secret in the log"
    server.create_account("ann@example.org")
    server.restart()
    assert not any("Setup code" in line for line in server.output)


def test_the_log_is_json_lines_without_names(own_server: Callable[..., Server]) -> None:
    server = own_server().start()
    server.create_account("ann.person@example.org")
    api = server.api(server.create_token("ann.person@example.org"))
    plan = api.add_plan(api.events(30), name="Veryrareamine")
    dose = api.doses(plan=plan["id"])[0]["id"]
    api.answer(dose, "skipped", reason="secretreason")
    api.post(f"/api/v1/doses/{dose}/answers", {"action": "nonsense"})
    api.get("/fhir/MedicationRequest/missing")
    server.stop()
    assert server.log
    for line in server.log:
        entry = json.loads(line)
        assert entry["message"] and entry["level"]
        for private in ("ann.person", "Veryrareamine", "secretreason", api.token, PASSWORD):
            assert private not in line, line


def test_a_stopped_server_can_not_be_reached_and_leaves_no_socket(
    own_server: Callable[..., Server],
) -> None:
    server = own_server().start()
    base = server.base
    server.stop()
    with pytest.raises(requests.ConnectionError):
        requests.get(f"{base}/health", timeout=5)
    assert not (server.data / "control.sock").exists()

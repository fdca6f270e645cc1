# SPDX-License-Identifier: Apache-2.0
"""`regimen serve --home`: https for a home with its own certificates, and how devices trust them."""
import hashlib
import os
import pty
import re
import select
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests
from playwright.sync_api import Browser

from harness.browser import (
    LANGUAGES, PHONE, Listener, axe_problems, chromium, message_key_pattern, narrow_problems,
    new_context, screenshot, structure_problems, text_problems, wait_for_worker,
)
from harness.server import PASSWORD, Server, ServerError, binary

FULL_BROWSER = True

LOOPBACK = ("--home", "--host", "127.0.0.1")
FINGERPRINT = re.compile(r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}")
SECONDS = 20


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as a household starts it: on all addresses of the machine, with the real clock."""
    server = Server(tmp_path_factory.mktemp("home") / "data", clock_offset=0, options=("--home",))
    yield server.start()
    server.kill()


def authority(server: Server) -> Path:
    return server.data / "home-authority.crt"


def trusting(server: Server, **versions: ssl.TLSVersion) -> ssl.SSLContext:
    """A client that trusts only the home's authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(authority(server))
    for name, version in versions.items():
        setattr(context, name, version)
    return context


def handshake(
    server: Server, name: str, address: str = "127.0.0.1", context: ssl.SSLContext | None = None
) -> ssl.SSLSocket:
    raw = socket.create_connection((address, server.port), timeout=SECONDS)
    return (context or trusting(server)).wrap_socket(raw, server_hostname=name)


def served(server: Server) -> bytes:
    """Returns the certificate of a new connection, unchecked: the server's clock may be shifted."""
    return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", server.port)))


def get(server: Server, path: str, **options: object) -> requests.Response:
    return requests.get(
        server.base + path, verify=str(authority(server)), timeout=SECONDS, **options  # type: ignore
    )


def test_a_device_that_trusts_the_authority_is_served(home: Server) -> None:
    label = socket.gethostname().split(".")[0].lower()
    for name in ("localhost", f"{label}.local", label, "127.0.0.1"):
        with handshake(home, name) as connection:
            assert connection.version() == "TLSv1.3" and connection.getpeercert()
    assert get(home, "/health").json() == {"status": "ok"}


def test_every_address_of_the_machine_is_served(home: Server) -> None:
    with handshake(home, "localhost") as connection:
        names = connection.getpeercert()["subjectAltName"]
    addresses = [value for kind, value in names if kind == "IP Address" and "." in value]
    assert "127.0.0.1" in addresses
    for address in addresses:
        with handshake(home, address, address):
            pass


@pytest.mark.parametrize("name", ["example.org", "192.0.2.253", "elsewhere.local"])
def test_other_names_are_not_its_own(home: Server, name: str) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(home, name)


def test_a_device_that_does_not_trust_it_refuses(home: Server) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(home, "localhost", context=ssl.create_default_context())


def test_the_authority_is_bound_to_the_home(home: Server) -> None:
    text = subprocess.run(
        ["openssl", "x509", "-in", authority(home), "-noout", "-text"],
        capture_output=True, text=True, check=True,
    ).stdout
    assert "CA:TRUE, pathlen:0" in text and "X509v3 Name Constraints: critical" in text
    assert "DNS:local" in text and "IP:192.168.0.0/255.255.0.0" in text
    assert "Certificate Sign" in text and "Digital Signature" not in text


def test_old_tls_is_refused(home: Server) -> None:
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = trusting(home, minimum_version=version, maximum_version=version)
        handshake(home, "localhost", context=context).close()
    old = trusting(home)
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        handshake(home, "localhost", context=old)


@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\x16\x03\x01\xff\xff" + b"x" * 70_000, b"\0" * 9],
    ids=["plain http", "no handshake", "zeros"],
)
def test_what_is_no_tls_is_closed(home: Server, sent: bytes) -> None:
    received = b""
    with socket.create_connection(("127.0.0.1", home.port), timeout=SECONDS) as connection:
        try:
            connection.sendall(sent)
            while chunk := connection.recv(4096):
                received += chunk
        except ConnectionError:
            pass
    # At most a TLS alert, never an unencrypted answer.
    assert b"HTTP" not in received and len(received) < 64
    assert home.alive and get(home, "/health").status_code == 200
    assert not [line for line in home.log if '"level":"error"' in line]


def test_the_session_is_bound_to_https(home: Server) -> None:
    home.create_account("ann@example.org")
    answer = requests.post(
        f"{home.base}/sign-in", data={"email": "ann@example.org", "password": PASSWORD},
        verify=str(authority(home)), timeout=SECONDS, allow_redirects=False,
    )
    assert answer.status_code == 303, answer.text
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-regimen=")
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    # A year of HSTS would outlive the authority, and apply to every other port of this machine.
    assert "Strict-Transport-Security" not in answer.headers
    secret = cookie.split(";")[0].split("=", 1)[1]
    today = get(home, "/", headers={"Cookie": f"__Host-regimen={secret}"}, allow_redirects=False)
    assert today.status_code == 200
    bare = get(home, "/", headers={"Cookie": f"regimen={secret}"}, allow_redirects=False)
    assert bare.status_code == 303


def test_invitations_lead_where_a_phone_gets(home: Server) -> None:
    address = home.invite("ben@example.org")
    assert address.startswith("https://") and "0.0.0.0" not in address
    answer = requests.get(address, verify=str(authority(home)), timeout=SECONDS)
    assert answer.status_code == 200


def test_what_is_printed_is_what_is_served(home: Server) -> None:
    der = get(home, "/trust/authority.crt").content
    assert ssl.DER_cert_to_PEM_cert(der).strip() == authority(home).read_text().strip()
    printed = FINGERPRINT.findall("\n".join(home.output))
    assert [p.replace(":", "").lower() for p in printed] == [hashlib.sha256(der).hexdigest()]
    assert any(line.endswith("/trust") for line in home.output)
    assert not any("█" in line for line in home.output), "a picture in a log"
    profile = get(home, "/trust/authority.mobileconfig")
    assert profile.headers["Content-Type"] == "application/x-apple-aspen-config"


def test_the_files_are_for_their_owner_alone(home: Server) -> None:
    files = sorted(home.data.glob("home-*"))
    assert len(files) == 4
    assert all(stat.S_IMODE(f.stat().st_mode) == 0o600 for f in files)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_holds(headless_browser: Browser, home: Server, language: str, scheme: str) -> None:
    context = new_context(
        headless_browser, home.base, language, scheme, PHONE, ignore_https_errors=True
    )
    page, listener = context.new_page(), Listener()
    listener.attach(page)
    page.goto("/trust")
    for summary in page.locator("summary").all():
        summary.click()
    found = listener.take()
    found += structure_problems(page) + text_problems(page, language, message_key_pattern())
    found += narrow_problems(page, PHONE)
    # Structure and colours are the same in every language.
    if language in ("en", "th"):
        found += axe_problems(page)
    screenshot(page, f"{language}-{scheme}-phone", "trust")
    context.close()
    assert found == []


@pytest.mark.skipif(not shutil.which("certutil"), reason="libnss3-tools is not here")
def test_chromium_that_trusts_the_authority_runs_the_app(
    browser: Browser, home: Server, tmp_path: Path
) -> None:
    store = tmp_path / ".pki/nssdb"
    store.mkdir(parents=True)
    for step in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "home", "-i", str(authority(home))]):
        subprocess.run(["certutil", "-d", f"sql:{store}", *step], check=True, timeout=SECONDS)
    home.create_account("eve@example.org")
    trusting_browser = browser.browser_type.launch(
        executable_path=chromium(), args=["--no-sandbox"],
        env=dict(os.environ) | {"HOME": str(tmp_path)},
    )
    # No certificate exceptions here: the browser itself must accept it.
    context = new_context(trusting_browser, home.base, size=PHONE)
    page = context.new_page()
    page.goto("/sign-in")
    page.fill("input[name=email]", "eve@example.org")
    page.fill("input[name=password]", PASSWORD)
    page.click("form[action='/sign-in'] button[type=submit]")
    page.wait_for_url("**/")
    assert page.evaluate("isSecureContext && 'PushManager' in window")
    wait_for_worker(page)
    scope = page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.scope)")
    assert scope == f"{home.base}/"
    assert {c["name"] for c in context.cookies() if c["httpOnly"] and c["secure"]} >= {"__Host-regimen"}
    trusting_browser.close()


def test_a_restart_keeps_authority_and_certificate(own_server: Callable[..., Server]) -> None:
    server = own_server(options=LOOPBACK).start()
    before = (authority(server).read_bytes(), served(server))
    server.restart()
    assert (authority(server).read_bytes(), served(server)) == before


def test_the_certificate_is_made_anew_a_year_later(own_server: Callable[..., Server]) -> None:
    server = own_server(options=LOOPBACK).start()
    trusted, before = authority(server).read_bytes(), served(server)
    server.restart(later=370 * 86_400)
    assert authority(server).read_bytes() == trusted
    assert served(server) != before
    server.stop()
    server.clock_offset += 3300 * 86_400
    with pytest.raises(ServerError, match="(?s)ended with 1 at the start.*authority.*expired on"):
        server.start()
    assert authority(server).read_bytes() == trusted


def test_the_variable_and_the_public_name(own_server: Callable[..., Server]) -> None:
    server = own_server(
        clock_offset=0, options=("--host", "127.0.0.1"),
        environment={"REGIMEN_HOME": "true", "REGIMEN_PUBLIC_URL": "https://med.example.org"},
    ).start()
    handshake(server, "med.example.org").close()
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(server, "example.org")
    assert any("https://med.example.org/trust" in line for line in server.output)
    server.stop()
    server.environment["REGIMEN_PUBLIC_URL"] = "https://other.example.org"
    with pytest.raises(ServerError, match="(?s)ended with 1 at the start.*may not vouch"):
        server.start()
    server.environment["REGIMEN_HOME"] = "perhaps"
    with pytest.raises(ServerError, match="ended with 2 at the start"):
        server.start()


def test_a_key_that_others_can_read_is_refused(own_server: Callable[..., Server]) -> None:
    server = own_server(options=LOOPBACK).start()
    server.stop()
    (server.data / "home-authority.key").chmod(0o644)
    with pytest.raises(ServerError, match="(?s)ended with 1 at the start.*0600"):
        server.start()


def test_a_terminal_shows_the_address_as_a_picture(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [str(binary()), "serve", *LOOPBACK, "--port", "0", "--data", str(tmp_path / "data")],
        stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.DEVNULL,
    )
    os.close(follower)
    shown, deadline = b"", time.monotonic() + 60
    try:
        while b"Setup code" not in shown and time.monotonic() < deadline:
            if select.select([leader], [], [], 1)[0]:
                shown += os.read(leader, 65_536)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
        os.close(leader)
    text = shown.decode()
    assert FINGERPRINT.search(text) and "/trust" in text
    assert len([line for line in text.splitlines() if "█" in line]) > 10

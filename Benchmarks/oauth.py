# SPDX-License-Identifier: Apache-2.0
"""The token endpoint: tokens a second by two grants, and how long others wait meanwhile.

Apps of people renew their tokens, each connection with its own chain of refresh tokens. A backend service asks
with assertions that it signed before, because signing takes longer than the check. Others read Today and a
prescription, one request after the other, first alone and then while 8 connections ask for tokens; the bare
route shows what the load does to this machine anyway, which generator and server share.
"""
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from household import READER, Client, Server, furnish_reader, sign_in
from load import CONNECTIONS, SECONDS, Figure, wrk
from harness.session import Session
from harness.smart import REDIRECT, App, Signer, agree

TOKEN = "/oauth/token"
SCOPE = "system/Patient.rs"
# Each connection needs a chain, and wrk drops one when it looks at the script.
CHAINS = 2 * CONNECTIONS
# The seconds of each measurement of others, and those of the load around it.
OTHERS = min(SECONDS, 5)
AROUND = OTHERS + 2
# More assertions a second than two processors can check.
ASSERTIONS = 1_500

# Prepares a run of some seconds.
Load = Callable[[int], Callable[[], Figure]]


def checked(name: str, figure: Figure) -> Figure:
    if figure.errors:
        raise SystemExit(f"bench: {figure.errors} requests of {name} failed")
    return figure


@dataclass
class Grants:
    """Asks for tokens by refresh tokens and by signed assertions, with new ones for each run."""

    server: Server
    folder: Path
    person: Session
    app: App
    signer: Signer
    service: App
    # The assertions that a run needs in each second.
    pace: float = ASSERTIONS

    @classmethod
    def prepare(cls, server: Server, folder: Path) -> "Grants":
        signer = Signer()
        keys = folder / "oauth-keys.json"
        keys.write_text(json.dumps(signer.key_set))
        service = App(
            server, "--kind=backend", f"--account={READER}", f"--jwks={keys}", scopes=SCOPE)
        person = Session.by_invitation(server, "person@example.org")
        return cls(server, folder, person, App(server, f"--redirect={REDIRECT}"), signer, service)

    def refresh(self, seconds: int) -> Callable[[], Figure]:
        """Returns a run with chains of its own: nobody knows the last tokens of an earlier one."""
        tokens = self.folder / "oauth-tokens"
        chains = [self.app.exchange(agree(self.person, self.app)["code"]).json() for _ in range(CHAINS)]
        tokens.write_text("".join(f"{one['refresh_token']}\n" for one in chains))
        return lambda: checked("refresh tokens", wrk(
            self.server, TOKEN, "oauth_refresh.lua", seconds=seconds, client=self.app.id, tokens=str(tokens)))

    def assertions(self, seconds: int) -> Callable[[], Figure]:
        """Returns a run with enough new assertions: each is valid for a few minutes and works once."""
        forms = self.folder / "oauth-forms"
        fields = {"grant_type": "client_credentials", "scope": SCOPE}
        with forms.open("w") as file:
            for _ in range(int(seconds * self.pace)):
                file.write(urlencode(fields | self.signer.assertion(self.service)) + "\n")

        def run() -> Figure:
            figure = checked("assertions", wrk(self.server, TOKEN, "forms.lua", seconds=seconds, forms=str(forms)))
            # The next run signs little more than this one used.
            self.pace = min(ASSERTIONS, 1.5 * figure.rate)
            return figure

        return run


def measure(folder: Path) -> list[str]:
    server = Server(folder / "oauth", clock_offset=0)
    server.create_account(READER)
    server.start()
    patient, token = furnish_reader(server)
    found = Client(server, token).json("GET", f"/fhir/MedicationRequest?patient={patient}")
    one = found["entry"][0]["resource"]["id"]
    reads: list[tuple[str, str, dict[str, str]]] = [
        ("bare route", "/robots.txt", {}),
        ("Today page", "/", {"cookie": sign_in(server, READER)}),
        ("FHIR read", f"/fhir/MedicationRequest/{one}",
         {"authorization": f"Bearer {token}", "accept": "application/fhir+json"}),
    ]
    grants = Grants.prepare(server, folder)
    loads: list[tuple[str, Load]] = [
        ("refresh with rotation", grants.refresh), ("backend, ES384", grants.assertions),
    ]
    wrk(server, "/robots.txt", seconds=1)
    bare = wrk(server, "/robots.txt")
    lines = [f"token endpoint, {CONNECTIONS} connections, {SECONDS} s each (bare route {bare.rate:.0f} per s, "
             f"p50 {bare.p50:.2f} ms, p99 {bare.p99:.2f} ms):"]
    for name, load in loads:
        load(1)()
        figure = load(SECONDS)()
        lines.append(f"  {name:24} {figure.rate:8.0f} per s  p50 {figure.p50:6.2f} ms  p99 {figure.p99:6.2f} ms  "
                     f"ratio {figure.rate / bare.rate:.3f}")
    lines.append("  others meanwhile, one request after the other (p99 aim 25 ms):")
    for name, path, headers in reads:
        def read() -> Figure:
            return checked(name, wrk(server, path, seconds=OTHERS, connections=1, **headers))

        read()
        lines.append(f"    {name:22} " + "   ".join(
            f"{when} p50 {figure.p50:6.2f} p99 {figure.p99:6.2f} ms"
            for when, figure in [("alone", read())] + [(f"beside {what}", beside(load, read)) for what, load in loads]
        ))
    server.stop()
    return lines


def beside(load: Load, read: Callable[[], Figure]) -> Figure:
    """Reads while the load runs, whose tokens and assertions are made before."""
    run = load(AROUND)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run)
        time.sleep(1)
        figure = read()
        if running.done():
            raise SystemExit("bench: the load ended before the reads")
        running.result()
    return figure

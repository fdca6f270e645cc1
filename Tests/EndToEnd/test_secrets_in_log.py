# SPDX-License-Identifier: Apache-2.0
"""No secret that is configured, typed or issued appears in the log, at any level."""
import base64
import json
import os
import re
import secrets
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests

from harness.gateway_receiver import ACCOUNT, GatewayReceiver
from harness.hospital import Hospital, prescription
from harness.one_time_code import code
from harness.ringing import eventually
from harness.server import PASSWORD, Server, binary
from harness.session import Session

ORDER = ("trace", "debug", "info", "notice", "warning", "error", "critical")
# The level only drops lines: no code in Sources reads it, so each level's lines are also written at "trace".
# The default level and a higher one are enough to check that levels take effect.
LEVELS = ("trace", "info", "error")


def canary(name: str) -> str:
    return f"canary{name}{secrets.token_hex(8)}"


def assert_clean(lines: list[str], canaries: dict[str, str]) -> None:
    log = "\n".join(lines)
    found = []
    for name, text in canaries.items():
        forms = (text, base64.b64encode(text.encode()).decode().rstrip("="), ", ".join(map(str, text.encode()[:12])))
        found += [f"{name} as {form}" for form in forms if form.lower() in log.lower()]
    assert found == [], f"in the log: {found}"


@pytest.fixture
def settings(tmp_path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Returns variables for every setting that takes a secret, with a canary in each, and the canaries by
    name."""
    names = (
        "oidc", "facebook", "gateway", "signing", "bottoken", "bot", "alive", "passphrase", "file", "mqtt",
    )
    canaries = {name: canary(name) for name in names}
    phrase, folder = tmp_path / "phrase", tmp_path / "backups"
    phrase.write_text(canaries["passphrase"] + "\n")
    folder.mkdir()
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"regimen": {"oidc": {"town": {"client": {"secret": canaries["file"]}}}}}))
    return {
        "REGIMEN_OIDC_PROVIDERS": "city,facebook,town",
        "REGIMEN_OIDC_CITY_ISSUER": "https://id.example.org", "REGIMEN_OIDC_CITY_CLIENT_ID": "regimen",
        "REGIMEN_OIDC_CITY_CLIENT_SECRET": canaries["oidc"],
        "REGIMEN_OIDC_TOWN_ISSUER": "https://id.example.net", "REGIMEN_OIDC_TOWN_CLIENT_ID": "regimen",
        "REGIMEN_OIDC_FACEBOOK_CLIENT_ID": "1", "REGIMEN_OIDC_FACEBOOK_CLIENT_SECRET": canaries["facebook"],
        "REGIMEN_GATEWAY_KIND": "twilio", "REGIMEN_GATEWAY_ACCOUNT": ACCOUNT, "REGIMEN_GATEWAY_FROM": "+15005550006",
        "REGIMEN_GATEWAY_SECRET": canaries["gateway"], "REGIMEN_GATEWAY_SIGNING": canaries["signing"],
        "REGIMEN_CHAT_KIND": "telegram", "REGIMEN_CHAT_NAME": "pill_bot", "REGIMEN_CHAT_TOKEN": canaries["bottoken"],
        "REGIMEN_CHAT_SECRET": canaries["bot"],
        "REGIMEN_MQTT_URL": "mqtt://127.0.0.1:9", "REGIMEN_MQTT_USER": "regimen",
        "REGIMEN_MQTT_PASSWORD": canaries["mqtt"],
        "REGIMEN_ALIVE_URL": f"http://127.0.0.1:9/ping/{canaries['alive']}",
        "REGIMEN_BACKUP_FOLDER": str(folder), "REGIMEN_BACKUP_PASSPHRASE_FILE": str(phrase),
        "CONFIG": str(config),
    }, canaries


@pytest.mark.parametrize("level", LEVELS)
def test_no_secret_stands_in_the_log(
    own_server: Callable[..., Server], settings: tuple[dict[str, str], dict[str, str]], level: str,
    tmp_path: Path,
) -> None:
    environment, canaries = settings
    # A file, because the harness looks for the address in lines that a higher level drops.
    log = tmp_path / "log"
    receiver, hospital = GatewayReceiver(), Hospital()
    server = own_server(
        environment={k: v for k, v in environment.items() if k != "CONFIG"} | {
            "REGIMEN_LOG_LEVEL": level, "REGIMEN_OUTBOUND_HOSTS": f"{receiver.host},{hospital.host}",
            "REGIMEN_GATEWAY_URL": receiver.base, "REGIMEN_NTFY_URL": receiver.base,
            "REGIMEN_PUSH_HOSTS": "127.0.0.1:9",
            # The folder does not exist, which causes an error line at every level.
            "REGIMEN_AUDIT_ANCHORS_FILE": str(tmp_path / "none" / "anchors"),
        },
        options=("--host", "127.0.0.1", "--config", environment["CONFIG"]), log_to=log,
    ).start()
    try:
        ann = exercise(server, receiver, canaries)
        use_links(server, ann, canaries)
        use_hospital(ann, hospital, canaries)
        use_code_app(server, ann, canaries)
    finally:
        receiver.close()
        hospital.close()
    for key in json.loads((server.data / "keys.json").read_text())["keys"]:
        canaries |= {f"key {name}": value for name, value in key.items() if len(str(value)) > 20}
    server.stop()
    lines = log.read_text().splitlines()
    written = {json.loads(line)["level"] for line in lines if line.startswith("{")}
    # The level took effect, and there are lines to check.
    assert level in written, lines[-30:]
    assert min(map(ORDER.index, written)) == ORDER.index(level), written
    assert_clean(lines, canaries)


def exercise(server: Server, receiver: GatewayReceiver, canaries: dict[str, str]) -> Session:
    """Uses secrets as people and the server do, and adds new ones to the canaries; returns the session."""
    email = "ann@example.org"
    link = server.invite(email)
    canaries["invitation"] = urlsplit(link).path.rsplit("/", 1)[-1]
    canaries["password"], canaries["setup code"] = PASSWORD, server.setup_code()
    ann = Session(server)
    ann.submit(urlsplit(link).path, "password", password=PASSWORD)
    canaries["session"] = ann.own.cookies["regimen"]
    token = server.create_token(email)
    canaries["token"] = token
    api = server.api(token)
    # A webhook whose host does not exist, and one that answers.
    canaries["webhook secret"] = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
    canaries["webhook host"], canaries["webhook path"] = canary("host"), canary("path")
    canaries["ntfy topic"], canaries["home token"] = canary("topic"), canary("home")
    for address in (f"https://{canaries['webhook host']}.example/{canaries['webhook path']}",
                    f"{receiver.base}/in/{canaries['webhook path']}"):
        ann.submit("/device/add/webhook", "server", server=address, secret=canaries["webhook secret"])
    ann.submit("/device/ntfy", "server", topic=canaries["ntfy topic"], token=canaries["home token"])
    ann.submit("/device/add/home-assistant-notify", "server", server=receiver.base, name="mobile_app_phone",
               secret=canaries["home token"])
    canaries["push secret"] = base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")
    canaries["push path"] = canary("push")
    api.post("/api/v1/push-subscriptions", {
        "endpoint": f"http://127.0.0.1:9/{canaries['push path']}",
        "keys": {"auth": canaries["push secret"],
                 "p256dh": "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"},
    })
    canaries["medicine"] = canary("medicine")
    plan = api.add_plan(api.events(0.02), name=canaries["medicine"])
    assert api.doses(plan=plan["id"])
    # Invalid requests, each containing a secret.
    canaries["wrong password"], canaries["wrong token"] = canary("wrong"), canary("rgt")
    requests.post(f"{server.base}/sign-in", data={"email": email, "password": canaries["wrong password"]}, timeout=60)
    requests.get(f"{server.base}/api/v1/me", headers={"Authorization": f"Bearer {canaries['wrong token']}"}, timeout=60)
    canaries["query"] = canary("query")
    for path in ("/sign-in/with/city", "/sign-in/with/facebook", "/invitation/rgi_none", "/nothing-here"):
        ann.get(f"{path}?code={canaries['query']}")
    requests.post(f"{server.base}/api/v1/administrations", data=f"{{{canaries['query']}", timeout=60)
    server.command("token", "create", "--account", email, "--scope", "user/*.cruds")
    server.command("verify")
    return ann


def sent(session: Session, page: str, action: str, **values: str) -> str:
    """Posts the form with this address on a page; returns the page that shows the result."""
    form = session.form(page, action=action)
    response = session.request("POST", form.action, data=form.fields | values)
    if response.status_code == 303:
        response = session.get(response.headers["Location"].split("#")[0])
    assert response.status_code == 200, f"{page}: {response.status_code} {response.text[:2000]}"
    return response.text


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, f"no {pattern} in {text[:3000]}"
    return match[1]


def use_links(server: Server, ann: Session, canaries: dict[str, str]) -> None:
    """Creates and opens every kind of link that works without a sign-in, and a phone's token."""
    links = {
        "report": found(r"/shared-report/([\w-]+)", sent(ann, "/report", "/report/links", ends="1")),
        "calendar": found(r"/calendar/(rgc_[\w-]+)", sent(ann, "/calendar", "/calendar", do="make")),
        "widget": found(r"/widget/(rgw_[\w-]+)", sent(ann, "/widgets", "/widgets")),
        "glance": found(r"/glance/(rgg_[\w-]+)", sent(ann, "/heart-rate/monitoring/settings", "/heart-rate/monitoring/glance")),
    }
    card = sent(ann, "/emergency-card", "/emergency-card", days="30")
    links["emergency card"] = found(r"/emergency-card/open/([\w-]+)", card)
    canaries["emergency code"] = found(r'class="fingerprint" translate="no">(\w+)<', card)
    canaries["phone token"] = found(r"Bearer (\w[\w-]+)<", sent(ann, "/heart-rate/phone", "/heart-rate/phone"))
    canaries |= {f"{name} link": secret for name, secret in links.items()}
    shared, feed = f"/shared-report/{links['report']}", f"/calendar/{links['calendar']}.ics"
    for path in (shared, feed, f"/glance/{links['glance']}", f"/widget/{links['widget']}"):
        assert requests.get(server.base + path, timeout=60).status_code == 200, path
    for typed in ("222222", canaries["emergency code"]):
        opened = requests.post(
            f"{server.base}/emergency-card/open/{links['emergency card']}", data={"code": typed}, timeout=60)
        assert opened.status_code < 500
    refused = requests.get(
        f"{server.base}/api/v1/me", headers={"Authorization": f"Bearer {canaries['phone token']}"}, timeout=60)
    assert refused.status_code in (401, 403, 404)


def use_hospital(ann: Session, hospital: Hospital, canaries: dict[str, str]) -> None:
    """Connects a hospital by a token, and another one by signing in there."""
    hospital.put(prescription("1"))
    new = "/hospitals/new"
    canaries |= {name: canary("hospital") for name in ("hospital token", "hospital access", "hospital refresh")}
    # A server that requires no token accepts any.
    for access in ("token", "smart"):
        hospital.signs_in = access == "smart"
        fields = ann.form(new, names=("address",)).fields | {"address": hospital.base, "access": access}
        fields |= {"token": canaries["hospital token"]} if access == "token" else {"client": "regimen"}
        made = ann.request("POST", "/hospitals", data=fields)
        assert made.status_code == 303, made.text[-2000:]
        place = made.headers["Location"].removesuffix("/person")
    hospital.once("/token", 200, {
        "access_token": canaries["hospital access"], "refresh_token": canaries["hospital refresh"],
        "token_type": "Bearer", "expires_in": 3600, "patient": "p1", "scope": "patient/*.read",
    })
    away = ann.get(f"{place}/sign-in").headers["Location"]
    back = ann.own.get(away, allow_redirects=False, timeout=60).headers["Location"].removeprefix(ann.server.base)
    assert ann.get(back).status_code == 303
    eventually(lambda: hospital.asked("GET", "MedicationRequest"))


def use_code_app(server: Server, ann: Session, canaries: dict[str, str]) -> None:
    """Sets up an authenticator app, which also creates recovery codes."""
    page = ann.get("/account/security/codes").text
    seed = found(r'class="fingerprint break-anywhere" translate="no">([^<]+)<', page)
    canaries["code app as typed"], canaries["code app"] = seed, "".join(seed.split())
    # The form contains the seed of its own page.
    offer = found(r'name="offer" value="([^"]+)"', page)
    fields = ann.form("/account/security/codes", names=("offer", "code")).fields
    done = ann.request("POST", "/account/security/codes", data=fields | {
        "offer": offer, "code": code(canaries["code app"], server.api("none").now().timestamp())})
    assert done.status_code == 200, done.text[:2000]
    canaries["recovery code"] = found(r"<li><strong>([^<]+)</strong></li>", done.text)


def test_a_database_that_cannot_be_reached_does_not_show_its_password(tmp_path: Path) -> None:
    secret = canary("database")
    for option, environment in (
        (["--database", f"postgresql://regimen:{secret}@127.0.0.1:1/regimen"], {}),
        ([], {"REGIMEN_DATABASE": f"postgresql://regimen:{secret}@127.0.0.1:1/regimen"}),
        ([], {"REGIMEN_DATABASE": f"mysql://regimen:{secret}@127.0.0.1:1/regimen"}),
    ):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("REGIMEN_")}
        ended = subprocess.run(
            [str(binary()), "serve", "--port", "0", "--data", str(tmp_path / "data"), *option],
            capture_output=True, text=True, timeout=120, env=clean | {"REGIMEN_LOG_LEVEL": "trace"} | environment)
        assert ended.returncode != 0
        assert_clean([ended.stdout, ended.stderr], {"password": secret})
        assert re.search("PostgreSQL|database", ended.stderr), ended.stderr

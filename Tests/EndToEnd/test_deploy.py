# SPDX-License-Identifier: Apache-2.0
"""The compose file, Caddyfile and settings file fit the program: names, address, port, folder, user."""
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import requests

from harness.packaging import described
from harness.server import REPOSITORY, Server

from distribution import oci, root

DEPLOY = REPOSITORY / "deploy"
COMPOSE = DEPLOY / "compose.yaml"
SETTINGS = REPOSITORY / "Packaging/system/regimen.conf"
DOMAIN = "medicines.example.org"


def service(name: str) -> str:
    """Returns the lines of a service in the compose file."""
    found = re.search(rf"^  {name}:\n((?:    .*\n|\n)+)", COMPOSE.read_text(encoding="utf-8"), re.MULTILINE)
    assert found, name
    return found[1]


def environment(name: str) -> dict[str, str]:
    """Returns the variables of a service, with those of the shell filled in."""
    block = re.search(r"^    environment:\n((?:      .*\n)+)", service(name), re.MULTILINE)
    assert block, name
    variables = dict(re.findall(r"^      ([A-Z_]+): (.+)$", block[1], re.MULTILINE))
    known = {"REGIMEN_DOMAIN": DOMAIN, "REGIMEN_DATABASE_PASSWORD": "secret"}
    return {
        key: re.sub(r"\$\{(\w+):\?[^}]*\}", lambda found: known[found[1]], value)
        for key, value in variables.items()}


def settings() -> set[str]:
    """Returns the variables that the docs name."""
    pages = ("run-it.md", "operate.md", "back-up.md")
    text = "".join((REPOSITORY / "docs" / name).read_text(encoding="utf-8") for name in pages)
    return set(re.findall(r"`(REGIMEN_[A-Z_]+)", text))


def test_the_files_name_only_settings_that_the_program_knows() -> None:
    serve, = [each for each in json.loads(described())["command"]["subcommands"] if each["commandName"] == "serve"]
    options = {name["name"] for argument in serve["arguments"] for name in argument.get("names", [])}
    used = environment("regimen")
    for name in used:
        option = name.removeprefix("REGIMEN_").lower().replace("_", "-")
        assert option in options, f"{name} is no option of regimen serve"
    named = set(re.findall(r"^#?(REGIMEN_[A-Z_]+)=", SETTINGS.read_text(encoding="utf-8"), re.MULTILINE))
    assert named and named <= settings(), named - settings()
    needed = set(re.findall(r"\$\{(\w+):\?", COMPOSE.read_text(encoding="utf-8")))
    example = (DEPLOY / ".env.example").read_text(encoding="utf-8")
    assert needed == set(re.findall(r"^(\w+)=", example, re.MULTILINE))


def test_the_services_fit_the_image_and_each_other() -> None:
    regimen, proxy = service("regimen"), service("proxy")
    assert f'user: "{root.USER}:{root.USER}"' in regimen and f'"data:{oci.DATA}"' in regimen
    image = oci.configuration([], "1.2.3", "0" * 40, 0, True)["config"]
    health = re.search(r"test: (\[.*\])\n", regimen)
    assert health and json.loads(health[1]) == image["Healthcheck"]["Test"]
    upstream = re.search(r"reverse_proxy (\w+):(\d+)", (DEPLOY / "Caddyfile").read_text(encoding="utf-8"))
    assert upstream and upstream[1] == "regimen" and f"{upstream[2]}/tcp" in image["ExposedPorts"]
    # The proxy's network is the one from which the program accepts requests.
    network = environment("regimen")["REGIMEN_BEHIND_PROXY"]
    assert f"config: [{{subnet: {network}}}]" in COMPOSE.read_text(encoding="utf-8")
    assert "networks: [front]" in proxy and "networks: [front, back]" in regimen
    assert environment("proxy") == {"REGIMEN_DOMAIN": DOMAIN}
    database = environment("database")
    assert environment("regimen")["REGIMEN_DATABASE"] == (
        f"postgresql://{database['POSTGRES_USER']}:{database['POSTGRES_PASSWORD']}@database/{database['POSTGRES_DB']}")


def test_the_program_starts_with_the_variables_of_the_compose_file(own_server: Callable[..., Server]) -> None:
    given = environment("regimen")
    # No container: a file instead of the database, and this machine's own address.
    del given["REGIMEN_DATABASE"]
    server = own_server(environment=given, options=(), clock_offset=0).start()
    assert server.command("health").startswith("ok")
    through = {"Host": DOMAIN, "X-Forwarded-Proto": "https"}
    # Without an account it leads to the setup.
    page = requests.get(f"{server.base}/sign-in", headers=through, timeout=10, allow_redirects=False)
    assert page.status_code == 303 and "Strict-Transport-Security" in page.headers
    other = requests.get(f"{server.base}/sign-in", headers={"Host": "other.example.org"}, timeout=10)
    assert other.status_code == 421


def test_an_engine_accepts_the_compose_file(tmp_path: Path) -> None:
    if not shutil.which("docker") or subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        pytest.skip("docker compose is not here")
    for name in ("compose.yaml", "Caddyfile"):
        shutil.copy(DEPLOY / name, tmp_path / name)
    example = (DEPLOY / ".env.example").read_text(encoding="utf-8")
    (tmp_path / ".env").write_text(re.sub(r"(PASSWORD=)$", r"\1secret", example, flags=re.MULTILINE))
    clean = {key: value for key, value in os.environ.items() if not key.startswith("REGIMEN_")}
    result = subprocess.run(
        ["docker", "compose", "config", "--quiet"], cwd=tmp_path, capture_output=True, text=True, env=clean)
    assert result.returncode == 0, result.stderr

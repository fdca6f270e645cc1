# SPDX-License-Identifier: Apache-2.0
"""The Debian packages: content, metadata, maintainer scripts, and what the scripts refuse to package."""
import gzip
import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.packaging import SmallProgram, c_compiler, described, fields, refused, script, tree_version
from harness.server import REPOSITORY

SCRIPTS = ("preinst", "postinst", "prerm", "postrm")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> SmallProgram:
    return SmallProgram(tmp_path_factory.mktemp("program")).make()


@pytest.fixture(scope="module")
def packages(program: SmallProgram, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages of a small program."""
    output = tmp_path_factory.mktemp("packages")
    result = script("package", "--output", output, REGIMEN_BINARY=program.path)
    assert result.returncode == 0, result.stderr
    return output


@pytest.fixture(scope="module")
def package(packages: Path) -> Path:
    return packages / f"regimen_{tree_version()}_amd64.deb"


@pytest.fixture(scope="module")
def tree(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked package, with its control files in DEBIAN."""
    folder = tmp_path_factory.mktemp("tree") / "files"
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(folder)], check=True)
    return folder


def test_the_package_declares_what_it_needs(package: Path) -> None:
    found = fields(package)
    assert found["Package"] == "regimen" and found["Version"] == tree_version()
    assert found["Architecture"] == "amd64" and int(found["Installed-Size"]) > 50
    for name in ("libc6", "zlib1g", "adduser", "ca-certificates", "tzdata", "debconf"):
        assert name in found["Depends"], found["Depends"]
    for name in ("libpq5", "libmosquitto1", "libpangocairo-1.0-0", "fonts-liberation", "fonts-thai-tlwg"):
        assert name in found["Recommends"]


def test_all_files_belong_to_root_and_have_the_time_of_the_commit(package: Path) -> None:
    environment = {"TZ": "UTC", "PATH": "/usr/bin:/bin:/usr/sbin"}
    listed = subprocess.run(
        ["dpkg-deb", "--contents", str(package)], capture_output=True, text=True, check=True, env=environment
    ).stdout.splitlines()
    assert {line.split()[1] for line in listed} == {"root/root"}
    assert len({" ".join(line.split()[3:5]) for line in listed}) == 1
    assert not [line for line in listed if line[5] == "w" or line[8] == "w"]


def test_settings_are_a_configuration_file_and_data_are_not_in_the_package(tree: Path) -> None:
    assert (tree / "DEBIAN/conffiles").read_text() == "/etc/regimen/regimen.conf\n"
    lines = (tree / "etc/regimen/regimen.conf").read_text().splitlines()
    assert all(not line or line.startswith("#") for line in lines)
    assert not (tree / "var").exists()


def test_the_program_is_stripped_and_its_symbols_are_found_by_its_id(
    tree: Path, packages: Path, tmp_path: Path
) -> None:
    sections = subprocess.run(
        ["readelf", "--sections", "--notes", "--wide", str(tree / "usr/bin/regimen")], capture_output=True, text=True,
        check=True).stdout
    assert ".debug_info" not in sections and ".symtab" not in sections and ".gnu_debuglink" in sections
    identity = sections.split("Build ID: ")[1].split()[0]
    symbols = packages / f"regimen-dbgsym_{tree_version()}_amd64.deb"
    assert fields(symbols)["Build-Ids"] == identity
    assert fields(symbols)["Depends"] == f"regimen (= {tree_version()})"
    subprocess.run(["dpkg-deb", "--extract", str(symbols), str(tmp_path)], check=True)
    file = tmp_path / f"usr/lib/debug/.build-id/{identity[:2]}/{identity[2:]}.debug"
    text = subprocess.run(["readelf", "--sections", "--wide", str(file)], capture_output=True, text=True).stdout
    assert ".debug_info" in text


@pytest.mark.parametrize("name", SCRIPTS)
def test_maintainer_scripts_are_plain_shell_that_stops_at_an_error(tree: Path, name: str) -> None:
    path = tree / "DEBIAN" / name
    text = path.read_text()
    assert text.startswith("#!/bin/sh\n") and "\nset -e\n" in text and path.stat().st_mode & 0o777 == 0o755
    shell = shutil.which("dash") or "/bin/sh"
    assert subprocess.run([shell, "-n", str(path)], capture_output=True, text=True).stderr == ""
    # An installation downloads nothing.
    assert not any(word in text for word in ("curl", "wget", "apt-get", "http://deb"))


def test_the_shown_checksums_are_those_of_the_files(tree: Path) -> None:
    for line in (tree / "DEBIAN/md5sums").read_text().splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.md5((tree / name).read_bytes()).hexdigest() == digest, name


def test_the_service_is_confined(tree: Path) -> None:
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        pytest.skip("systemd-analyze is not installed")
    for unit in ("regimen.service", "regimen-backup.service"):
        result = subprocess.run(
            [analyse, "security", "--offline=true", "--no-pager", "--threshold=20",
             str(tree / "lib/systemd/system" / unit)], capture_output=True, text=True, timeout=60)
        # The threshold is in tenths: an exposure above 2.0 is a failure.
        assert result.returncode == 0, result.stdout[-300:] + result.stderr


def test_the_units_are_well_formed(tree: Path, tmp_path: Path) -> None:
    analyse = shutil.which("systemd-analyze")
    if analyse is None:
        pytest.skip("systemd-analyze is not installed")
    units = []
    for unit in ("regimen.service", "regimen-backup.service", "regimen-backup.timer"):
        text = (tree / "lib/systemd/system" / unit).read_text()
        for program in ("/usr/bin/regimen", "/usr/lib/regimen/backup"):
            assert f"ExecStart={program}" not in text or (tree / program[1:]).stat().st_mode & 0o111
            # The programs are not installed here.
            text = text.replace(program, "/bin/true")
        units.append(tmp_path / unit)
        units[-1].write_text(text)
    result = subprocess.run([analyse, "verify", "--man=no", *units], capture_output=True, text=True, timeout=60)
    own = [line for line in result.stderr.splitlines() if "regimen" in line]
    assert result.returncode == 0 and not own, result.stderr


def commands(command: dict, path: str) -> Iterator[tuple[str, dict]]:
    for each in command.get("subcommands", []):
        if each.get("shouldDisplay", True):
            yield f"{path} {each['commandName']}", each
            yield from commands(each, f"{path} {each['commandName']}")


def test_the_manual_has_every_command_and_every_option(tree: Path, tmp_path: Path) -> None:
    page = gzip.decompress((tree / "usr/share/man/man1/regimen.1.gz").read_bytes()).decode()
    parts = {part.split("\n")[0].replace("\\-", "-"): part for part in page.split("\n.SS ")[1:]}
    found = dict(commands(json.loads(described())["command"], "regimen"))
    assert set(parts) == set(found) and len(found) > 20
    for path, command in found.items():
        for argument in command.get("arguments", []):
            if argument["shouldDisplay"] and argument["kind"] != "positional":
                assert "--" + argument["preferredName"]["name"] in parts[path].replace("\\-", "-"), path
    if shutil.which("man"):
        file = tmp_path / "regimen.1"
        file.write_text(page)
        shown = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(file)], capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
        assert shown.returncode == 0 and shown.stderr == ""


def test_completions_are_where_each_shell_looks(tree: Path) -> None:
    share = tree / "usr/share"
    bash = (share / "bash-completion/completions/regimen").read_text()
    assert "_regimen" in bash and not bash.startswith("#!")
    assert (share / "zsh/vendor-completions/_regimen").read_text().startswith("#compdef regimen")
    assert "regimen" in (share / "fish/vendor_completions.d/regimen.fish").read_text()


def test_licence_notices_cover_every_linked_package(tree: Path) -> None:
    text = (tree / "usr/share/doc/regimen/copyright").read_text()
    bill = json.loads((REPOSITORY / "docs/bill-of-materials.json").read_text())
    for each in bill["components"]:
        if not each["bom-ref"].startswith("pkg:deb/") and each["bom-ref"] != "swift-runtime":
            assert f"\n{each['name']} {each['version']}" in text, each["name"]
    assert "Permission is hereby granted, free of charge" in text and "UNICODE LICENSE V3" in text
    for name in ("changelog.gz", "NEWS.Debian.gz"):
        history = gzip.decompress((tree / "usr/share/doc/regimen" / name).read_bytes()).decode()
        assert history.startswith("regimen (") and "\n -- " in history


def test_the_same_program_gives_the_same_bytes(program: SmallProgram, packages: Path, tmp_path: Path) -> None:
    assert script("package", "--output", tmp_path, REGIMEN_BINARY=program.path).returncode == 0
    for each in packages.glob("*.deb"):
        assert each.read_bytes() == (tmp_path / each.name).read_bytes(), each.name


def test_lintian_finds_nothing(package: Path) -> None:
    if shutil.which("lintian") is None:
        pytest.skip("lintian is not installed; make soak installs it")
    result = subprocess.run(
        ["lintian", "--fail-on", "error,warning", "--allow-root", str(package)], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_a_half_written_program_is_refused(program: SmallProgram, tmp_path: Path) -> None:
    whole = program.path.read_bytes()
    half = tmp_path / "half"
    for size in (len(whole) - 1, len(whole) // 2, 70):
        half.write_bytes(whole[:size])
        half.chmod(0o755)
        assert "is incomplete" in refused(script("package", "--output", tmp_path, REGIMEN_BINARY=half), "package")
    half.write_text("#!/bin/sh\n")
    assert "is not a program" in refused(script("package", "--output", tmp_path, REGIMEN_BINARY=half), "package")
    assert "is not there" in refused(
        script("package", "--output", tmp_path, REGIMEN_BINARY=tmp_path / "none"), "package")
    assert not list(tmp_path.glob("*.deb"))


def test_a_program_of_another_version_is_refused(tmp_path: Path) -> None:
    other = SmallProgram(tmp_path / "other").make()
    other.say("0.0.1")
    line = refused(script("package", "--output", tmp_path, REGIMEN_BINARY=other.path), "package")
    assert "0.0.1" in line and tree_version() in line and not list(tmp_path.glob("*.deb"))


def test_a_missing_library_is_named(tmp_path: Path) -> None:
    other = SmallProgram(tmp_path / "other").make()
    (tmp_path / "empty.c").write_text("int nothing(void) { return 0; }\n")
    library, compiler = tmp_path / "libabsent.so.1", c_compiler()
    subprocess.run([compiler, "-shared", "-Wl,-soname,libabsent.so.1", "-o", library, tmp_path / "empty.c"], check=True)
    subprocess.run(
        [compiler, f'-DFOLDER="{other.folder}"', "-o", other.path, other.folder / "program.c", "-lz",
         "-Wl,--no-as-needed", library, f"-Wl,-rpath,{tmp_path}"], check=True)
    # Here it is found, but no package has it.
    line = refused(script("package", "--output", tmp_path, REGIMEN_BINARY=other.path), "package")
    assert "libabsent.so.1" in line and "--static-swift-stdlib" in line
    library.unlink()
    assert refused(script("package", "--output", tmp_path, REGIMEN_BINARY=other.path), "package")
    assert not list(tmp_path.glob("*.deb"))

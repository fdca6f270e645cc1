# SPDX-License-Identifier: Apache-2.0
"""Debian packages: the tree of files, the control data, and the archives."""
import gzip
import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import format_datetime
from pathlib import Path

from distribution import changelog, licences, manual
from distribution.common import ARCHITECTURE, NAME, ROOT, Failure, run
from distribution.program import LOADED_LATER, Stripped, libraries, owners

PACKAGING = ROOT / "Packaging"
CONFIGURATION = "etc/regimen/regimen.conf"
# Its own documentation; the rest is for readers of the source.
DOCUMENTS = ["run-it.md", "operate.md", "back-up.md", "signing-in.md", "reach-your-phone.md", "security.md"]
ALWAYS = ["adduser", "ca-certificates", "debconf (>= 0.5) | debconf-2.0", "tzdata"]
FONTS = ["fonts-liberation", "fonts-thai-tlwg"]
DESCRIPTION = """\
medicine reminders for a family or a clinic, self-hosted
 Regimen turns prescriptions, from a page or from a hospital over FHIR, into a
 schedule in plain words, rings until someone answers, and keeps what was
 taken. It is a server with a web app, and includes the tools to administer it.
 .
 Regimen is not a certified medical device and gives no medical advice."""


@dataclass(frozen=True)
class Build:
    """All that a package is made of."""

    # The program as it was built: it describes its commands.
    original: Path
    stripped: Stripped
    version: str
    time: int
    maintainer: str
    # For tests: libraries of no package are allowed, and nothing is compressed.
    quick: bool = False


def maintainer() -> str:
    """Returns the packages' maintainer: DEBFULLNAME and DEBEMAIL, else the author of the last commit."""
    name, mail = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    return f"{name} <{mail}>" if name and mail else run("git", "log", "-1", "--format=%an <%ae>", folder=ROOT).strip()


def dependencies(build: Build, folder: Path) -> str:
    """Returns the packages of the libraries that the program is linked with, in the versions it needs."""
    found = libraries(build.stripped.program)
    packages = owners(list(found.values()))
    foreign = sorted(name for name, place in found.items() if place not in packages)
    if foreign and not build.quick:
        raise Failure(
            f"The program needs {', '.join(foreign)}, which no Debian package contains. "
            "Link it with --static-swift-stdlib.")
    if foreign or shutil.which("dpkg-shlibdeps") is None:
        return ", ".join(sorted(set(packages.values())))
    # It wants to be in the folder of a source package.
    (folder / "debian").mkdir()
    (folder / "debian/control").write_text(f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: {ARCHITECTURE}\n")
    said = run("dpkg-shlibdeps", "-O", "--warnings=0", f"-e{build.stripped.program}", folder=folder)
    return said.strip().split("=", 1)[1]


def put(root: Path, place: str, content: bytes | str | Path, mode: int = 0o644) -> None:
    target = root / place
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        shutil.copyfile(content, target)
    else:
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    target.chmod(mode)


def compressed(content: str) -> bytes:
    return gzip.compress(content.encode(), 9, mtime=0)


def fill(root: Path, build: Build) -> None:
    """Writes the files that the package installs."""
    documentation = f"usr/share/doc/{NAME}"
    put(root, "usr/bin/regimen", build.stripped.program, 0o755)
    put(root, "usr/lib/regimen/backup", PACKAGING / "system/backup", 0o755)
    put(root, CONFIGURATION, PACKAGING / "system/regimen.conf")
    for unit in ("regimen.service", "regimen-backup.service", "regimen-backup.timer"):
        put(root, f"lib/systemd/system/{unit}", PACKAGING / "system" / unit)
    described = run(build.original, "--experimental-dump-help")
    put(root, "usr/share/man/man1/regimen.1.gz", compressed(manual.page(described, build.version, build.time)))
    for shell, place in {
        "bash": "bash-completion/completions/regimen", "zsh": "zsh/vendor-completions/_regimen",
        "fish": "fish/vendor_completions.d/regimen.fish",
    }.items():
        script = run(build.original, "--generate-completion-script", shell)
        # It is sourced, never run.
        put(root, f"usr/share/{place}", script.removeprefix("#!/bin/bash\n"))
    put(root, f"{documentation}/copyright", licences.copyright_file())
    news = (PACKAGING / "debian/NEWS").read_text(encoding="utf-8")
    put(root, f"{documentation}/NEWS.Debian.gz", compressed(dated(news, build)))
    own = changelog.debian(build.version, build.maintainer, build.time)
    put(root, f"{documentation}/changelog.gz", compressed(own))
    for name in DOCUMENTS:
        put(root, f"{documentation}/{name}", ROOT / "docs" / name)
    if (overrides := PACKAGING / "debian/lintian-overrides").is_file():
        put(root, f"usr/share/lintian/overrides/{NAME}", overrides)


def dated(news: str, build: Build) -> str:
    """Returns the news with a closing line for each entry, as in Debian's changelog."""
    when = format_datetime(datetime.fromtimestamp(build.time, timezone.utc))
    entries = re.split(r"\n(?=regimen \()", news.strip("\n"))
    return "\n\n".join(f"{entry.rstrip()}\n\n -- {build.maintainer}  {when}" for entry in entries) + "\n"


def control(fields: dict[str, str]) -> str:
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value)


def installed_size(root: Path) -> int:
    """Returns the size in KiB as Debian counts it: files rounded up, folders one each."""
    total = 0
    for each in root.rglob("*"):
        if "DEBIAN" not in each.parts:
            total += -(-each.stat().st_size // 1024) if each.is_file() else 1
    return total


def checksums(root: Path) -> str:
    files = sorted(each for each in root.rglob("*") if each.is_file() and "DEBIAN" not in each.parts)
    return "".join(
        f"{hashlib.md5(each.read_bytes(), usedforsecurity=False).hexdigest()}  {each.relative_to(root)}\n"
        for each in files if str(each.relative_to(root)) != CONFIGURATION)


def archive(root: Path, fields: dict[str, str], build: Build, output: Path) -> Path:
    """Writes the package of a tree; all its times are the build's."""
    fields["Installed-Size"] = str(installed_size(root))
    (root / "DEBIAN").mkdir(exist_ok=True)
    put(root, "DEBIAN/control", control(fields))
    put(root, "DEBIAN/md5sums", checksums(root))
    for each in [root, *root.rglob("*")]:
        if each.is_dir():
            each.chmod(0o755)
        os.utime(each, (build.time, build.time), follow_symlinks=False)
    output.mkdir(parents=True, exist_ok=True)
    target = output / f"{fields['Package']}_{build.version}_{ARCHITECTURE}.deb"
    # Threads change how xz cuts its blocks, and so the bytes.
    kind = ["-Znone"] if build.quick else ["-Zxz", "-z6", "--threads-max=1"]
    result = subprocess.run(
        ["dpkg-deb", "--root-owner-group", *kind, "--build", root, target], capture_output=True, text=True,
        env=os.environ | {"SOURCE_DATE_EPOCH": str(build.time)}, check=False)
    if result.returncode:
        target.unlink(missing_ok=True)
        raise Failure(f"dpkg-deb: {result.stderr.strip()}")
    return target


def package(build: Build, work: Path, output: Path) -> Path:
    """Writes the package of the program."""
    root = work / "package"
    root.mkdir()
    fill(root, build)
    for script in ("preinst", "postinst", "prerm", "postrm"):
        put(root, f"DEBIAN/{script}", PACKAGING / "debian" / script, 0o755)
    put(root, "DEBIAN/templates", PACKAGING / "debian/templates")
    put(root, "DEBIAN/conffiles", f"/{CONFIGURATION}\n")
    needs = [dependencies(build, work), *ALWAYS]
    fields = {
        "Package": NAME, "Version": build.version, "Architecture": ARCHITECTURE, "Maintainer": build.maintainer,
        "Installed-Size": "", "Depends": ", ".join(filter(None, needs)),
        "Recommends": ", ".join([*sorted(set(LOADED_LATER.values()) - {"libglib2.0-0"}), *FONTS]),
        "Suggests": "postgresql, nginx | httpd, default-mta | mail-transport-agent",
        "Section": "net", "Priority": "optional", "Description": DESCRIPTION,
    }
    return archive(root, fields, build, output)


def symbols_package(build: Build, work: Path, output: Path) -> Path:
    """Writes the package of the debug symbols, where debuggers look for them."""
    root = work / "symbols"
    root.mkdir()
    assert build.stripped.symbols is not None
    put(root, f"usr/lib/debug/{build.stripped.place}", build.stripped.symbols)
    documentation = root / "usr/share/doc"
    documentation.mkdir(parents=True)
    (documentation / f"{NAME}-dbgsym").symlink_to(NAME)
    fields = {
        "Package": f"{NAME}-dbgsym", "Source": NAME, "Version": build.version, "Auto-Built-Package": "debug-symbols",
        "Architecture": ARCHITECTURE, "Maintainer": build.maintainer, "Installed-Size": "",
        "Depends": f"{NAME} (= {build.version})", "Section": "debug", "Priority": "optional",
        "Description": f"debug symbols for {NAME}", "Build-Ids": build.stripped.build_id or "",
    }
    return archive(root, fields, build, output)

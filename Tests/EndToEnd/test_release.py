# SPDX-License-Identifier: Apache-2.0
"""The release script, in a clone of the tree: checksums, signature, notes, and what it refuses before it builds."""
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.packaging import SmallProgram, c_compiler, refused, tree_version
from harness.server import REPOSITORY


class Clone:
    """A committed copy of what the release needs, with a key of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "tree"
        self.output = folder / "output"
        for name in ("Scripts", "Packaging", "docs"):
            shutil.copytree(REPOSITORY / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copyfile(REPOSITORY / "Makefile", self.folder / "Makefile")
        (self.folder / "VERSION").write_text(f"{tree_version()}\n")
        (self.folder / ".gitignore").write_text("__pycache__/\n.build/\n")
        self.write_changelog(f"## {tree_version()} (2026-12-31)\n\n- Doses can be logged.\n")
        self.git("init", "--quiet")
        self.commit()
        self.key = folder / "key"
        self.make_key(self.key)
        self.signers = folder / "signers"
        self.signers.write_text(f"release@regimen {self.key.with_suffix('.pub').read_text()}")
        self.program = SmallProgram(folder / "program").make()

    def make_key(self, path: Path) -> None:
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", path], check=True)

    def git(self, *words: str) -> None:
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "A change")

    def write_changelog(self, sections: str) -> None:
        (self.folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{sections}")

    def release(self, *more: str, **variables: str | Path) -> "subprocess.CompletedProcess[str]":
        checkouts = os.environ.get("REGIMEN_CHECKOUTS") or REPOSITORY / ".build/checkouts"
        known = {
            "REGIMEN_BINARY": self.program.path, "REGIMEN_RELEASE_KEY": self.key,
            "REGIMEN_RELEASE_SIGNERS": self.signers, "REGIMEN_CHECKOUTS": checkouts,
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REGIMEN_")}
        return subprocess.run(
            [str(self.folder / "Scripts/release"), "--quick", "--output", str(self.output), *more],
            capture_output=True, text=True, timeout=300,
            env=kept | {name: str(value) for name, value in (known | variables).items()})

    def verify(self, *more: str | Path, folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(self.folder / "Scripts/verify-release"), str(folder or self.output), *map(str, more)],
            capture_output=True, text=True, timeout=300)

    def seal(self, folder: Path) -> None:
        """Writes new checksums and signs them, as the release does."""
        names = sorted(each.name for each in folder.iterdir() if not each.name.startswith("SHA256SUMS"))
        sums = subprocess.run(["sha256sum", *names], cwd=folder, check=True, capture_output=True).stdout
        (folder / "SHA256SUMS").write_bytes(sums)
        (folder / "SHA256SUMS.sig").unlink(missing_ok=True)
        subprocess.run(
            ["ssh-keygen", "-Y", "sign", "-q", "-f", self.key, "-n", "regimen-release", folder / "SHA256SUMS"],
            check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def check_as_a_stranger(clone: Clone, folder: Path) -> None:
    """Checks the release with the script, and copies of it that someone changed."""
    trust = ("--signers", clone.signers)
    good = clone.verify(*trust)
    assert good.returncode == 0 and "FAIL" not in good.stdout, good.stdout + good.stderr
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=clone.folder, capture_output=True, text=True, check=True).stdout.strip()
    assert f"commit {commit}, not compared" in good.stdout
    version = tree_version()
    other = folder / "other"
    clone.make_key(other)
    strangers = folder / "strangers"
    strangers.write_text(f"release@regimen {other.with_suffix('.pub').read_text()}")

    def changed(change: Callable[[Path], object], *options: str | Path, sealed: bool = False) -> str:
        copy = folder / "copy"
        shutil.copytree(clone.output, copy)
        change(copy)
        if sealed:
            clone.seal(copy)
        result = clone.verify(*(options or trust), folder=copy)
        shutil.rmtree(copy)
        assert result.returncode == 1 and "Traceback" not in result.stderr, result.stdout + result.stderr
        return result.stdout + result.stderr

    def edit(name: str, old: str, new: str) -> Callable[[Path], object]:
        return lambda copy: (copy / name).write_text((copy / name).read_text().replace(old, new))

    nothing: Callable[[Path], object] = lambda copy: None
    assert "FAIL  signature" in changed(nothing, "--signers", strangers)
    assert "names no key" in changed(nothing, "--signers", folder / "none")
    assert "must not come with the files" in changed(
        lambda copy: shutil.copy(strangers, copy / "SHA256SUMS.sig"), "--signers", folder / "copy/SHA256SUMS.sig")
    assert "unsigned" in changed(lambda copy: (copy / "SHA256SUMS.sig").unlink())
    assert "unsigned" in changed(lambda copy: (copy / "SHA256SUMS.sig").unlink(), *trust, "--unsigned")
    assert "not listed: more" in changed(lambda copy: (copy / "more").touch())
    assert "a file was changed" in changed(edit(f"regimen_{version}.changes.md", "Doses", "Bombs"))
    assert "missing" in changed(lambda copy: (copy / f"regimen_{version}.changes.md").unlink())
    assert "is not a release" in changed(lambda copy: (copy / "SHA256SUMS").unlink())
    # Parts that do not belong together, although the key vouches for all of them.
    record, bill = f"regimen_{version}.build.json", f"regimen_{version}.cdx.json"
    assert "FAIL  package: its program" in changed(edit(record, '"installed": "', '"installed": "0'), sealed=True)
    assert "FAIL  bill of materials: it describes" in changed(edit(record, '"built": "', '"built": "0'), sealed=True)
    assert "another version or commit" in changed(edit(bill, commit, "0" * 40), sealed=True)
    assert "is not JSON" in changed(edit(bill, "{", "["), sealed=True)


def test_a_release_without_a_key_says_that_it_is_unsigned(clone: Clone) -> None:
    result = clone.release("--unsigned", REGIMEN_RELEASE_KEY="")
    assert result.returncode == 0 and "UNSIGNED" in result.stderr, result.stderr
    assert not (clone.output / "SHA256SUMS.sig").exists()
    notes = (clone.output / f"regimen_{tree_version()}.changes.md").read_text()
    assert notes.startswith("This release is unsigned.\n")
    refusal = clone.verify()
    assert refusal.returncode == 1 and "FAIL  signature: this release is unsigned" in refusal.stdout
    accepted = clone.verify("--unsigned")
    assert accepted.returncode == 0 and "none, and the release says so" in accepted.stdout, accepted.stdout


def test_the_tree_names_its_version_once(tmp_path: Path) -> None:
    version = tree_version()
    assert f"REGIMEN_VERSION={version}\n" in (REPOSITORY / "deploy/.env.example").read_text()
    changes = (REPOSITORY / "CHANGELOG.md").read_text()
    assert re.findall(r"^## (\S+) \((?:unreleased|\d{4}-\d\d-\d\d)\)$", changes, re.MULTILINE)[0] == version
    for place in ("README.md", "docs/run-it.md", "deploy/compose.yaml"):
        assert version not in (REPOSITORY / place).read_text(), f"{place} would have to change with each version"


def test_a_list_of_keys_without_a_key_is_refused(clone: Clone, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("# release@regimen ssh-ed25519 AAAA\nother@regimen ssh-ed25519 AAAA\n")
    assert "names no public key" in refused(clone.release(REGIMEN_RELEASE_SIGNERS=empty), "release")
    assert not clone.output.exists()


def test_a_release_can_be_verified_and_no_changed_file_passes(clone: Clone, tmp_path: Path) -> None:
    result = clone.release()
    assert result.returncode == 0, result.stderr
    version, output = tree_version(), clone.output
    names = {line.split("  ")[1] for line in (output / "SHA256SUMS").read_text().splitlines()}
    assert names == {
        f"regimen_{version}_amd64.deb", f"regimen_{version}_amd64.oci.tar", f"regimen_{version}.cdx.json",
        f"regimen_{version}.changes.md", f"regimen_{version}.build.json"}
    check = ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"]
    assert subprocess.run(check, cwd=output, capture_output=True).returncode == 0
    verify = [
        "ssh-keygen", "-Y", "verify", "-f", clone.signers, "-I", "release@regimen", "-n", "regimen-release", "-s",
        output / "SHA256SUMS.sig"]
    sums = (output / "SHA256SUMS").read_bytes()
    assert subprocess.run(verify, input=sums, capture_output=True).returncode == 0
    assert subprocess.run(verify, input=sums.replace(b"a", b"b"), capture_output=True).returncode != 0
    assert (output / f"regimen_{version}.changes.md").read_text() == "- Doses can be logged.\n"

    bill = json.loads((output / f"regimen_{version}.cdx.json").read_text())
    described = bill["metadata"]["component"]
    assert described["version"] == version
    assert described["hashes"][0]["content"] == hashlib.sha256(clone.program.path.read_bytes()).hexdigest()
    scopes = {each["name"]: each["scope"] for each in bill["components"]}
    # The small program is linked with zlib and with no Swift package.
    assert scopes["zlib1g"] == "required" and scopes["swift-nio"] == "excluded" and scopes["libpq5"] == "optional"
    check_as_a_stranger(clone, tmp_path)
    (output / f"regimen_{version}_amd64.deb").write_bytes(b"changed")
    assert subprocess.run(check, cwd=output, capture_output=True).returncode != 0


def test_a_tree_with_changes_is_refused(clone: Clone) -> None:
    (clone.folder / "docs/new.md").write_text("new\n")
    assert "docs/new.md" in refused(clone.release(), "release")
    assert not clone.output.exists()


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ("## 0.0.1 (2026-01-01)\n\n- Old.\n", "has no section"),
        ("## {version} (unreleased)\n\n- New.\n", "its date"),
        ("## {version} (2026-12-31)\n\n## 0.0.1 (2026-01-01)\n\n- Old.\n", "is empty"),
    ],
)
def test_a_version_without_release_notes_is_refused(clone: Clone, sections: str, said: str) -> None:
    clone.write_changelog(sections.format(version=tree_version()))
    clone.commit()
    line = refused(clone.release(), "release")
    assert said in line and tree_version() in line and not clone.output.exists()


@pytest.mark.parametrize("text", ["", "next\n", "1.2\n", "1.2.3; rm\n"])
def test_a_wrong_version_is_refused(clone: Clone, text: str) -> None:
    (clone.folder / "VERSION").write_text(text)
    clone.commit()
    assert "VERSION" in refused(clone.release(), "release")


def test_a_missing_or_wrong_key_is_refused(clone: Clone, tmp_path: Path) -> None:
    assert "REGIMEN_RELEASE_KEY=FILE" in refused(clone.release(REGIMEN_RELEASE_KEY=""), "release")
    assert "is not there" in refused(clone.release(REGIMEN_RELEASE_KEY=tmp_path / "none"), "release")
    assert "release@regimen" in refused(clone.release(REGIMEN_RELEASE_SIGNERS=tmp_path / "none"), "release")
    assert not clone.output.exists()


def test_a_key_that_users_do_not_trust_leaves_no_signature(tmp_path: Path) -> None:
    from distribution import signature
    from distribution.common import Failure

    keys = {}
    for name in ("trusted", "other"):
        keys[name] = tmp_path / name
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys[name]], check=True)
    signers = tmp_path / "signers"
    signers.write_text(f"release@regimen {keys['trusted'].with_suffix('.pub').read_text()}")
    (tmp_path / "file").write_text("content")
    sums = signature.checksums(tmp_path, [tmp_path / "file"])
    with pytest.raises(Failure, match="wrong key"):
        signature.sign(sums, keys["other"], signers)
    assert not sums.with_name("SHA256SUMS.sig").exists()
    keys["other"].write_text("no key\n")
    with pytest.raises(Failure, match="cannot sign"):
        signature.sign(sums, keys["other"], signers)
    assert signature.is_valid(sums, signers) is False
    assert signature.sign(sums, keys["trusted"], signers).is_file() and signature.is_valid(sums, signers)


def test_a_program_of_another_commit_or_half_of_one_is_refused(clone: Clone) -> None:
    clone.program.path.write_bytes(clone.program.path.read_bytes()[:500])
    assert "is incomplete" in refused(clone.release(), "release")
    clone.program.make()
    clone.program.say(f"{tree_version()} (fedcba987654)")
    assert "built from" in refused(clone.release(), "release")


def test_builds_that_differ_are_told_by_section(tmp_path: Path) -> None:
    from distribution import compare
    from distribution.common import Failure

    programs = []
    for text in ("one", "two"):
        (tmp_path / "program.c").write_text(f'#include <stdio.h>\nint main(void) {{ return puts("{text}"); }}\n')
        programs.append(tmp_path / text)
        subprocess.run([c_compiler(), "-Wl,--build-id=none", "-o", programs[-1], tmp_path / "program.c"], check=True)
    compare.require_same(programs[0], programs[0])
    assert compare.differing_sections(*programs) == [".rodata"]
    with pytest.raises(Failure, match=r"\.rodata"):
        compare.require_same(*programs)

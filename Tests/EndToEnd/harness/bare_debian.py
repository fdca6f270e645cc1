# SPDX-License-Identifier: Apache-2.0
"""A minimal Debian 12 in a folder, in which the package is installed."""
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class BareDebian:
    """A minimal Debian 12 in a folder, in which commands are run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        # Packages of the base system only; apt fetches what the package declares.
        subprocess.run(["mmdebstrap", "--variant=apt", "--mode=root", "bookworm", root], check=True, timeout=1800)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        # A path of the host leads to the same file inside, so that the harness can name one path for both.
        inside = root / str(root).lstrip("/")
        inside.parent.mkdir(parents=True, exist_ok=True)
        inside.symlink_to("/")
        # The program reads its own command line there.
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        self.run("apt-get", "update", "--quiet")

    def close(self) -> None:
        subprocess.run(["umount", self.root / "proc"], check=False)
        if not (self.root / "proc").is_mount():
            shutil.rmtree(self.root)

    def run(self, *words: str, user: str = "root", check: bool = True, stdin: str = "") -> str:
        """Returns standard output and error of a command inside."""
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        result = subprocess.run(
            ["chroot", f"--userspec={user}", str(self.root), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            input=stdin, text=True, timeout=1200, env=environment)
        assert not check or result.returncode == 0, f"{words}: {result.returncode} {result.stdout}"
        return result.stdout

    def install(self, package: Path) -> str:
        shutil.copy(package, self.root / "tmp" / package.name)
        return self.run("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", f"/tmp/{package.name}")


@contextmanager
def bare_debian() -> Iterator[BareDebian]:
    """Makes one for a test, and removes it afterwards."""
    made = BareDebian(Path(subprocess.check_output(["mktemp", "-d", "/tmp/regimen-debian-XXXXXX"], text=True).strip()))
    # Every user must be able to enter it.
    made.root.chmod(0o755)
    try:
        yield made
    finally:
        made.close()

# SPDX-License-Identifier: Apache-2.0
"""The image's root file system: the program, the libraries it needs, and the data they read."""
from pathlib import Path

from distribution.common import Failure, run
from distribution.layer import Layer
from distribution.program import libraries, loaded_later, owners

# A number, so that an engine can tell that it is not root.
USER = 65532
LIBRARIES = "usr/lib/x86_64-linux-gnu"
LOADER = "ld-linux-x86-64.so.2"
FONTS = ("/usr/share/fonts/truetype/liberation", "/usr/share/fonts/truetype/tlwg")
ZONES = Path("/usr/share/zoneinfo")
# The same zones again, in the old way and with leap seconds.
OTHER_ZONES = {"posix", "right"}
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
THAI = Path("/usr/share/libthai/thbrk.tri")
FONT_SETTINGS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <cachedir>/tmp/fontconfig</cachedir>
</fontconfig>
"""
# Debian packages whose files are copied, needed here too.
NEEDED = [
    "ca-certificates", "tzdata", "fonts-liberation", "fonts-thai-tlwg", "libpangocairo-1.0-0", "libpq5",
    "libmosquitto1", "libthai-data",
]


def base(program: Path) -> Layer:
    """Returns everything except the program."""
    layer = Layer()
    for name in ("lib", "lib64"):
        layer.link(name, f"usr/{name}")
    layer.folder("tmp", 0o1777)
    for name in ("dev", "proc", "sys", "run"):
        layer.folder(name)
    layer.folder("var/lib/regimen", 0o700, USER)
    accounts = ["root:x:0:0:root:/:/nonexistent", f"regimen:x:{USER}:{USER}::/var/lib/regimen:/nonexistent"]
    layer.file("etc/passwd", "".join(f"{each}\n" for each in accounts))
    layer.file("etc/group", f"root:x:0:\nregimen:x:{USER}:\n")
    layer.file("etc/nsswitch.conf", "hosts: files dns\n")
    layer.file("etc/fonts/fonts.conf", FONT_SETTINGS)
    layer.link("etc/localtime", "/usr/share/zoneinfo/Etc/UTC")
    sources = add_libraries(layer, program) + add_data(layer)
    add_packages(layer, sources)
    return layer


def add_libraries(layer: Layer, program: Path) -> list[Path]:
    """Adds the shared libraries; each gets the name by which it is looked up."""
    later = loaded_later()
    found = libraries(program, *later) | {each.name: each for each in later}
    for name, place in sorted(found.items()):
        if name == LOADER:
            path = f"usr/lib64/{LOADER}"
        elif str(place).startswith(("/lib/", "/usr/lib/")):
            path = f"{LIBRARIES}/{name}"
        else:
            # The program names the folder itself.
            path = str(place).lstrip("/")
        layer.file(path, place.resolve(), 0o755)
    return list(found.values())


def add_data(layer: Layer) -> list[Path]:
    """Adds time zones, certificates and fonts, and returns the files."""
    found = [CERTIFICATES, THAI]
    for folder in (ZONES, *map(Path, FONTS)):
        found += [each for each in sorted(folder.rglob("*")) if each.is_file()]
    found = [each for each in found if not OTHER_ZONES & set(each.parts)]
    for each in found:
        if not each.is_file():
            raise Failure(f"{each} is missing. Install: {' '.join(NEEDED)}")
        layer.file(str(each).lstrip("/"), each.resolve())
    if not any(each.suffix == ".ttf" for each in found):
        raise Failure(f"There are no fonts in {' and '.join(FONTS)}.")
    return found


def add_packages(layer: Layer, files: list[Path]) -> None:
    """Adds the licence notices of Debian's packages, and their versions where scanners look."""
    # Zones of one folder belong to one package; libraries and fonts share a folder.
    asked = {each if ".so" in each.name or each.suffix == ".ttf" else each.parent: each for each in files}
    packages = {"ca-certificates", *owners(list(asked.values())).values()}
    listed = run("dpkg-query", "--status", *sorted(packages)).strip().split("\n\n")
    for entry in listed:
        name = entry.split("\n", 1)[0].removeprefix("Package: ")
        layer.file(f"var/lib/dpkg/status.d/{name}", f"{entry}\n")
        notice = Path(f"/usr/share/doc/{name}/copyright").resolve()
        if not notice.is_file():
            raise Failure(f"{notice} is missing: the image must contain the licence notices.")
        layer.file(f"usr/share/doc/{name}/copyright", notice)

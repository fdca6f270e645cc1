# SPDX-License-Identifier: Apache-2.0
"""A layer of an image: files in memory or on disk, written as one archive whose bytes depend on nothing else."""
import gzip
import hashlib
import io
import tarfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """One file, link or folder; exactly one of content and link is set for a file or link."""

    mode: int
    content: bytes | Path | None = None
    link: str | None = None
    user: int = 0


class Layer:
    """A set of entries by their path below the root, without a leading slash."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}

    def folder(self, path: str, mode: int = 0o755, user: int = 0) -> None:
        self._parents(path)
        self.entries[path] = Entry(mode, user=user)

    def file(self, path: str, content: bytes | str | Path, mode: int = 0o644) -> None:
        self._parents(path)
        self.entries[path] = Entry(mode, content.encode() if isinstance(content, str) else content)

    def link(self, path: str, target: str) -> None:
        self._parents(path)
        self.entries[path] = Entry(0o777, link=target)

    def _parents(self, path: str) -> None:
        for parent in [str(each) for each in Path(path).parents if str(each) != "."]:
            self.entries.setdefault(parent, Entry(0o755))

    def write(self, target: Path, time: int, level: int) -> "Written":
        """Writes the compressed archive, and returns its digests and size."""
        plain = hashlib.sha256()
        with target.open("wb") as raw, gzip.GzipFile("", "wb", level, raw, mtime=0) as packed:
            with tarfile.open(fileobj=_Hashing(packed, plain), mode="w|", format=tarfile.PAX_FORMAT) as archive:
                for path, entry in sorted(self.entries.items()):
                    _add(archive, path, entry, time)
        return Written(target, plain.hexdigest(), file_digest(target), target.stat().st_size)


@dataclass(frozen=True)
class Written:
    """A written layer: the digests of the archive before and after compression."""

    path: Path
    plain: str
    digest: str
    size: int


class _Hashing:
    """A file for writing that digests what passes."""

    def __init__(self, target: gzip.GzipFile, digest: "hashlib._Hash") -> None:
        self.target, self.digest = target, digest

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        return self.target.write(data)


def _add(archive: tarfile.TarFile, path: str, entry: Entry, time: int) -> None:
    member = tarfile.TarInfo(path)
    member.mode, member.mtime, member.uid, member.gid = entry.mode, time, entry.user, entry.user
    if entry.link is not None:
        member.type, member.linkname = tarfile.SYMTYPE, entry.link
        archive.addfile(member)
    elif entry.content is None:
        member.type = tarfile.DIRTYPE
        archive.addfile(member)
    elif isinstance(entry.content, bytes):
        member.size = len(entry.content)
        archive.addfile(member, io.BytesIO(entry.content))
    else:
        member.size = entry.content.stat().st_size
        with entry.content.open("rb") as file:
            archive.addfile(member, file)


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

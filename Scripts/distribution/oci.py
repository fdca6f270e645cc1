# SPDX-License-Identifier: Apache-2.0
"""Writes an image as an OCI archive (image specification 1.0), which docker, podman and skopeo load."""
import hashlib
import io
import json
import tarfile
from datetime import datetime, timezone
from pathlib import Path

from distribution.layer import Written
from distribution.root import USER

INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIGURATION = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
DATA = "/var/lib/regimen"


def configuration(layers: list[Written], version: str, commit: str, time: int, has_health: bool) -> dict:
    """Returns the image's settings. An engine that knows health checks uses the program's own."""
    stamp = datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    settings: dict[str, object] = {
        "User": f"{USER}:{USER}",
        "Env": ["PATH=/usr/bin", f"REGIMEN_DATA={DATA}"],
        "Entrypoint": ["/usr/bin/regimen"], "Cmd": ["serve"],
        "ExposedPorts": {"8080/tcp": {}, "8443/tcp": {}},
        "Volumes": {DATA: {}}, "WorkingDir": DATA, "StopSignal": "SIGTERM",
        "Labels": {
            "org.opencontainers.image.title": "Regimen",
            "org.opencontainers.image.version": version,
            "org.opencontainers.image.revision": commit,
            "org.opencontainers.image.created": stamp,
            "org.opencontainers.image.licenses": "Apache-2.0",
        },
    }
    if has_health:
        second = 1_000_000_000
        settings["Healthcheck"] = {
            "Test": ["CMD", "/usr/bin/regimen", "health"],
            "Interval": 30 * second, "Timeout": 10 * second, "StartPeriod": 30 * second, "Retries": 3,
        }
    return {
        "created": stamp, "architecture": "amd64", "os": "linux", "config": settings,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{each.plain}" for each in layers]},
        "history": [{"created": stamp, "created_by": "Scripts/image"} for _ in layers],
    }


def encoded(document: object) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def descriptor(kind: str, content: bytes) -> dict:
    return {"mediaType": kind, "digest": f"sha256:{hashlib.sha256(content).hexdigest()}", "size": len(content)}


def write(target: Path, layers: list[Written], settings: dict, version: str, time: int) -> None:
    """Writes the archive; a failure leaves no file of that name."""
    config = encoded(settings)
    manifest = encoded({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": descriptor(CONFIGURATION, config),
        "layers": [
            {"mediaType": LAYER, "digest": f"sha256:{each.digest}", "size": each.size} for each in layers],
    })
    names = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": f"regimen:{version}"}
    index = encoded({
        "schemaVersion": 2, "mediaType": INDEX,
        "manifests": [descriptor(MANIFEST, manifest) | {"annotations": names}],
    })
    blobs: dict[str, bytes | Path] = {_blob(hashlib.sha256(each).hexdigest()): each for each in (config, manifest)}
    blobs |= {_blob(each.digest): each.path for each in layers}
    # Older versions of docker load the same blobs by this list.
    listed = [{
        "Config": _blob(hashlib.sha256(config).hexdigest()), "RepoTags": [f"regimen:{version}"],
        "Layers": [_blob(each.digest) for each in layers],
    }]
    blobs |= {
        "oci-layout": encoded({"imageLayoutVersion": "1.0.0"}), "index.json": index, "manifest.json": encoded(listed)}
    partial = target.with_name(f"{target.name}.part")
    try:
        with tarfile.open(partial, "w", format=tarfile.PAX_FORMAT) as archive:
            for folder in ("blobs", "blobs/sha256"):
                member = tarfile.TarInfo(folder)
                member.type, member.mode, member.mtime = tarfile.DIRTYPE, 0o755, time
                archive.addfile(member)
            for name, content in sorted(blobs.items()):
                _add(archive, name, content, time)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _blob(digest: str) -> str:
    return f"blobs/sha256/{digest}"


def _add(archive: tarfile.TarFile, name: str, content: bytes | Path, time: int) -> None:
    member = tarfile.TarInfo(name)
    member.mode, member.mtime = 0o644, time
    if isinstance(content, bytes):
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    else:
        member.size = content.stat().st_size
        with content.open("rb") as file:
            archive.addfile(member, file)

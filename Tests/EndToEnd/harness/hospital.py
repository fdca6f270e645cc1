# SPDX-License-Identifier: Apache-2.0
"""A hospital's FHIR server on loopback that behaves, or misbehaves on demand.

Resources are kept in memory. `instead` holds answers that replace its own, each once, by the start of the
path; `down` closes every connection without an answer, like a machine that just crashed.
"""
import base64
import gzip
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlsplit

FHIR_JSON = "application/fhir+json"
Answer = tuple[int, dict[str, str], bytes]


def prescription(
    number: str, name: str = "Bisoprolol 2.5 mg", times: tuple[str, ...] = ("08:00:00",),
    status: str = "active", patient: str = "p1", **more: Any,
) -> dict[str, Any]:
    return {
        "resourceType": "MedicationRequest", "id": number, "status": status, "intent": "order",
        "identifier": [{"system": "urn:example:rx", "value": f"rx-{number}"}],
        "medicationCodeableConcept": {"text": name},
        "subject": {"reference": f"Patient/{patient}"},
        "dosageInstruction": [{
            "timing": {"repeat": {"timeOfDay": list(times)}},
            "doseAndRate": [{"doseQuantity": {"value": 1, "unit": "tablet"}}],
        }],
    } | more


def order(number: str, name: str, patient: str = "p1") -> dict[str, Any]:
    """Returns the same in DSTU2."""
    return {
        "resourceType": "MedicationOrder", "id": number, "status": "active",
        "identifier": [{"system": "urn:example:rx", "value": f"rx-{number}"}],
        "dateWritten": "2026-01-05", "patient": {"reference": f"Patient/{patient}"},
        "medicationCodeableConcept": {"text": name},
        "dosageInstruction": [{
            "text": "one in the morning",
            "timing": {"repeat": {"frequency": 1, "period": 1, "periodUnits": "d"}},
            "doseQuantity": {"value": 1, "unit": "tablet"},
        }],
    }


class Hospital:
    def __init__(
        self, token: str | None = None, version: str = "4.0.1", packs: bool = False
    ) -> None:
        self.token, self.version, self.packs = token, version, packs
        self.name = "City Hospital"
        self.resources: dict[str, dict[str, Any]] = {}
        self.requests: list[tuple[str, str]] = []
        self.instead: list[tuple[str, Callable[[], Answer]]] = []
        self.down = False
        self.conditions = True
        self.page = 50
        self.lock = threading.RLock()
        # A sign-in in progress: its code with the values needed to exchange it.
        self.codes: dict[str, dict[str, str]] = {}
        self.refreshes = 0
        self.signs_in = False
        # Deleted resources, and whether the history of a type lists them.
        self.deleted: list[str] = []
        self.lists_deletions = False
        self.number = 0
        self.put({
            "resourceType": "Patient", "id": "p1", "birthDate": "1948-07-02",
            "identifier": [{"system": "urn:example:mrn", "value": "4711"}],
            "name": [{"family": "Example", "given": ["Ann"]}],
        })
        hospital = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if hospital.down:
                    self.close_connection = True
                    return
                status, headers, answer = hospital.answer(
                    self.command, self.path, dict(self.headers), body
                )
                if hospital.packs and answer:
                    answer = gzip.compress(answer)
                    headers = headers | {"Content-Encoding": "gzip"}
                self.send_response(status)
                for name, value in ({"Content-Type": FHIR_JSON} | headers).items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do_PUT = _serve

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.host = f"127.0.0.1:{self.server.server_address[1]}"
        self.base = f"http://{self.host}/fhir"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    # MARK: controls for tests

    def put(self, resource: dict[str, Any]) -> None:
        with self.lock:
            self.number += 1
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
            meta = {"versionId": str(self.number), "lastUpdated": f"{stamp}.{self.number % 1000:03}Z"}
            key = f"{resource['resourceType']}/{resource['id']}"
            self.resources[key] = resource | {"meta": meta}

    def delete(self, key: str) -> None:
        with self.lock:
            del self.resources[key]
            self.deleted.append(key)

    def once(self, path: str, status: int, body: Any = None, **headers: str) -> None:
        """Sets the answer to the next request whose path begins with this."""
        raw = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.instead.append((path, lambda: (status, named, raw)))

    def slow(self, path: str, seconds: float) -> None:
        def wait() -> Answer:
            time.sleep(seconds)
            return 503, {}, b"{}"

        self.instead.append((path, wait))

    def administrations(self) -> list[dict[str, Any]]:
        with self.lock:
            return [
                r for key, r in sorted(self.resources.items())
                if key.startswith("MedicationAdministration/")
            ]

    def asked(self, method: str, part: str) -> list[str]:
        with self.lock:
            return [path for verb, path in self.requests if verb == method and part in path]

    # MARK: serving

    def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        with self.lock:
            self.requests.append((method, path))
            inside = path.removeprefix("/fhir/")
            for index, (prefix, made) in enumerate(self.instead):
                if inside.startswith(prefix):
                    del self.instead[index]
                    break
            else:
                made = None
        if made is not None:
            return made()
        with self.lock:
            return self.own(method, path, headers, body)

    def own(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        parts = urlsplit(path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/authorize":
            return self.authorize(query)
        if parts.path == "/token":
            return self.exchange(dict(parse_qsl(body.decode())))
        place = parts.path.removeprefix("/fhir/")
        if place == "metadata":
            return self.json(200, self.metadata())
        if place == ".well-known/smart-configuration":
            if not self.signs_in:
                return self.json(404, {})
            return self.json(200, {
                "authorization_endpoint": f"http://{self.host}/authorize",
                "token_endpoint": f"http://{self.host}/token",
                "code_challenge_methods_supported": ["S256"],
                "capabilities": ["launch-standalone", "context-standalone-patient"],
            })
        if self.token and headers.get("Authorization") != f"Bearer {self.token}":
            return self.json(401, {}, **{"WWW-Authenticate": "Bearer"})
        if method == "GET" and place.endswith("/_history") and self.lists_deletions:
            return self.history(place.split("/")[0])
        if method == "GET" and place in self.deleted:
            return self.json(410, {})
        if method == "GET" and "/" in place:
            found = self.resources.get(place)
            return self.json(200, found) if found else self.json(404, {})
        if method == "GET":
            return self.search(place, query, parts.query)
        resource = json.loads(body)
        if method == "POST":
            return self.create(resource, headers)
        if place not in self.resources:
            return self.json(404, {})
        self.put(resource)
        return self.json(200, self.resources[place])

    def metadata(self) -> dict[str, Any]:
        old = self.version.startswith("1.")
        types = ["Patient", "Medication", "MedicationAdministration", "MedicationStatement"]
        types.append("MedicationOrder" if old else "MedicationRequest")
        return {
            "resourceType": "Conformance" if old else "CapabilityStatement",
            "fhirVersion": self.version, "name": self.name, "software": {"name": self.name},
            "rest": [{"mode": "server", "resource": [
                {"type": t, "interaction": self.interactions()} for t in types
            ]}],
        }

    def interactions(self) -> list[dict[str, str]]:
        codes = ["read", "search-type"] + ["history-type"] * self.lists_deletions
        return [{"code": code} for code in codes]

    def history(self, kind: str) -> Answer:
        return self.json(200, {"resourceType": "Bundle", "type": "history", "entry": [
            {"request": {"method": "DELETE", "url": key}, "response": {"status": "204"}}
            for key in self.deleted if key.startswith(f"{kind}/")
        ]})

    def search(self, kind: str, query: dict[str, str], raw: str) -> Answer:
        found = [r for key, r in sorted(self.resources.items()) if key.startswith(f"{kind}/")]
        if "patient" in query:
            found = [
                r for r in found
                if (r.get("subject") or r.get("patient", {}))["reference"].endswith(
                    f"Patient/{query['patient']}")
            ]
        if "_lastUpdated" in query:
            since = query["_lastUpdated"].removeprefix("ge")[:19]
            found = [r for r in found if r["meta"]["lastUpdated"][:19] >= since]
        if "identifier" in query:
            wanted = query["identifier"].split("|")[-1]
            found = [r for r in found if any(i["value"] == wanted for i in r.get("identifier", []))]
        if "birthdate" in query:
            found = [r for r in found if r.get("birthDate") == query["birthdate"]]
        start = int(query.get("start", 0))
        bundle: dict[str, Any] = {
            "resourceType": "Bundle", "type": "searchset", "total": len(found),
            "entry": [{"resource": r} for r in found[start:start + self.page]],
        }
        if start + self.page < len(found):
            rest = re.sub(r"&?start=\d+", "", raw)
            url = f"{self.base}/{kind}?{rest}&start={start + self.page}"
            bundle["link"] = [{"relation": "next", "url": url}]
        return self.json(200, bundle)

    def create(self, resource: dict[str, Any], headers: dict[str, str]) -> Answer:
        condition = headers.get("If-None-Exist") or headers.get("if-none-exist")
        if condition and self.conditions:
            wanted = unquote(condition).split("|")[-1]
            for key, known in self.resources.items():
                if key.startswith(f"{resource['resourceType']}/") and any(
                    i["value"] == wanted for i in known.get("identifier", [])
                ):
                    return self.json(200, known)
        made = resource | {"id": f"n{self.number + 1}"}
        self.put(made)
        place = f"{made['resourceType']}/{made['id']}"
        return self.json(201, self.resources[place], Location=f"{self.base}/{place}/_history/1")

    # MARK: signing in

    def authorize(self, query: dict[str, str]) -> Answer:
        """Consents at once, like someone who is already signed in there."""
        assert query["aud"] == self.base, query
        assert query["code_challenge_method"] == "S256" and query["response_type"] == "code", query
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        target = f"{query['redirect_uri']}?code={code}&state={quote(query['state'])}"
        return 302, {"Location": target}, b""

    def exchange(self, form: dict[str, str]) -> Answer:
        if form["grant_type"] == "refresh_token":
            self.refreshes += 1
            self.token = f"renewed-{self.refreshes}"
        else:
            query = self.codes.pop(form["code"], None)
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            if query is None or challenge != query["code_challenge"]:
                return self.json(400, {"error": "invalid_grant"})
            self.token = "signed-in"
        return self.json(200, {
            "access_token": self.token, "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": f"again-{self.refreshes}", "patient": "p1", "scope": "patient/*.read",
        })

    @staticmethod
    def json(status: int, body: Any, **headers: str) -> Answer:
        return status, headers, json.dumps(body).encode()

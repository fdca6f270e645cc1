// SPDX-License-Identifier: Apache-2.0

// SMART App Launch 2.2, standalone, for a public app: PKCE, no secret, and a token that only this page knows.

/** A problem that the person can read. */
export class LaunchError extends Error {}

const KEY = "adherence-chart-launch";

/** The address of this page, to which the server sends people back; it must be registered exactly. */
export function redirectAddress() {
  return location.origin + location.pathname;
}

function base64URL(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function randomText() {
  return base64URL(crypto.getRandomValues(new Uint8Array(32)));
}

async function fetchJSON(address, options) {
  let response;
  try {
    response = await fetch(address, { credentials: "omit", ...options });
  } catch {
    throw new LaunchError(
      `${new URL(address).origin} did not answer. Is the server running, and does REGIMEN_CORS_ORIGINS contain ${location.origin}?`);
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    const reason = body?.error_description ?? body?.issue?.[0]?.diagnostics ?? body?.detail ?? response.statusText;
    throw new LaunchError(`The server refused (${response.status}): ${reason}`);
  }
  if (body === null) throw new LaunchError(`${address} did not answer with JSON.`);
  return body;
}

/** Learns where the server takes sign-ins. */
async function discover(fhirBase) {
  const found = await fetchJSON(`${fhirBase}/.well-known/smart-configuration`);
  if (!found.code_challenge_methods_supported?.includes("S256")) {
    throw new LaunchError("The server does not support PKCE with S256.");
  }
  return found;
}

/** Sends the person to the server, to sign in and decide. */
export async function begin(config) {
  if (!config.clientId) throw new LaunchError("Put the client id that regimen app add printed into config.mjs.");
  if (!globalThis.crypto?.subtle) throw new LaunchError("Open this page over https or on localhost: PKCE needs it.");
  const server = await discover(config.fhirBase);
  const verifier = randomText();
  const state = randomText();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  sessionStorage.setItem(
    KEY, JSON.stringify({ verifier, state, issuer: server.issuer, token: server.token_endpoint }));
  const address = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: "code", client_id: config.clientId, redirect_uri: redirectAddress(), scope: config.scope,
    state, aud: config.fhirBase, code_challenge: base64URL(digest), code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  location.assign(address);
}

/** True if the server has just sent the person back. */
export function isReturning() {
  const query = new URLSearchParams(location.search);
  return query.has("code") || query.has("error");
}

/** Exchanges the code for a token; returns the token's answer, with the patient's id. */
export async function finish(config) {
  const query = new URLSearchParams(location.search);
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  sessionStorage.removeItem(KEY);
  // The code must not stay in the address bar or in the history.
  history.replaceState(null, "", redirectAddress());
  if (kept === null || query.get("state") !== kept.state) {
    throw new LaunchError("This answer does not belong to a request of this page. Connect again.");
  }
  if (query.has("iss") && query.get("iss") !== kept.issuer) {
    throw new LaunchError("The answer came from another server. Connect again.");
  }
  if (query.has("error")) {
    throw new LaunchError(
      query.get("error") === "access_denied"
        ? "You did not allow the app to read. Nothing was read."
        : `The server refused: ${query.get("error_description") ?? query.get("error")}`);
  }
  const answer = await fetchJSON(kept.token, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code", code: query.get("code"), redirect_uri: redirectAddress(),
      client_id: config.clientId, code_verifier: kept.verifier,
    }),
  });
  if (!answer.access_token || !answer.patient) throw new LaunchError("The server named no patient. Connect again.");
  return answer;
}

/** Returns all resources that a search finds, page by page. */
export async function search(fhirBase, path, token) {
  const resources = [];
  let next = `${fhirBase}/${path}`;
  for (let page = 0; next && page < 100; page += 1) {
    // The token goes to this server only, whatever a link says.
    if (!next.startsWith(`${fhirBase}/`) && !next.startsWith(`${fhirBase}?`)) {
      throw new LaunchError("The server linked to a page of another server.");
    }
    const bundle = await fetchJSON(next, {
      headers: { Accept: "application/fhir+json", Authorization: `Bearer ${token}` },
    });
    for (const entry of bundle.entry ?? []) {
      if (entry.search?.mode !== "outcome" && entry.resource) resources.push(entry.resource);
    }
    next = bundle.link?.find((link) => link.relation === "next")?.url;
  }
  return resources;
}

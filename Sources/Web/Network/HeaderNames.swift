// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPField.Name {
  /// The relation between the page that made a request and this site; `none` if a person started it.
  package static let secFetchSite = known("Sec-Fetch-Site")
  /// Marks requests by which a script posts a form without leaving the page.
  package static let inPlace = known("Regimen-In-Place")
  /// Marks requests for a page that a device keeps to open it offline.
  package static let copy = known("Regimen-Copy")
  static let referrerPolicy = known("Referrer-Policy")
  static let permissionsPolicy = known("Permissions-Policy")
  static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
  /// The proof that the sender has the key to which a token is bound (RFC 9449).
  package static let dpop = known("DPoP")
  /// The key under which the answer to a write is stored, so that the write can be repeated.
  package static let idempotencyKey = known("Idempotency-Key")
  /// The identifier of a request that passes through several programs (W3C Trace Context).
  static let traceparent = known("traceparent")
  /// The identifier of the request, for finding it in the log.
  package static let xRequestID = known("X-Request-ID")
  static let xForwardedProto = known("X-Forwarded-Proto")
  static let xForwardedFor = known("X-Forwarded-For")
  /// An additional Host line; the first one is the authority.
  static let furtherHost = known("Host")
  /// The kinds of stored data that the browser should delete.
  package static let clearSiteData = known("Clear-Site-Data")

  /// Returns a name that is a literal in the source; the fallback is never reached for a valid one.
  static func known(_ name: String) -> HTTPField.Name {
    HTTPField.Name(name) ?? .via
  }
}

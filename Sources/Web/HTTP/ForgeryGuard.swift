// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import HTTPTypes
import Hummingbird

/// Refuses requests that another site made a browser send (ASVS 5.0, 3.5.1 to 3.5.3).
///
/// A browser never sends a bearer token on its own, so only sessions and strangers' forms are
/// checked: by `Origin`, by `Sec-Fetch-Site`, and forms of a session also by a token. A session
/// that writes through an API must prove with one of the two headers that a page of this server
/// sent the request, and must send JSON, which no form of another site can do.
package enum ForgeryGuard {
  /// The name of the hidden field that holds the token.
  package static let field = "form-token"

  static func check(_ call: Call, at surface: Route.Surface) throws {
    guard ![.get, .head, .options].contains(call.request.method) else { return }
    guard call.request.headers[.authorization] == nil else { return }
    let site = call.request.headers[.secFetchSite]
    if let site, site != "same-origin", site != "none" { throw refusal }
    let origin = call.request.headers[.origin].flatMap { $0 == "null" ? nil : $0 }
    if let origin, !OwnAddress.isOwn(origin: origin, of: call) { throw refusal }
    guard call.session != nil, surface != .page else { return }
    guard site == "same-origin" || origin != nil else { throw refusal }
    try checkMediaType(call.request.headers)
  }

  /// Checks that a body has a media type that forms cannot have; a request without a body needs
  /// none.
  private static func checkMediaType(_ headers: HTTPFields) throws {
    guard let type = headers[.contentType] else {
      guard headers[.transferEncoding] == nil, (headers[.contentLength] ?? "0") == "0" else {
        throw notJSON
      }
      return
    }
    let essence = type.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
    guard essence.hasPrefix("application/"), essence.hasSuffix("json") else { throw notJSON }
  }

  /// Returns the token of a session's forms, derived from its secret, so that no one else can know
  /// it.
  static func token(of session: Secret) -> String {
    let digest = Fingerprint.digest(of: Array("form:\(session.text)".utf8))
    return Hexadecimal.encode(Array(digest.prefix(16)))
  }

  /// Checks a posted form's token, and that it was made for the person who is chosen now.
  package static func check(_ form: FormBody, of call: Call) throws {
    try checkToken(form, of: call)
    try PersonGuard.check(form, of: call, about: call.person?.patient)
  }

  /// Checks only the token.
  ///
  /// Use it for forms that act on the account or on the record named in their address: their
  /// handlers check its owner.
  package static func checkToken(_ form: FormBody, of call: Call) throws {
    guard let session = call.session else { return }
    guard form.raw(field).map(MaskedToken.unmask) == token(of: session) else { throw refusal }
  }

  private static let notJSON = Failure(
    .unsupportedMediaType, code: "media-type",
    detail: "Send the body as JSON, with its Content-Type.")

  private static let refusal = Failure(
    .forbidden, code: "forgery",
    detail: "This form is not from this server. Reload the page and send it again.")
}

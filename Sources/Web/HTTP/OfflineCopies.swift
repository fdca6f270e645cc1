// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Encodings
import HTML
import HTTPTypes
import Hummingbird
import Storage

/// The encrypted copies of pages that a device keeps to open them offline.
///
/// The key is derived from the secret of the session, so that it opens no copies of another
/// session. A shared device keeps none, and neither does one on which copies are turned off or that
/// shows the pages of patients.
package enum OfflineCopies {
  /// The cookie of a device that keeps no copies.
  package static let cookie = "regimen-offline"
  /// The value of that cookie.
  package static let refusal = "no"
  /// The longest time in milliseconds for which copies open after the last contact with the server.
  package static let longest: Int64 = 7 * 24 * 3_600_000

  /// The reason that a device keeps copies or not.
  package enum State: String, Sendable {
    /// Copies are kept.
    case on
    /// The person turned copies off on this device.
    case off
    /// The person signed in on a shared device.
    case shared
    /// The account cares for patients, or has emergency access.
    case practitioner
  }

  /// Returns true if a device asks for a page to keep it, so that it needs only what can be used offline.
  package static func isAsked(by call: Call) -> Bool { call.request.headers[.copy] != nil }

  /// Returns a mark that lists forms which are kept together with the page.
  package static func keeping(_ addresses: [String]) -> Markup {
    addresses.isEmpty
      ? Markup() : "<div hidden data-keep=\"\(addresses.joined(separator: " "))\"></div>"
  }

  /// Returns the state of the device that sends a request.
  package static func state(of call: Call) -> State {
    let person = call.person
    if NavigationRole(people: call.people, person: person) == .practitioner
      || person?.right.relationship == .emergency
    {
      return .practitioner
    }
    if call.signedIn?.session?.kind != .trusted { return .shared }
    return call.cookie(cookie) == refusal ? .off : .on
  }

  /// Returns the mark of the session for pages that may be copied; nil if none may.
  ///
  /// It identifies the session and is not a key. On pages of a person for whom the account does not
  /// act, "view" follows: neither the card nor the form is fetched for these.
  static func mark(of call: Call) -> String? {
    guard let session = call.session, state(of: call) == .on else { return nil }
    let mark = mark(of: session)
    return call.person?.mayAct == false ? "\(mark) view" : mark
  }

  /// Returns the mark and the key of the session, and the time in milliseconds for which the copies
  /// open; nil if the device keeps none.
  package static func keeping(
    for call: Call
  ) -> (mark: String, key: String, milliseconds: Int64)? {
    guard let session = call.session, let kind = call.signedIn?.session?.kind,
      state(of: call) == .on
    else { return nil }
    let idle = SessionLimits.limits(kind, isPractitioner: false).idle
    let left = (call.signedIn?.expires).map { $0.milliseconds - call.now.milliseconds } ?? longest
    let key = Fingerprint.digest(of: Array("offline-key:\(session.text)".utf8))
    return (mark(of: session), Base64URL.encode(Array(key)), max(0, min(longest, idle, left)))
  }

  private static func mark(of session: Secret) -> String {
    let digest = Fingerprint.digest(of: Array("offline-mark:\(session.text)".utf8))
    return Hexadecimal.encode(Array(digest.prefix(8)))
  }
}

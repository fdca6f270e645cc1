// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Web

/// The system behind a call of a decision support service.
struct CDSCaller: Sendable {
  /// The call, in the name of the account whose rights apply.
  let call: Call
  /// That account.
  let signedIn: SignedIn

  /// Identifies the system by its signed token, or by a bearer token of this server.
  ///
  /// - Parameter paths: The paths of the addresses that a signed token may be for.
  /// - Throws: ``Failure`` 401 for anyone else, including signed-in browsers.
  static func identify(_ call: Call, paths: [String]) async throws -> CDSCaller {
    let scheme = "bearer "
    guard let header = call.request.headers[.authorization],
      header.lowercased().hasPrefix(scheme)
    else { throw Failure.signInNeeded }
    if let signedIn = call.signedIn {
      // A token that only sends measurements reads nothing.
      guard !signedIn.actor.scope.onlySendsVitals else { throw DenialReason.scopeNotAllowed }
      return CDSCaller(call: call, signedIn: signedIn)
    }
    let environment = call.environment
    // The name of the host in the request proves nothing: a token for another server must not be accepted here.
    let addresses = Set(paths.map { environment.baseURL + $0 })
    let signedIn = try await environment.accounts.signedIn(
      cds: String(header.dropFirst(scheme.count)), for: addresses, at: call.now,
      in: environment.database)
    var named = call
    named.signedIn = signedIn
    return CDSCaller(call: named, signedIn: signedIn)
  }
}

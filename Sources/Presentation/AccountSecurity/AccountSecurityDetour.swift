// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import SiteMap
import Web

/// A step that a signed-in person must complete before continuing.
package enum AccountSecurityDetour: RouteDetour, Sendable, Hashable {
  /// Prove the identity again, then continue to a page.
  case proof(next: String)
  /// Set up a second factor, then continue to a page.
  case secondFactor(next: String)

  /// Redirects a page with a session to the step; every other caller gets an error.
  package func response(at route: Route, call: Call) -> Response {
    guard route.surface == .page, call.session != nil else {
      return FailureResponse.make(failure(at: route), surface: route.surface, call: call)
    }
    return call.redirect(to: address)
  }

  private var address: String {
    switch self {
    case .proof(let next): "\(Address.proof)?next=\(QueryText.encode(next))"
    case .secondFactor(let next): "\(Address.accountSecurity)?next=\(QueryText.encode(next))"
    }
  }

  /// The error for programs, which can't complete the step.
  private func failure(at route: Route) -> Failure {
    switch self {
    case .proof where route.surface == .page: .notFound
    case .proof:
      Failure(
        .forbidden, code: "proof",
        detail: "Open a page of this server and confirm your sign-in.")
    case .secondFactor:
      Failure(
        .forbidden, code: "second-factor", detail: "Set up a second step for sign-in first.")
    }
  }
}

extension Call {
  /// Checks that the session has a recent enough proof of identity.
  ///
  /// A token cannot give a proof and never passes.
  ///
  /// - Parameter page: The address to return to after the proof.
  /// - Throws: ``AccountSecurityDetour/proof(next:)`` if the policy is not met.
  package func requireProof(_ policy: ProofPolicy, from page: String) throws {
    let isSending = request.method != .get && request.method != .head
    guard signedIn?.session.map({ policy.isMet(by: $0, at: now, isSending: isSending) }) == true
    else { throw AccountSecurityDetour.proof(next: page) }
  }
}

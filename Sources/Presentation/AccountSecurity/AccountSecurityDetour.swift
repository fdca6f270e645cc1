// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import SiteMap
import Web

/// Why somebody who is signed in must go another way first.
package enum AccountSecurityDetour: RouteDetour, Sendable, Hashable {
  /// To show again who they are; then on to a page.
  case proof(next: String)
  /// To set up a second factor.
  case secondFactor(next: String)

  /// Pages lead there; programs are told.
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

  /// What a program is told; a page that asks for a proof is not there for it.
  private func failure(at route: Route) -> Failure {
    switch self {
    case .proof where route.surface == .page: .notFound
    case .proof:
      Failure(
        .forbidden, code: "proof",
        detail: "Sign in to a page of this server and show again who you are.")
    case .secondFactor:
      Failure(
        .forbidden, code: "second-factor", detail: "Set up a second step for signing in first.")
    }
  }
}

extension Call {
  /// Goes on only where the session has shown enough lately; else it leads to where that is done
  /// and back to a page.
  ///
  /// A token has no proof to give.
  package func requireProof(_ policy: ProofPolicy, from page: String) throws {
    let isSending = request.method != .get && request.method != .head
    guard signedIn?.session.map({ policy.isMet(by: $0, at: now, isSending: isSending) }) == true
    else { throw AccountSecurityDetour.proof(next: page) }
  }
}

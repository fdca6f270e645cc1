// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Plans
import SiteMap
import Storage
import Web

/// The page that opens first for an account.
struct HomePage: Sendable, Hashable {
  /// The address of the page.
  let address: String
  /// The person whose pages the device shows from now on; nil to keep the choice.
  var person: PatientID?

  /// Returns the page to open after signing in, with its cookies.
  ///
  /// - Parameter next: The requested page; the start page counts as none.
  static func after(
    _ session: Secret, next: String?, _ call: Call
  ) async throws -> (address: String, cookies: [String]) {
    if let next, next != "/" { return (next, []) }
    let (accounts, now) = (call.environment.accounts, call.now)
    let hasChosen = call.cookie(PersonChoice.cookie) != nil
    let home = try await call.environment.database.read { reader in
      try accounts.signedIn(session: session, at: now, in: reader)
        .map { try of($0, hasChosen: hasChosen, in: reader) }
    }
    guard let home else { return ("/", []) }
    return (home.address, home.person.map { [call.choiceCookie($0)] } ?? [])
  }

  /// Returns the home page of an account that has just signed in.
  ///
  /// Practitioners start with their patients, even before they have any. Relatives who only view
  /// one person, and have no medicines of their own, start with that person, unless the device has
  /// another choice.
  static func of(
    _ signedIn: SignedIn, hasChosen: Bool, in reader: any SQLReader
  ) throws -> HomePage {
    let own = signedIn.account.patient
    let others = signedIn.actor.rights.filter { $0.key != own }
    if signedIn.session?.isConfirmedPractitioner == true
      || others.values.contains(where: { $0.relationship == .practitioner })
    {
      return HomePage(address: Address.careTeam)
    }
    guard !hasChosen, others.count == 1, let other = others.first,
      other.value.relationship == .family,
      try PlanQueries.names(patient: own, in: reader).isEmpty
    else { return HomePage(address: "/") }
    return HomePage(address: "/", person: other.key)
  }
}

/// Opens a practitioner's patients instead of Today when the app starts, or its bare address is
/// typed.
///
/// Links inside the app still lead to the practitioner's own Today.
package struct PractitionerHome: RouteGuard {
  /// Creates the guard.
  package init() {}

  /// Throws a detour for a practitioner who starts the app.
  package func check(_ route: Route, _ call: Call) throws {
    guard route.path == "/", route.method == .get, call.session != nil,
      call.request.uri.query == nil, call.request.headers[.secFetchSite] == "none",
      call.isPractitioner
    else { return }
    throw Detour()
  }

  private struct Detour: RouteDetour {
    func response(at route: Route, call: Call) -> Response {
      call.redirect(to: Address.careTeam)
    }
  }
}

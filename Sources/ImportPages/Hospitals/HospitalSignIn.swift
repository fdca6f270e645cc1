// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Exchange
import HTTPTypes
import Hummingbird
import Localization
import SiteMap
import Storage
import Web

/// Signing in at the hospital and returning from it (SMART App Launch).
package enum HospitalSignIn {
  private static let cookie = "regimen-hospital"

  private static func cookieName(_ call: Call) -> String {
    call.isSecure ? "__Host-\(cookie)" : cookie
  }

  private static func returnAddress(_ call: Call) -> String {
    "\(call.baseURL)\(Address.hospitals)/return"
  }

  /// Redirects the browser to the hospital's own sign-in.
  static func begin(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try HospitalRoutes.patient(call, signedIn)
    // A program has no browser to redirect.
    guard call.session != nil else { throw Failure.notFound }
    let connection = try await HospitalRoutes.connection(call, of: patient)
    let environment = call.environment
    let cipher = environment.accounts.cipher
    let credentials = try await environment.database.read { reader in
      try HospitalRows.credentials(connection.id, patient: patient, cipher: cipher, in: reader)
    }
    guard let configuration = credentials?.launch, let clientID = credentials?.clientID else {
      throw Failure.notFound
    }
    let launch = SmartLaunch(random: environment.random)
    let now = call.now
    let visit = HospitalVisits.Visit(
      patient: patient, connection: connection.id, account: signedIn.account.id)
    try await environment.database.write { writer in
      try HospitalVisits.begin(launch, visit, at: now, in: writer)
    }
    return call.redirect(
      to: launch.address(
        configuration, clientID: clientID, base: connection.base,
        returnAddress: returnAddress(call)),
      cookies: [
        Cookies.setting(
          cookieName(call), to: launch.browser.text,
          maximumAgeSeconds: SmartLaunch.lifetime / 1000, isSecure: call.isSecure)
      ])
  }

  static func comeBack(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard call.session != nil, let state = call.queryValue("state"), state.utf8.count <= 512,
      let browser = call.cookie(cookieName(call)), browser.utf8.count <= 512
    else { throw Failure.notFound }
    let launch = SmartLaunch(state: Secret(text: state), browser: Secret(text: browser))
    let environment = call.environment
    let now = call.now
    let ended = try await environment.database.write { writer in
      try HospitalVisits.end(launch, at: now, in: writer)
    }
    guard let visit = ended, visit.account == signedIn.account.id else { throw Failure.notFound }
    _ = try call.authorize(.update, "MedicationRequest", of: visit.patient)
    let call = call.opening(visit.patient)
    let cipher = environment.accounts.cipher
    let (connection, credentials) = try await environment.database.read { reader in
      (
        try HospitalRows.load(visit.connection, patient: visit.patient, in: reader),
        try HospitalRows.credentials(
          visit.connection, patient: visit.patient, cipher: cipher, in: reader)
      )
    }
    guard let connection, let configuration = credentials?.launch,
      let clientID = credentials?.clientID
    else { throw Failure.notFound }
    let address = HospitalRoutes.address(connection.id)
    do throws(HospitalTrouble) {
      // The person declined, or the answer is from another server (RFC 9207).
      guard let code = call.queryValue("code"), code.utf8.count <= 4_096,
        call.queryValue("iss").map({ $0 == configuration.issuer }) ?? true
      else { throw .signIn }
      let (token, person) = try await launch.token(
        configuration, clientID: clientID, base: connection.base, code: code,
        returnAddress: returnAddress(call), network: environment.hospitals, now: now)
      return try await keep(token, person, connection, call, signedIn)
    } catch {
      return redirect(call, "\(address)?trouble=\(error.code)")
    }
  }

  /// Stores the token; its person is linked, or must be the same as before.
  private static func keep(
    _ credentials: HospitalCredentials, _ person: String?, _ connection: HospitalConnection,
    _ call: Call, _ signedIn: SignedIn
  ) async throws(HospitalTrouble) -> Response {
    let address = HospitalRoutes.address(connection.id)
    if let before = connection.person, let person, before.id != person { throw .otherPatient }
    let (cipher, now, account) = (call.environment.accounts.cipher, call.now, signedIn.account.id)
    do {
      try await call.environment.database.write { writer in
        try HospitalCommands(
          patient: connection.patient, account: account, cipher: cipher, now: now, writer: writer
        ).renew(connection.id, credentials)
      }
    } catch {
      throw .signIn
    }
    call.environment.hospitalWake.ring()
    guard connection.person == nil else { return redirect(call, address) }
    guard let person else { return redirect(call, "\(address)/person") }
    let client = HospitalClient(
      network: call.environment.hospitals, base: connection.base, token: credentials.access,
      version: connection.version)
    let found = try await HospitalPersonQuery.person(person, client)
    do {
      try await HospitalPersonPage.choose(found, connection, call, signedIn)
    } catch HospitalError.otherBirthDate {
      throw .otherPatient
    } catch {
      throw .signIn
    }
    return redirect(call, address)
  }

  private static func redirect(_ call: Call, _ address: String) -> Response {
    call.redirect(
      to: address, cookies: [Cookies.removing(cookieName(call), isSecure: call.isSecure)])
  }
}

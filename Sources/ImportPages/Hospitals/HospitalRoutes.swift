// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Exchange
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// The connections to hospitals, which send prescriptions to a person and receive answers from
/// them.
package enum HospitalRoutes {
  /// The routes of the list, of a connection, and of signing in at the hospital.
  package static let all: [Route] = [
    .page(.get, Address.hospitals, list),
    .form(Address.hospitals, HospitalConnectPage.connect),
    .page(.get, "\(Address.hospitals)/new", HospitalConnectPage.show),
    .page(.get, "\(Address.hospitals)/return", HospitalSignIn.comeBack),
    .page(.get, "\(Address.hospitals)/:hospital", HospitalPage.show),
    .form("\(Address.hospitals)/:hospital", HospitalActions.act),
    .page(.get, "\(Address.hospitals)/:hospital/person", HospitalPersonPage.show),
    .form("\(Address.hospitals)/:hospital/person", HospitalPersonPage.submit),
    .page(.get, "\(Address.hospitals)/:hospital/sign-in", HospitalSignIn.begin),
  ]

  static func address(_ connection: ConnectionID) -> String { "\(Address.hospitals)/\(connection)" }

  /// Returns the person whose connections these are; throws unless the account acts for them.
  static func patient(_ call: Call, _ signedIn: SignedIn) throws -> PatientID {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.update, "MedicationRequest", of: patient)
    return patient
  }

  /// Returns the connection in the address.
  static func connection(_ call: Call, of patient: PatientID) async throws -> HospitalConnection {
    let id = try call.parameter("hospital")
    let found = try await call.environment.database.read { reader in
      try HospitalRows.load(ConnectionID(id), patient: patient, in: reader)
    }
    guard let found else { throw Failure.notFound }
    return found
  }

  static func client(
    _ connection: HospitalConnection, _ call: Call
  ) async throws -> HospitalClient {
    let cipher = call.environment.accounts.cipher
    let credentials = try await call.environment.database.read { reader in
      try HospitalRows.credentials(
        connection.id, patient: connection.patient, cipher: cipher, in: reader)
    }
    return HospitalClient(
      network: call.environment.hospitals, base: connection.base, token: credentials?.access,
      version: connection.version)
  }

  // MARK: The list

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try patient(call, signedIn)
    let environment = call.environment
    let (connections, zone) = try await environment.database.read { reader in
      (
        try HospitalRows.all(patient: patient, in: reader),
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      )
    }
    let localizer = call.localizer
    let words = DoseFormatter(localizer: localizer, zone: zone, now: call.now)
    var frame = call.frame()
    frame.title = localizer.text("hospitals.title")
    frame.lead = localizer.text("hospitals.lead")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    if call.queryValue("done") == "removed" {
      frame.flash = FlashBar(localizer.text("hospitals.done", ["done": .text("removed")]))
    }
    let add = LinkButton(
      localizer.text("hospitals.add"), address: "\(Address.hospitals)/new", kind: .primary,
      icon: .plus)
    let content: Markup =
      connections.isEmpty
      ? EmptyState(icon: .home, text: localizer.text("hospitals.empty"), action: add.markup).markup
      : """
      <div class="narrow stack">\(each: connections, { card($0, words) })\
      \(ButtonRow(add.markup))</div>
      """
    return call.page(frame, content)
  }

  private static func card(_ connection: HospitalConnection, _ words: DoseFormatter) -> Markup {
    Card(
      title: connection.label, address: address(connection.id),
      "<p>\(HospitalText(words).standing(connection))</p>"
    ).markup
  }
}

/// Formats the state of a connection.
struct HospitalText: Sendable {
  let words: DoseFormatter
  private var localizer: Localizer { words.localizer }

  init(_ words: DoseFormatter) {
    self.words = words
  }

  /// Returns the state in one sentence.
  func standing(_ connection: HospitalConnection) -> String {
    switch connection.state {
    case .choosing:
      return localizer.text("hospitals.state", ["state": .text("choosing")])
    case .expired, .revoked, .refused:
      return trouble(connection.trouble ?? connection.state.rawValue)
    case .working:
      if let code = connection.trouble { return trouble(code) }
      guard let synced = connection.synced else {
        return localizer.text("hospitals.state", ["state": .text("loading")])
      }
      return localizer.text("hospitals.fetched", ["time": .text(words.moment(synced))])
    }
  }

  func trouble(_ code: String, detail: String = "") -> String {
    localizer.text("hospitals.trouble", ["trouble": .text(code), "detail": .text(detail)])
  }

  func trouble(_ trouble: HospitalTrouble) -> String {
    if case .version(let version) = trouble {
      return self.trouble(trouble.code, detail: version)
    }
    return self.trouble(trouble.code)
  }
}

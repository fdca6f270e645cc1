// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// The apps that can be opened for a person from a page of this server.
struct AppGallery: Sendable {
  static let routes: [Route] = [
    .page(.get, Address.appGallery, show),
    .accountForm(Address.appGallery, start),
  ]

  private let person: PersonInReach
  private let apps: [App]

  /// Returns true if an account may open apps for a person: it acts for them or treats them, and not only in an
  /// emergency.
  static func mayStart(for person: PersonInReach) -> Bool {
    person.mayAct || person.right.relationship == .practitioner
  }

  /// Returns the person for whom the account opens an app; without a name, the person of the page.
  private static func person(_ named: String?, _ call: Call) throws -> PersonInReach {
    let patient = named.map { PatientID($0) } ?? call.person?.patient
    guard let person = call.people.first(where: { $0.patient == patient }), mayStart(for: person)
    else { throw DenialReason.noRelationship }
    return person
  }

  @Sendable private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let accounts = call.environment.accounts
    let person = try person(call.queryValue(patientField), call)
    let apps = try await call.environment.database.read { reader in
      try accounts.launchableApps(in: reader)
    }
    return AppGallery(person: person, apps: apps).response(call, signedIn)
  }

  private static let patientField = "patient"

  private func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    let localizer = call.localizer
    // A practitioner opens apps as themselves, from the desk.
    let isPatient = !person.mayAct
    var frame = isPatient ? call.careFrame(signedIn) : call.frame()
    frame.title = localizer.text("apps.start-title")
    frame.lead = localizer.text("apps.for", ["name": .text(person.name)])
    frame.back =
      isPatient
      ? PageFrame.BackLink(person.name, address: "\(Address.careTeam)/\(person.patient)")
      : PageFrame.BackLink(localizer.text("people.title"), address: Address.people)
    if !isPatient { frame.place = .people }
    let token = call.accountToken
    let none: Markup = "<p class=\"muted\">\(localizer.text("apps.start-none"))</p>"
    var response = call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("apps.start-about"))</p>\
      \(if: apps.isEmpty, none)\
      \(each: apps, { Self.card($0, person.patient, token, localizer) })</div>
      """)
    response.allowForms(to: apps.compactMap(\.addresses.launch))
    return response
  }

  private static func card(
    _ app: App, _ patient: PatientID, _ token: FormToken, _ localizer: Localizer
  ) -> Markup {
    let lines = ScopeChoices(app.scopes).lines(localizer)
    let list: Markup = "<ul>\(each: lines, { "<li>\($0)</li>" })</ul>"
    return """
      <div class="card"><h2 class="card-title">\(app.name)</h2>\(if: !lines.isEmpty, list)\
      \(ButtonRow(button(app, patient, token, localizer)))</div>
      """
  }

  /// Returns the button that opens an app for a person.
  static func button(
    _ app: App, _ patient: PatientID, _ token: FormToken, _ localizer: Localizer
  ) -> Markup {
    FormButton(
      localizer.text("apps.start", ["name": .text(app.name)]), action: Address.appGallery,
      token: token, fields: [("app", app.id.text), (patientField, patient.text)],
      kind: .secondary
    ).markup
  }

  /// Opens an app's own page with the context of the launch (SMART App Launch, section 2.0.6).
  @Sendable private static func start(_ form: PostedForm) async throws -> Response {
    let call = form.call
    guard let id = form.text("app") else {
      throw Failure.unprocessable("required", "app is missing.")
    }
    let patient = try person(form.text(patientField), call).patient
    let (accounts, account) = (call.environment.accounts, form.signedIn.account.id)
    let secret = Secret(prefix: Secret.appLaunchPrefix, random: call.environment.random)
    let address = try await form.run { context, writer in
      guard
        let app = try accounts.launchableApps(in: writer).first(where: { $0.id == AppID(id) }),
        let address = app.addresses.launch
      else { throw Failure.notFound }
      try accounts.beginLaunch(
        secret, of: app.id, by: account, for: patient, at: context.now, in: writer)
      return address
    }
    return call.redirect(
      to: QueryText.address(address, [("iss", call.fhirBase), ("launch", secret.text)]))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import Storage
import Web

/// The page on which a person decides what an app may do, for whom and how long.
struct ConsentPage: Sendable {
  /// The access that the person allowed.
  struct Decision: Sendable {
    let scopes: SMARTScopes
    let patient: PatientID?
    /// The days of offline access; nil for access of an hour.
    let days: Int?
  }

  private let request: AuthorizationRequest
  /// The persons whose data the account may share.
  private let people: [PersonInReach]
  private var chosen: [String]
  private var patient: PatientID?
  private var hasNothing = false
  private var lacksPerson = false

  /// Creates the page of a request; throws ``OAuthFailure`` if the account cannot answer it.
  init(_ request: AuthorizationRequest, _ call: Call, _ signedIn: SignedIn) async throws {
    self.request = request
    chosen = ScopeChoices(request.scopes).values
    guard request.needsPerson else {
      self.people = []
      return
    }
    var people = call.people.filter(\.mayAct)
    if let launch = request.launch {
      // A practitioner opens apps for patients, who share their data with them.
      people = call.people.filter(AppGallery.mayStart)
      let accounts = call.environment.accounts
      let (app, account, now) = (request.app.id, signedIn.account.id, call.now)
      let person = try await call.environment.database.read { reader in
        try accounts.launchPatient(launch, of: app, by: account, at: now, in: reader)
      }
      guard let person else {
        throw OAuthFailure.launchOver
      }
      people = people.filter { $0.patient == person }
    }
    guard !people.isEmpty else {
      throw OAuthFailure(.accessDenied, "The account cannot share anyone's data.")
    }
    self.people = people
    patient = people.first { $0.patient == call.person?.patient }?.patient ?? people.first?.patient
  }

  /// Returns what a form allows; nil if something must be corrected.
  mutating func decision(_ form: PostedForm) -> Decision? {
    chosen = form.fields.all("allowed")
    let selected = SMARTScopes(parsing: chosen.joined(separator: " "))
    var launch = request.scopes.launch
    launch.remove(.onlineAccess)
    let days = form.text("days").flatMap { Int($0) }
    let lifetime = days.flatMap { AppLifetimes.offlineDays.contains($0) ? $0 : nil }
    let isOffline = launch.contains(.offlineAccess) && lifetime != nil
    if !isOffline { launch.remove(.offlineAccess) }
    let scopes = request.scopes.narrowed(to: SMARTScopes(selected.grants, launch: launch))
    if request.needsPerson {
      let named = form.text("whose").map { PatientID($0) }
      patient = people.first { $0.patient == named }?.patient
      lacksPerson = patient == nil
    }
    hasNothing = scopes.grants.isEmpty && !request.scopes.grants.isEmpty
    guard !hasNothing, !lacksPerson else { return nil }
    return Decision(scopes: scopes, patient: patient, days: isOffline ? lifetime : nil)
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let name: MessageArguments = ["name": .text(request.app.name)]
    var frame = call.frame()
    frame.title = localizer.text("apps.connect", name)
    frame.lead = localizer.text("apps.connect-lead", name)
    var errors: [FieldError] = []
    if lacksPerson {
      errors.append(FieldError(field: "whose", message: localizer.text("apps.person-missing")))
    }
    if hasNothing {
      errors.append(FieldError(field: "allowed", message: localizer.text("apps.nothing-chosen")))
    }
    let hidden: Markup = """
      \(each: request.fields, {
        "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">"
      })
      """
    var response = call.formPage(
      frame, errors: errors,
      """
      \(picture)\(Form(
        action: AppEndpoint.consent, token: call.accountToken,
        fields: """
          \(hidden)\(personField(localizer))\(scopeField(localizer))\
          \(who(localizer))\(daysField(localizer))
          """,
        buttons: """
          \(Button(localizer.text("apps.allow"), name: "answer", value: "allow"))\
          \(Button(
            localizer.text("apps.deny"), kind: .secondary, name: "answer", value: "deny"))
          """))\
      <p class="muted">\(localizer.text(
        "apps.back", ["address": .text(Self.host(request.target.redirect))]))</p>\(links(localizer))
      """)
    response.allowForms(to: [request.target.redirect])
    if let logo = request.app.addresses.logo { response.allowPicture(from: logo) }
    return response
  }

  /// The picture of the app, loaded from its own site, which learns nothing that it doesn't know: the person comes
  /// from there.
  private var picture: Markup? {
    request.app.addresses.logo.map { address in
      """
      <p><img src="\(address)" alt="" width="64" height="64" referrerpolicy="no-referrer"></p>
      """
    }
  }

  private func personField(_ localizer: Localizer) -> Markup {
    guard request.needsPerson else { return Markup() }
    let choices = people.map { FieldChoice($0.patient.text, $0.name) }
    return """
      \(FormField(
        "whose", label: localizer.text("apps.person"), kind: .radios(choices),
        value: patient?.text,
        error: lacksPerson ? localizer.text("apps.person-missing") : nil, localizer: localizer))
      """
  }

  private func scopeField(_ localizer: Localizer) -> Markup {
    let choices = ScopeChoices(request.scopes)
    guard !choices.isEmpty else { return Markup() }
    return """
      \(FormField(
        "allowed", label: localizer.text("apps.allowed"),
        kind: .checkboxes(choices.fields(localizer)), values: chosen,
        hint: localizer.text("apps.allowed-hint"),
        error: hasNothing ? localizer.text("apps.nothing-chosen") : nil, localizer: localizer))\
      \(choices.details(localizer))
      """
  }

  private func who(_ localizer: Localizer) -> Markup {
    guard request.asksWho else { return Markup() }
    return """
      <p>\(localizer.text("apps.who", ["name": .text(request.app.name)]))</p>
      """
  }

  private func daysField(_ localizer: Localizer) -> Markup {
    guard request.scopes.launch.contains(.offlineAccess) else {
      return "<p>\(localizer.text("apps.hour-only"))</p>"
    }
    let choices =
      [FieldChoice("0", localizer.text("apps.hour"))]
      + AppLifetimes.offlineDays.map { days in
        FieldChoice(String(days), localizer.text("apps.days", ["days": .number(days)]))
      }
    return """
      \(FormField(
        "days", label: localizer.text("apps.how-long"), kind: .select(choices), value: "90",
        localizer: localizer))
      """
  }

  private func links(_ localizer: Localizer) -> Markup {
    let addresses = request.app.addresses
    let all: [(key: MessageKey, address: String?)] = [
      ("apps.policy", addresses.policy), ("apps.terms", addresses.terms),
    ]
    let shown = all.compactMap { link in
      link.address.map { (text: localizer.text(link.key), address: $0) }
    }
    guard !shown.isEmpty else { return Markup() }
    return """
      <p>\(each: shown, {
        "<a href=\"\($0.address)\" rel=\"noreferrer\">\($0.text)</a> "
      })</p>
      """
  }

  /// Returns the host of an address, which people recognise.
  private static func host(_ address: String) -> String {
    guard let start = address.firstRange(of: "://") else { return address }
    return String(address[start.upperBound...].prefix { !"/?".contains($0) })
  }
}

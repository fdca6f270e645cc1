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

/// The page of the apps that an account has connected, and of those that it can start.
struct ConnectedAppsPage: Sendable {
  static let routes: [Route] = [
    .page(.get, Address.connectedApps, show),
    .accountForm("\(Address.connectedApps)/end", end),
  ]

  private static let ended = "\(Address.connectedApps)?app=ended"

  private let connected: [ConnectedApp]
  /// The apps that begin on a page of this server.
  private let startable: [App]
  private let names: [PatientID: String]
  private let words: DoseFormatter

  private var localizer: Localizer { words.localizer }

  @Sendable private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let (accounts, account, now) = (environment.accounts, signedIn.account, call.now)
    let names = Dictionary(call.people.map { ($0.patient, $0.name) }) { first, _ in first }
    let localizer = call.localizer
    let page = try await environment.database.read { reader in
      ConnectedAppsPage(
        connected: try accounts.connectedApps(of: account.id, at: now, in: reader),
        startable: try accounts.launchableApps(in: reader),
        names: names,
        words: DoseFormatter(
          localizer: localizer,
          zone: try PeopleQueries.zone(account.patient, zones: environment.zones, in: reader),
          now: now))
    }
    return page.response(call)
  }

  private func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("apps.title")
    frame.lead = localizer.text("apps.about")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    if call.queryValue("app") == "ended" { frame.flash = FlashBar(localizer.text("apps.ended")) }
    let none: Markup = "<p class=\"muted\">\(localizer.text("apps.none"))</p>"
    let token = call.accountToken
    var response = call.page(
      frame,
      """
      <div class="narrow stack-large"><div class="stack">\(if: connected.isEmpty, none)\
      \(each: connected, { card($0, token) })</div>\(starts(call))</div>
      """)
    response.allowForms(to: startable.compactMap(\.addresses.launch))
    return response
  }

  private func card(_ app: ConnectedApp, _ token: FormToken) -> Markup {
    let grant = app.grant
    let choices = ScopeChoices(grant.scopes)
    let used =
      grant.used.map {
        localizer.text("account-security.note.used", ["time": .text(words.moment($0))])
      } ?? localizer.text("tokens.unused")
    let person = grant.patient.flatMap { names[$0] }.map {
      localizer.text("apps.for", ["name": .text($0)])
    }
    return """
      <div class="card"><h2 class="card-title">\(app.name)</h2>\
      \(person.map { "<p>\($0)</p>" as Markup })\
      <ul>\(each: choices.lines(localizer), { "<li>\($0)</li>" })</ul>\
      \(choices.details(localizer))\
      <p class="muted">\(localizer.text(
        "apps.since", ["time": .text(words.moment(grant.created))]))</p>\
      <p class="muted">\(used)</p>\
      <p class="muted">\(localizer.text(
        "apps.until", ["time": .text(words.moment(grant.expires))]))</p>\
      \(ButtonRow("""
        \(FormButton(
          localizer.text("apps.end"), action: "\(Address.connectedApps)/end", token: token,
          fields: [("grant", grant.id.text)], kind: .quiet, object: app.name))
        """))</div>
      """
  }

  /// The apps that can be started for the person of the page, for whom the account must act.
  private func starts(_ call: Call) -> Markup {
    guard !startable.isEmpty, let person = call.person, person.mayAct else { return Markup() }
    let token = call.accountToken
    let buttons = startable.map { AppGallery.button($0, person.patient, token, localizer) }
    return Section(
      localizer.text("apps.start-title"), ButtonRow(Markup.joined(buttons)).markup
    ).markup
  }

  @Sendable private static func end(_ form: PostedForm) async throws -> Response {
    guard let id = form.text("grant") else {
      throw Failure.unprocessable("required", "grant is missing.")
    }
    let (accounts, account) = (form.call.environment.accounts, form.signedIn.account.id)
    try await form.run { context, writer in
      guard
        try accounts.endAppGrant(AppGrantID(id), of: account, at: context.now, in: writer)
      else { throw Failure.notFound }
    }
    form.call.environment.sessions.forget()
    return form.redirect(to: ended)
  }
}

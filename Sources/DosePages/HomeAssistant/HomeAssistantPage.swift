// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HomeAutomation
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Storage
import Web

/// The page on which an account turns a person on for Home Assistant.
struct HomeAssistantPage: Sendable {
  private let own: HomeLink?
  /// The links of other accounts with their names; empty unless the viewer acts for the person.
  private let others: [(link: HomeLink, name: String)]
  private let words: DoseFormatter
  private let broker: HomeBroker.Condition?

  static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorizeExport("Dose", of: patient)
    let environment = call.environment
    let (accounts, now, account) = (environment.accounts, call.now, signedIn.account.id)
    let (links, names, zone) = try await environment.database.read { reader in
      let links = try HomeLinkStore.all(of: patient, at: now, in: reader)
      return (
        links, try accounts.displayNames(of: Set(links.map(\.account)), in: reader),
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      )
    }
    let page = HomeAssistantPage(
      own: links.first { $0.account == account },
      others: seesOthers(call, patient)
        ? links.filter { $0.account != account }.map { ($0, names[$0.account] ?? "") } : [],
      words: DoseFormatter(localizer: call.localizer, zone: zone, now: now),
      broker: environment.features[ifSet: HomeBroker.self]?.condition)
    return page.response(call)
  }

  static func seesOthers(_ call: Call, _ patient: PatientID) -> Bool {
    (try? call.authorize(.delete, HomeLink.resource, of: patient)) != nil
  }

  /// Returns the part of the devices page that leads here; nothing if no broker is set up.
  static func offer(_ call: Call) -> Markup {
    guard call.environment.features[ifSet: HomeBroker.self] != nil else { return Markup() }
    let localizer = call.localizer
    return Section(
      localizer.text("home-assistant.title"), id: "home-assistant",
      """
      <p>\(localizer.text("home-assistant.offer"))</p>\
      \(ButtonRow(LinkButton(
        localizer.text("home-assistant.open"), address: HomeAssistantRoutes.path,
        icon: .plus).markup))
      """
    ).markup
  }

  private func response(_ call: Call) -> Response {
    let localizer = words.localizer
    var frame = call.frame()
    frame.title = localizer.text("home-assistant.title")
    frame.lead = localizer.text("home-assistant.lead")
    frame.place = .me
    frame.back = .init(localizer.text("device.title"), address: "/device")
    if let done = call.queryValue("done"), ["on", "changed", "off"].contains(done) {
      frame.flash = FlashBar(localizer.text("home-assistant.done", ["done": .text(done)]))
    }
    var token = call.formToken
    // Anyone who sees the doses may have them at home too.
    token.mayAct = true
    return call.page(
      frame,
      """
      <div class="narrow stack-large"><div class="stack"><p>\(localizer.text("home-assistant.how"))</p>\
      <p class="muted">\(connection)</p></div>\(form(token))\
      \(if: !others.isEmpty, Section(
        localizer.text("home-assistant.others"), id: "others", list(token)).markup)</div>
      """)
  }

  private var connection: String {
    let localizer = words.localizer
    let state: String
    switch broker {
    case .connected?: state = "connected"
    case .elsewhere?: state = "elsewhere"
    case .starting?: state = "starting"
    case .down?: state = "down"
    case nil: return localizer.text("home-assistant.none", ["setting": "REGIMEN_MQTT_URL"])
    }
    return localizer.text("home-assistant.connection", ["state": .text(state)])
  }

  private func form(_ token: FormToken) -> Markup {
    let localizer = words.localizer
    let names = FormField(
      "names", label: localizer.text("home-assistant.say"),
      kind: .checkboxes([
        FieldChoice(
          "yes", localizer.text("home-assistant.names"),
          hint: localizer.text("home-assistant.names-hint"))
      ]), values: own?.namesMedicine == true ? ["yes"] : [], isRequired: false,
      localizer: localizer
    ).markup
    let save = Button(
      localizer.text(own == nil ? "home-assistant.turn-on" : "home-assistant.save"),
      person: token.personName)
    let settings = Form(
      action: HomeAssistantRoutes.path, token: token, fields: names, buttons: save.markup)
    guard let own else { return settings.markup }
    let off = FormButton(
      localizer.text("home-assistant.turn-off"), action: HomeAssistantRoutes.path, token: token,
      fields: [("change", "off")], kind: .secondary)
    return """
      <div class="stack"><p>\(made(own))</p>\(settings)\(off)</div>
      """
  }

  private func list(_ token: FormToken) -> Markup {
    let localizer = words.localizer
    let rows: [Markup] = others.map { link, name in
      """
      <li class="card"><h3 class="card-title">\(name)</h3><p>\(made(link))</p>\
      \(FormButton(
        localizer.text("home-assistant.turn-off"),
        action: "\(HomeAssistantRoutes.path)/\(link.account.text)/end", token: token,
        kind: .secondary, object: name))</li>
      """
    }
    return "<ul class=\"stack\" role=\"list\">\(rows)</ul>"
  }

  private func made(_ link: HomeLink) -> String {
    words.localizer.text("home-assistant.is-on", ["time": .text(words.moment(link.created))])
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
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

/// The page that creates and ends addresses for widgets and watch faces.
struct WidgetPage: Sendable {
  private let own: [WidgetAddress]
  /// The addresses of other accounts with their names; empty unless the viewer acts for the person.
  private let others: [(address: WidgetAddress, name: String)]
  private let words: DoseFormatter
  /// The new secret, which is shown only this once.
  private var made: Secret?
  private var isFull = false

  static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await read(call, signedIn).response(call)
  }

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> WidgetPage {
    let patient = call.patient(of: signedIn)
    _ = try call.authorizeExport("Dose", of: patient)
    let environment = call.environment
    let account = signedIn.account.id
    let seesOthers = seesOthers(call, patient)
    let (accounts, now) = (environment.accounts, call.now)
    let (all, names, zone) = try await environment.database.read { reader in
      let all = try WidgetAddresses.all(of: patient, at: now, in: reader)
      return (
        all, try accounts.displayNames(of: Set(all.map(\.account)), in: reader),
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      )
    }
    return WidgetPage(
      own: all.filter { $0.account == account },
      others: seesOthers
        ? all.filter { $0.account != account }.map { ($0, names[$0.account] ?? "") } : [],
      words: DoseFormatter(localizer: call.localizer, zone: zone, now: now))
  }

  private static func seesOthers(_ call: Call, _ patient: PatientID) -> Bool {
    (try? call.authorize(.delete, WidgetAddresses.resource, of: patient)) != nil
  }

  static func make(_ form: PostedForm) async throws -> Response {
    let (call, patient, account) = (form.call, form.patient, form.signedIn.account.id)
    _ = try call.authorizeExport("Dose", of: patient)
    let secret = Secret(prefix: WidgetAddresses.prefix, random: call.environment.random)
    let names = form.isChecked("names")
    let isMade = try await form.run { context, writer in
      try WidgetAddresses.make(
        secret, id: context.newIdentifier(), of: patient, account: account, namesMedicine: names,
        at: context.now, in: writer)
    }
    var page = try await read(call, form.signedIn)
    page.made = isMade ? secret : nil
    page.isFull = !isMade
    return page.response(call)
  }

  static func end(_ form: PostedForm) async throws -> Response {
    let (call, patient, account) = (form.call, form.patient, form.signedIn.account.id)
    _ = try call.authorizeExport("Dose", of: patient)
    let id = try form.parameter("widget")
    let maker = seesOthers(call, patient) ? nil : account
    try await form.run { context, writer in
      guard
        try WidgetAddresses.end(
          id, of: patient, madeBy: maker, by: account, at: context.now, in: writer)
      else { throw Failure.notFound }
    }
    return form.redirect(to: "\(Address.widgets)?done=ended")
  }

  private func response(_ call: Call) -> Response {
    let localizer = words.localizer
    var frame = call.frame()
    frame.title = localizer.text("widgets.title")
    frame.lead = localizer.text("widgets.lead")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    if call.queryValue("done") == "ended" {
      frame.flash = FlashBar(localizer.text("widgets.ended"))
    }
    let full: Notice? =
      isFull
      ? Notice(
        .error,
        title: localizer.text("widgets.full", ["maximum": .number(WidgetAddresses.most)])) : nil
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(full)\(made.map { shown($0, call) })\
      \(Section(localizer.text("widgets.make-title"), id: "make", form(call)))\
      \(if: !own.isEmpty, Section(
        localizer.text("widgets.own"), id: "own", list(own.map { ($0, nil) }, call)).markup)\
      \(if: !others.isEmpty, Section(
        localizer.text("widgets.others"), id: "others",
        list(others.map { ($0.address, $0.name) }, call)).markup)</div>
      """, status: isFull ? .unprocessableContent : .ok)
  }

  private func shown(_ secret: Secret, _ call: Call) -> Markup {
    let localizer = words.localizer
    let address = "\(call.baseURL)\(WidgetRoutes.path)/\(secret.text)"
    return """
      <div class="notice notice-success">\(Icon.check)<div class="notice-body">\
      <p class="notice-title">\(localizer.text("widgets.once"))</p>\
      <p>\(localizer.text("widgets.json"))</p>\
      <p class="heart-secret"><code translate="no">\(address)</code></p>\
      <p>\(localizer.text("widgets.picture"))</p>\
      <p class="heart-secret"><code translate="no">\(address)\(WidgetRoutes.picturePath)</code></p>\
      <p>\(localizer.text("widgets.secret"))</p></div></div>
      """
  }

  private func form(_ call: Call) -> Markup {
    let localizer = words.localizer
    let names = FormField(
      "names", label: localizer.text("widgets.say"),
      kind: .checkboxes([
        FieldChoice(
          "yes", localizer.text("widgets.names"), hint: localizer.text("widgets.names-hint"))
      ]), isRequired: false, localizer: localizer
    ).markup
    var token = call.formToken
    // Anyone who sees the doses may have them on a watch too.
    token.mayAct = true
    return """
      <p>\(localizer.text("widgets.help"))</p>\
      \(Form(
        action: Address.widgets, token: token, fields: names,
        buttons: Button(localizer.text("widgets.make"), person: token.personName).markup))
      """
  }

  private func list(_ addresses: [(WidgetAddress, String?)], _ call: Call) -> Markup {
    let localizer = words.localizer
    var token = call.formToken
    token.mayAct = true
    let rows: [Markup] = addresses.map { address, name in
      let made = localizer.text("widgets.made", ["time": .text(words.moment(address.created))])
      let read = address.fetched.map {
        localizer.text("widgets.read", ["time": .text(words.moment($0))])
      }
      return """
        <li class="card">\(name.map { "<h3 class=\"card-title\">\($0)</h3>" as Markup })<p>\(made)</p>\
        <p class="muted">\(localizer.text(
          address.namesMedicine ? "widgets.with-names" : "widgets.without-names"))</p>\
        <p class="muted">\(read ?? localizer.text("widgets.never-read"))</p>\
        \(FormButton(
          localizer.text("widgets.end"), action: "\(Address.widgets)/\(address.id)/end", token: token,
          kind: .secondary, object: [name, made].compactMap(\.self).joined(separator: ", ")))</li>
        """
    }
    return "<ul class=\"stack\" role=\"list\">\(rows)</ul>"
  }
}

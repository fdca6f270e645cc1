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
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The page that makes, lists and revokes a person's stickers.
struct StickersPage: Sendable {
  private let stickers: [Sticker]
  private let plans: [(plan: PlanID, name: String)]
  private let words: DoseFormatter
  private let logsAtOnce: Bool
  private var input = StickerInput()
  private var mistakes: [StickerInput.Mistake] = []

  // MARK: Requests

  static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    var page = try await read(call, signedIn)
    page.input.subject = call.queryValue("plan") ?? StickerInput.place
    return page.response(call)
  }

  static func make(_ form: PostedForm) async throws -> Response {
    let (call, patient, account) = (form.call, form.patient, form.signedIn.account.id)
    _ = try mayMake(call, patient)
    var page = try await read(call, form.signedIn)
    page.input = StickerInput(form.fields)
    let (subject, mistakes) = page.input.checked(plans: page.plans.map { $0.plan })
    page.mistakes = mistakes
    guard let subject, mistakes.isEmpty else { return page.response(call) }
    let (name, cipher) = (page.input.name, call.environment.accounts.cipher)
    let isMade = try await form.run { context, writer in
      try Stickers.make(
        Sticker(
          id: context.newIdentifier(), patient: patient, name: name, subject: subject,
          created: context.now),
        by: account, cipher: cipher, in: writer)
    }
    guard isMade else {
      page.mistakes = [.full]
      return page.response(call)
    }
    return form.redirect(to: "\(Address.stickers)?done=made")
  }

  static func end(_ form: PostedForm) async throws -> Response {
    let (patient, account) = (form.patient, form.signedIn.account.id)
    _ = try mayMake(form.call, patient)
    let id = try form.parameter("sticker")
    try await form.run { context, writer in
      guard try Stickers.end(id, of: patient, by: account, at: context.now, in: writer) else {
        throw Failure.notFound
      }
    }
    return form.redirect(to: "\(Address.stickers)?done=ended")
  }

  /// Returns the permission to answer for the person, which makes and revokes stickers too.
  static func mayMake(_ call: Call, _ patient: PatientID) throws -> Authorization {
    // First what may be seen: to others the person does not exist.
    let reading = try call.authorize(.read, "Dose", of: patient)
    _ = try call.authorize(.create, "MedicationAdministration", of: patient)
    return reading
  }

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> StickersPage {
    let patient = call.patient(of: signedIn)
    let authorization = try mayMake(call, patient)
    let environment = call.environment
    let (stickers, plans, zone) = try await environment.database.read { reader in
      (
        try Stickers.all(of: patient, in: reader),
        try PlanQueries.all(patient: patient, in: reader)
          .filter { $0.status == "active" || $0.status == "on-hold" }
          .map { (plan: $0.id, name: $0.medicineName) },
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      )
    }
    try await environment.audit(authorization, count: stickers.count, at: call.now)
    return StickersPage(
      stickers: stickers, plans: plans,
      words: DoseFormatter(localizer: call.localizer, zone: zone, now: call.now),
      logsAtOnce: StickerRoutes.logsAtOnce(call, signedIn))
  }

  // MARK: The page

  private var localizer: Localizer { words.localizer }

  private func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("stickers.title")
    frame.lead = localizer.text("stickers.intro")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    let done = call.queryValue("done") ?? ""
    if ["made", "ended", "phone-on", "phone-off"].contains(done) {
      frame.flash = FlashBar(localizer.text("stickers.done", ["what": .text(done)]))
    }
    let errors = mistakes.map {
      FieldError(field: $0.field, message: $0.message(localizer))
    }
    return call.formPage(
      frame, errors: errors, hasSections: true,
      """
      \(Section(localizer.text("stickers.make-title"), id: "make", form(call)))\
      \(if: !stickers.isEmpty, Section(
        localizer.text("stickers.own"), id: "own", "\(list(call))\(printing)").markup)\
      \(Section(localizer.text("stickers.phone-title"), id: "phone", phone(call)))
      """)
  }

  private func form(_ call: Call) -> Markup {
    let subjects =
      [FieldChoice(StickerInput.place, localizer.text("stickers.place"))]
      + plans.map { FieldChoice($0.plan.text, $0.name) }
    let fields: Markup = """
      \(FormField(
        "name", label: localizer.text("stickers.name"), value: input.name,
        hint: localizer.text("stickers.name-hint"), error: message("name"),
        maximumLength: Stickers.longestName, localizer: localizer))\
      \(FormField(
        "subject", label: localizer.text("stickers.subject"), kind: .select(subjects),
        value: input.subject, error: message("subject"), localizer: localizer))\
      \(FormField(
        "time", label: localizer.text("stickers.time"), kind: .time, value: input.time,
        hint: localizer.text("stickers.time-hint"), error: message("time"), isRequired: false,
        localizer: localizer))
      """
    return """
      <p>\(localizer.text("stickers.help"))</p>\
      \(Form(
        action: Address.stickers, token: call.formToken, fields: fields,
        buttons: Button(
          localizer.text("stickers.make"), icon: .plus, person: call.formToken.personName
        ).markup))
      """
  }

  private func message(_ field: String) -> String? {
    mistakes.first { $0.field == field }?.message(localizer)
  }

  private func list(_ call: Call) -> Markup {
    var names: [PlanID: String] = [:]
    for plan in plans { names[plan.plan] = plan.name }
    let cipher = call.environment.accounts.cipher
    let rows: [Markup] = stickers.map { sticker in
      let secret = Stickers.secret(sticker.id, of: sticker.patient, cipher: cipher)
      let address = "\(call.baseURL)\(StickerRoutes.path(secret))"
      let used = sticker.used.map {
        localizer.text("stickers.used", ["time": .text(words.moment($0))])
      }
      return """
        <li class="card"><h3 class="card-title">\(sticker.name)</h3>\
        <p>\(subject(sticker, names))</p>\
        <p class="muted">\(used ?? localizer.text("stickers.never-used"))</p>\
        \(Disclosure(
          localizer.text("stickers.address"), object: sticker.name,
          """
          <p>\(localizer.text("stickers.address-help"))</p>\
          <p class="break-anywhere"><code translate="no">\(address)</code></p>
          """))\
        \(FormButton(
          localizer.text("stickers.end"), action: "\(Address.stickers)/\(sticker.id)/end",
          token: call.formToken, kind: .secondary, object: sticker.name))</li>
        """
    }
    return "<ul class=\"stack\" role=\"list\">\(rows)</ul>"
  }

  private func subject(_ sticker: Sticker, _ names: [PlanID: String]) -> String {
    switch sticker.subject {
    case .medicine(let plan): return names[plan] ?? localizer.text("stickers.ended-medicine")
    case .place(nil): return localizer.text("stickers.any-time")
    case .place(let minute?):
      let time = localizer.time(hour: minute / 60, minute: minute % 60)
      return localizer.text("stickers.around", ["time": .text(time)])
    }
  }

  private var printing: Markup {
    ButtonRow(
      LinkButton(
        localizer.text("stickers.print"), address: "\(Address.stickers)/labels", kind: .primary,
        icon: .document
      ).markup
    ).markup
  }

  private func phone(_ call: Call) -> Markup {
    let button = FormButton(
      localizer.text(logsAtOnce ? "stickers.phone-off" : "stickers.phone-on"),
      action: "\(Address.stickers)/phone", token: call.accountToken,
      fields: [("choice", logsAtOnce ? "off" : "on")], kind: .secondary, icon: .phone)
    return """
      <p>\(localizer.text(logsAtOnce ? "stickers.phone-is-on" : "stickers.phone-help"))</p>\
      \(ButtonRow(button.markup))
      """
  }
}

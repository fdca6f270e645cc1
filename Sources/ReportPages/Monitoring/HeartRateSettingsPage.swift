// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HeartRate
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import SiteMap
import Storage
import Web

/// The settings of heart rate monitoring; a page compares the old and the new before they are saved.
package enum HeartRateSettingsRoutes {
  static let all: [Route] = [.page(.get, path, form), .form(path, submit)]

  static let path = "/heart-rate/monitoring/settings"

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let page = try await page(call, signedIn)
    return page.response(call, HeartRateSettingsInput(page.facts.settings))
  }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> HeartRateSettingsPage
  {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.update, VitalCommands.resource, of: patient)
    let facts = try await HeartRateMonitoringRoutes.facts(call, signedIn)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let (isLocked, glances) = try await call.environment.database.read { reader in
      (
        try HeartRateCommands.isLocked(for: context, patient, in: reader),
        try Glances.all(of: patient, in: reader)
      )
    }
    return HeartRateSettingsPage(facts: facts, isLocked: isLocked, glances: glances)
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let (call, patient) = (form.call, form.patient)
    let page = try await page(call, form.signedIn)
    let input = HeartRateSettingsInput(form.fields)
    guard let wanted = input.settings(page.facts.settings) else {
      return page.response(call, input, hasMistake: true)
    }
    guard form.text("confirmed") != nil else { return page.confirmation(call, input, wanted) }
    do {
      try await form.run { context, writer in
        try HeartRateCommands.save(wanted, of: patient, context, in: writer)
      }
    } catch HeartRateError.setByProvider {
      return page.response(call, input, hasMistake: true)
    } catch let error as HeartRateError {
      throw error.failure
    }
    return form.redirect(to: "\(Address.heartRateMonitoring)?done=saved")
  }
}

/// The form of the settings as typed.
struct HeartRateSettingsInput: Sendable {
  var isOn: String
  var method: String
  var from: String
  var until: String
  var monitored: String
  var plans: [PlanID]
  var wear: [String]
  var family: [String]
  var budget: String

  init(_ settings: HeartRateSettings) {
    isOn = settings.isOn ? "yes" : "no"
    method = settings.method.rawValue
    from = String(settings.window.lowerBound)
    until = String(settings.window.upperBound)
    monitored = settings.plans == nil ? "automatic" : "chosen"
    plans = settings.plans ?? []
    wear = settings.hasWear ? ["yes"] : []
    family = settings.tellsFamily ? ["tells"] : []
    budget = QuestionBudgetField.value(of: settings.budget)
  }

  init(_ form: FormBody) {
    isOn = form.text("on") ?? ""
    method = form.text("method") ?? ""
    from = form.text("from") ?? ""
    until = form.text("until") ?? ""
    monitored = form.text("watched") ?? ""
    plans = form.all("plan").map(PlanID.init)
    wear = form.all("wear")
    family = form.all("family")
    budget = form.text(QuestionBudgetField.name) ?? ""
  }

  /// Returns the settings; nil if the hours are inconsistent or something is missing.
  func settings(_ before: HeartRateSettings) -> HeartRateSettings? {
    guard let method = HeartRateMethod(rawValue: method), let from = Int(from),
      let until = Int(until),
      (0..<24).contains(from), (1...24).contains(until), from < until,
      ["yes", "no"].contains(isOn), ["automatic", "chosen"].contains(monitored),
      // A form without the choice keeps it.
      let budget = budget.isEmpty ? before.budget : QuestionBudgetField.budget(of: budget)
    else { return nil }
    var settings = before
    settings.isOn = isOn == "yes"
    settings.method = method
    settings.window = from..<until
    settings.plans = monitored == "chosen" ? plans : nil
    settings.hasWear = wear.contains("yes")
    settings.tellsFamily = family.contains("tells")
    settings.budget = budget
    return settings
  }

  /// The fields that a confirmation page posts again.
  var fields: [(name: String, value: String)] {
    [("on", isOn), ("method", method), ("from", from), ("until", until), ("watched", monitored)]
      + plans.map { ("plan", $0.text) } + wear.map { ("wear", $0) }
      + family.map { ("family", $0) } + [(QuestionBudgetField.name, budget)]
  }
}

struct HeartRateSettingsPage: Sendable {
  let facts: HeartRateFacts
  /// True if a provider set the limit and the viewer may not change how it is applied.
  let isLocked: Bool
  let glances: [(id: GlanceID, created: Timestamp)]

  func response(_ call: Call, _ input: HeartRateSettingsInput, hasMistake: Bool = false) -> Response
  {
    let localizer = call.localizer
    let frame = frame(call)
    let mistake = localizer.text("heart-rate-monitoring.settings.mistake")
    let errors = hasMistake ? [FieldError(field: "from", message: mistake)] : []
    return call.formPage(
      frame, errors: errors,
      """
      \(if: isLocked, Notice(
        .information,
        title: localizer.text(
          "heart-rate-monitoring.locked", ["name": .text(facts.boundary?.byName ?? "")])).markup)\
      \(Form(
        action: HeartRateSettingsRoutes.path, token: call.formToken,
        fields: fields(input, hasMistake ? mistake : nil, localizer),
        buttons: Button(
          localizer.text("heart-rate-monitoring.settings.continue"), person: call.formToken.personName).markup))\
      \(GlancePart(glances: glances, facts: facts).markup(call))
      """)
  }

  private func frame(_ call: Call) -> PageFrame {
    var frame = call.frame()
    frame.title = call.localizer.text("heart-rate-monitoring.settings.title")
    frame.place = .progress
    frame.back = .init(
      call.localizer.text("heart-rate-monitoring.title"), address: Address.heartRateMonitoring)
    return frame
  }

  private func fields(
    _ input: HeartRateSettingsInput, _ mistake: String?, _ localizer: Localizer
  ) -> Markup {
    func choices(_ field: String, _ values: [String]) -> [FieldChoice] {
      values.map {
        FieldChoice(
          $0, localizer.text("heart-rate-monitoring.choice", ["what": .text("\(field)-\($0)")]))
      }
    }
    func hours(_ values: ClosedRange<Int>) -> FieldKind {
      .select(values.map { FieldChoice(String($0), localizer.time(hour: $0 % 24, minute: 0)) })
    }
    let locked: Markup = """
      <input type="hidden" name="method" value="\(input.method)">\
      <input type="hidden" name="from" value="\(input.from)">\
      <input type="hidden" name="until" value="\(input.until)">\
      <input type="hidden" name="budget" value="\(input.budget)">
      """
    let judged: Markup = """
      \(FormField(
        "method", label: localizer.text("heart-rate-monitoring.settings.method"),
        kind: .radios(choices("method", HeartRateMethod.allCases.map(\.rawValue))),
        value: input.method, localizer: localizer))\
      \(QuestionBudgetField(value: input.budget, localizer: localizer))\
      \(FieldGroup(
        localizer.text("heart-rate-monitoring.settings.window"),
        hint: localizer.text("heart-rate-monitoring.settings.window-hint"),
        """
        <div class="field-row">\(FormField(
          "from", label: localizer.text("heart-rate-monitoring.settings.from"), kind: hours(0...23),
          value: input.from, error: mistake, localizer: localizer))\
        \(FormField(
          "until", label: localizer.text("heart-rate-monitoring.settings.until"), kind: hours(1...24),
          value: input.until, localizer: localizer))</div>
        """))
      """
    let plans = facts.plans.all
    return """
      \(FormField(
        "on", label: localizer.text("heart-rate-monitoring.settings.on"),
        kind: .radios(choices("on", ["yes", "no"]), isCompact: true), value: input.isOn,
        localizer: localizer))\(isLocked ? locked : judged)\
      \(FormField(
        "watched", label: localizer.text("heart-rate-monitoring.settings.plans"),
        kind: .radios(choices("watched", ["automatic", "chosen"])), value: input.monitored,
        localizer: localizer))\
      \(if: !plans.isEmpty, FormField(
        "plan", label: localizer.text("heart-rate-monitoring.settings.chosen"),
        kind: .checkboxes(plans.map { FieldChoice($0.plan.text, $0.name) }), values: input.plans.map(\.text),
        isRequired: false, localizer: localizer).markup)\
      \(FormField(
        "wear", label: localizer.text("heart-rate-monitoring.settings.wear"),
        kind: .checkboxes(choices("wear", ["yes"])), values: input.wear, isRequired: false,
        localizer: localizer))\
      \(FormField(
        "family", label: localizer.text("heart-rate-monitoring.settings.family"),
        kind: .checkboxes([
          FieldChoice(
            "tells", localizer.text("heart-rate-monitoring.choice", ["what": .text("tells-family")]))
        ]), values: input.family, isRequired: false, localizer: localizer))
      """
  }

  // MARK: Old and new

  func confirmation(
    _ call: Call, _ input: HeartRateSettingsInput, _ wanted: HeartRateSettings
  ) -> Response {
    let localizer = call.localizer
    let (old, new) = (said(facts.settings, localizer), said(wanted, localizer))
    let rows = zip(old, new).map { before, after in
      """
      <tr><th scope="row">\(before.term)</th><td>\(before.value)</td>\
      <td>\(if: before.value != after.value, "<strong>\(after.value)</strong>", else: Markup(text: after.value))</td></tr>
      """ as Markup
    }
    return call.page(
      frame(call),
      """
      <div class="narrow stack">\(ConfirmTable(rows: rows, localizer: localizer))\
      \(unmonitored(wanted, localizer))\(ButtonRow("""
        \(FormButton(
          localizer.text("heart-rate-monitoring.confirm"), action: HeartRateSettingsRoutes.path,
          token: call.formToken, fields: input.fields + [("confirmed", "yes")]))\
        \(LinkButton(localizer.text("heart-rate-monitoring.keep"), address: HeartRateSettingsRoutes.path))
        """))</div>
      """)
  }

  /// Returns what happens to the doses of medicines that will no longer be monitored.
  private func unmonitored(_ wanted: HeartRateSettings, _ localizer: Localizer) -> Markup {
    let names = facts.plans.monitored.filter { plan in
      !(wanted.plans?.contains(plan.plan) ?? plan.isBetaBlocker)
    }.map(\.name)
    guard facts.settings.isOn, !names.isEmpty else { return Markup() }
    return Notice(
      .information,
      title: localizer.text(
        "heart-rate-monitoring.settings.unwatched", ["names": .text(localizer.list(names))])
    ).markup
  }

  private func said(
    _ settings: HeartRateSettings, _ localizer: Localizer
  ) -> [(term: String, value: String)] {
    func choice(_ text: String) -> String {
      localizer.text("heart-rate-monitoring.choice", ["what": .text(text)])
    }
    let names = facts.plans.all.filter { settings.plans?.contains($0.plan) ?? false }.map(\.name)
    let none = localizer.text("heart-rate-monitoring.settings.none")
    return [
      (
        localizer.text("heart-rate-monitoring.settings.on"),
        choice(settings.isOn ? "on-yes" : "on-no")
      ),
      (
        localizer.text("heart-rate-monitoring.settings.method"),
        choice("method-\(settings.method.rawValue)")
      ),
      (
        localizer.text("heart-rate-monitoring.settings.budget"),
        QuestionBudgetField.text(settings.budget, localizer)
      ),
      (
        localizer.text("heart-rate-monitoring.settings.window"),
        localizer.text(
          "reminders.range",
          [
            "first": .text(localizer.time(hour: settings.window.lowerBound, minute: 0)),
            "last": .text(localizer.time(hour: settings.window.upperBound % 24, minute: 0)),
          ])
      ),
      (
        localizer.text("heart-rate-monitoring.settings.plans"),
        settings.plans == nil
          ? choice("watched-automatic") : names.isEmpty ? none : localizer.list(names)
      ),
      (
        localizer.text("heart-rate-monitoring.settings.wear"),
        choice(settings.hasWear ? "on-yes" : "on-no")
      ),
      (
        localizer.text("heart-rate-monitoring.settings.family"),
        choice(settings.tellsFamily ? "on-yes" : "on-no")
      ),
    ]
  }
}

/// The comparison of old and new settings before they are saved.
struct ConfirmTable: PagePart {
  let rows: [Markup]
  let localizer: Localizer

  var markup: Markup {
    let caption = localizer.text("heart-rate-monitoring.compare")
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr><td></td>\
      <th scope="col">\(localizer.text("heart-rate-monitoring.old"))</th>\
      <th scope="col">\(localizer.text("heart-rate-monitoring.new"))</th></tr></thead>\
      <tbody>\(rows)</tbody></table></div>
      """
  }
}

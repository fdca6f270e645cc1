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
import People
import SiteMap
import Storage
import Web

/// Setting the heart rate limit, by the person or by a provider from the average of the last days.
package enum LimitRoutes {
  static let all: [Route] = [.page(.get, path, form), .form(path, submit)]

  static let path = "/heart-rate/monitoring/limit"

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let page = try await page(call, signedIn)
    return page.response(call, LimitInput(page.facts.boundary))
  }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> LimitPage {
    let patient = call.patient(of: signedIn)
    let facts = try await HeartRateMonitoringRoutes.facts(call, signedIn)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let isProvider = HeartRateCommands.isProvider(patient, context)
    if !isProvider { _ = try call.authorize(.update, VitalCommands.resource, of: patient) }
    let isLocked = try await call.environment.database.read {
      try HeartRateCommands.isLocked(for: context, patient, in: $0)
    }
    return LimitPage(facts: facts, isProvider: isProvider, isLocked: isLocked)
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let page = try await page(form.call, form.signedIn)
    let input = LimitInput(form.fields)
    do {
      let command = try input.command(page, patient: form.patient, form.context)
      guard form.text("confirmed") != nil else {
        return try page.confirmation(form.call, input)
      }
      try await form.run { _, writer in try command(writer) }
    } catch let error as HeartRateError {
      return page.response(form.call, input, mistake: error)
    }
    return form.redirect(to: "\(Address.heartRateMonitoring)?done=limit")
  }
}

/// The form of the limit as typed.
struct LimitInput: Sendable {
  enum Way: String, Sendable, CaseIterable {
    /// Calculated from the average.
    case found
    /// Entered as a number.
    case number
    /// Set by a provider, from the average on the medicine or before it.
    case onMedicine = "on-medicine"
    case beforeMedicine = "before-medicine"
    /// Returned by a provider to the person.
    case release

    var phase: BoundarySetting.Phase? { BoundarySetting.Phase(rawValue: rawValue) }
  }

  var way: String
  var value: String
  var gap: String

  init(_ setting: BoundarySetting?) {
    way = setting?.value == nil ? Way.found.rawValue : Way.number.rawValue
    value = setting?.value.map { String(Int($0.rounded())) } ?? ""
    gap = String(Int((setting?.gap ?? HeartRateSettings.usualGap).rounded()))
  }

  init(_ form: FormBody) {
    way = form.text("way") ?? ""
    value = form.text("value") ?? ""
    gap = form.text("gap") ?? ""
  }

  var fields: [(name: String, value: String)] { [("way", way), ("value", value), ("gap", gap)] }

  private func number(_ text: String) -> Double? {
    let plain = text.replacing(",", with: ".").filter { !$0.isWhitespace }
    guard let number = Double(plain), number.isFinite else { return nil }
    return number
  }

  /// Returns the resulting limit, validated as far as possible without writing.
  func wanted(_ page: LimitPage) throws(HeartRateError) -> (value: Double?, gap: Double, way: Way) {
    guard let way = Way(rawValue: way) else { throw .value }
    switch way {
    case .release:
      guard page.isProvider else { throw .noProvider }
      return (nil, HeartRateSettings.usualGap, way)
    case .onMedicine, .beforeMedicine:
      guard page.isProvider, let phase = way.phase else { throw .noProvider }
      guard let gap = number(gap) else { throw .gap }
      return (try HeartRateCommands.reckon(page.facts, phase: phase, gap: gap).boundary, gap, way)
    case .number:
      guard let value = number(value), HeartRateSettings.values.contains(value) else {
        throw .value
      }
      return (value, try ownGap(page), way)
    case .found:
      guard !page.isProvider else { throw .value }
      return (nil, try ownGap(page), way)
    }
  }

  private func ownGap(_ page: LimitPage) throws(HeartRateError) -> Double {
    guard let gap = number(gap), HeartRateSettings.gaps.contains(gap) else { throw .gap }
    return gap
  }

  func command(
    _ page: LimitPage, patient: PatientID, _ context: CommandContext
  ) throws(HeartRateError) -> @Sendable (any SQLWriter) throws -> Void {
    if page.isLocked { throw .setByProvider }
    let wanted = try wanted(page)
    let typed = number(value)
    return { writer in
      if !page.isProvider {
        try HeartRateCommands.setOwn(
          wanted.value, gap: wanted.gap, of: patient, context, in: writer)
      } else if wanted.way == .release {
        try HeartRateCommands.release(of: patient, context, in: writer)
      } else {
        try HeartRateCommands.setAsProvider(
          value: typed, gap: wanted.gap, phase: wanted.way.phase, of: patient, context,
          in: writer)
      }
    }
  }
}

struct LimitPage: Sendable {
  let facts: HeartRateFacts
  let isProvider: Bool
  let isLocked: Bool
  /// The patient's page of the provider; nil on the pages of the chosen person.
  var care: Care?

  /// The position among a practitioner's own pages.
  struct Care: Sendable {
    let address: String
    let back: PageFrame.BackLink
    let frame: PageFrame
  }

  private var address: String { care?.address ?? LimitRoutes.path }

  /// A provider who may only view other pages can act on this one.
  private func token(_ call: Call) -> FormToken {
    guard care == nil else { return call.accountToken }
    var token = call.formToken
    if isProvider { token.mayAct = true }
    return token
  }

  private func frame(_ call: Call) -> PageFrame {
    var frame = care?.frame ?? call.frame()
    frame.title = call.localizer.text("heart-rate-monitoring.limit.title")
    frame.place = care == nil ? .progress : .patients
    frame.back =
      care?.back
      ?? .init(
        call.localizer.text("heart-rate-monitoring.title"), address: Address.heartRateMonitoring)
    return frame
  }

  func response(_ call: Call, _ input: LimitInput, mistake: HeartRateError? = nil) -> Response {
    let localizer = call.localizer
    let frame = frame(call)
    let message = mistake.map { text(of: $0, localizer) }
    let errors = message.map { [FieldError(field: "way", message: $0)] } ?? []
    return call.formPage(
      frame, errors: errors,
      """
      <p>\(HeartRateText(localizer: localizer).limit(facts))</p>\(averages(localizer))\
      \(isLocked
        ? Notice(
          .information,
          title: localizer.text(
            "heart-rate-monitoring.locked", ["name": .text(facts.boundary?.byName ?? "")])).markup
        : Form(
          action: address, token: token(call), fields: fields(input, message, localizer),
          buttons: Button(
            localizer.text("heart-rate-monitoring.settings.continue"), person: token(call).personName
          ).markup).markup)\
      \(care.map { CareTeamHeartRate.judging(facts, $0, call) })\
      <p class="muted">\(localizer.text("heart-rate-monitoring.disclaimer"))</p>
      """)
  }

  private func averages(_ localizer: Localizer) -> Markup {
    guard let average = facts.average(days: 14) else { return Markup() }
    let rate = localizer.heartRate(average.bpm)
    return """
      <p>\(localizer.text(
        "heart-rate-monitoring.limit.average", ["rate": .text(rate), "days": .number(average.days)]))</p>
      """
  }

  private func fields(_ input: LimitInput, _ mistake: String?, _ localizer: Localizer) -> Markup {
    let ways: [LimitInput.Way] =
      isProvider ? [.onMedicine, .beforeMedicine, .number, .release] : [.found, .number]
    let known = ways.contains { $0.rawValue == input.way }
    return """
      \(FormField(
        "way", label: localizer.text("heart-rate-monitoring.limit.way"),
        kind: .radios(ways.map {
          FieldChoice($0.rawValue, localizer.text("heart-rate-monitoring.choice", ["what": .text("way-\($0.rawValue)")]))
        }), value: known ? input.way : ways.first?.rawValue, error: mistake, localizer: localizer))\
      \(FormField(
        "value", label: localizer.text("heart-rate-monitoring.limit.value"), kind: .integer,
        value: input.value, hint: localizer.text("heart-rate-monitoring.limit.value-hint"), isRequired: false,
        unit: localizer.text("heart-rate.unit"), localizer: localizer))\
      \(FormField(
        "gap", label: localizer.text("heart-rate-monitoring.limit.gap"), kind: .integer, value: input.gap,
        hint: localizer.text("heart-rate-monitoring.limit.gap-hint", ["who": .text(isProvider ? "provider" : "own")]),
        unit: localizer.text("heart-rate.unit"), localizer: localizer))
      """
  }

  /// Returns the old and the new limit, before it is saved.
  func confirmation(_ call: Call, _ input: LimitInput) throws(HeartRateError) -> Response {
    let localizer = call.localizer
    let words = HeartRateText(localizer: localizer)
    let wanted = try input.wanted(self)
    let new =
      wanted.value.map(localizer.heartRate)
      ?? localizer.text(
        "heart-rate-monitoring.limit-found", ["gap": .number(Int(wanted.gap.rounded()))])
    let old = facts.outcome.boundary == nil ? words.setting(facts.boundary) : words.limit(facts)
    let row: Markup = """
      <tr><th scope="row">\(localizer.text("heart-rate-monitoring.limit"))</th><td>\(old)</td>\
      <td><strong>\(new)</strong></td></tr>
      """
    return call.page(
      frame(call),
      """
      <div class="narrow stack">\(ConfirmTable(rows: [row], localizer: localizer))\
      \(if: isProvider && wanted.way != .release, Notice(
        .information, title: localizer.text("heart-rate-monitoring.limit.will-lock")).markup)\
      \(ButtonRow("""
        \(FormButton(
          localizer.text("heart-rate-monitoring.confirm"), action: address, token: token(call),
          fields: input.fields + [("confirmed", "yes")]))\
        \(LinkButton(localizer.text("heart-rate-monitoring.keep"), address: address))
        """))</div>
      """)
  }

  private func text(of error: HeartRateError, _ localizer: Localizer) -> String {
    let word =
      switch error {
      case .setByProvider: "locked"
      case .noProvider: "no-provider"
      case .tooFewDays: "days"
      case .gap: isProvider ? "gap-provider" : "gap"
      case .value, .window, .budget, .plans, .notFound, .words: "value"
      }
    return localizer.text("heart-rate-monitoring.limit.mistake", ["mistake": .text(word)])
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HeartRate
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Observations
import Presentation
import Storage
import Web

/// A patient's heart rate limit, and how a practitioner sets, evaluates and locks it.
package enum CareTeamHeartRate {
  /// The routes on which a practitioner sees and sets the limit.
  package static let all: [Route] = [
    .page(.get, "/care/:patient/heart-rate", form),
    .accountForm("/care/:patient/heart-rate", submit),
    .accountForm("/care/:patient/heart-rate/window", judge),
  ]

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let page = try await page(call, signedIn)
    return page.response(call, LimitInput(page.facts.boundary))
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let page = try await page(call, form.signedIn)
    let input = LimitInput(form.fields)
    let access = try await PractitionerAccess.open(call, form.signedIn)
    do {
      let command = try input.command(page, patient: access.patient, access.context(call))
      guard form.text("confirmed") != nil else { return try page.confirmation(call, input) }
      try await form.run { _, writer in try command(writer) }
    } catch let error as HeartRateError {
      return page.response(call, input, mistake: error)
    }
    return form.redirect(to: "\(access.address)?done=limit")
  }

  /// Saves the method and the hours, which the person cannot change while the limit is locked.
  private static func judge(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let page = try await page(call, form.signedIn)
    let access = try await PractitionerAccess.open(call, form.signedIn)
    guard let method = form.text("method").flatMap(HeartRateMethod.init(rawValue:)),
      let from = form.text("from").flatMap({ Int($0) }),
      let until = form.text("until").flatMap({ Int($0) }), from < until,
      let budget = form.text(QuestionBudgetField.name).map(QuestionBudgetField.budget(of:))
        ?? page.facts.settings.budget
    else { return page.response(call, LimitInput(page.facts.boundary), mistake: .window) }
    let context = access.context(call)
    do {
      try await form.run { _, writer in
        try HeartRateCommands.judgeAsProvider(
          method, window: from..<until, budget: budget, of: access.patient, context, in: writer)
      }
    } catch let error as HeartRateError {
      return page.response(call, LimitInput(page.facts.boundary), mistake: error)
    }
    return form.redirect(to: "\(access.address)?done=window")
  }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> LimitPage {
    let access = try await PractitionerAccess.open(call, signedIn)
    let authorization = try access.authorize(.read, VitalCommands.resource)
    let environment = call.environment
    let facts = try await environment.database.read {
      try HeartRateFacts.load(access.patient, now: call.now, zones: environment.zones, in: $0)
    }
    try await environment.audit(authorization, count: facts.values.count, at: call.now)
    var page = LimitPage(facts: facts, isProvider: true, isLocked: false)
    page.care = LimitPage.Care(
      address: "\(access.address)/heart-rate", back: .init(access.name, address: access.address),
      frame: call.careFrame(signedIn))
    return page
  }

  /// Returns the second form of the page.
  static func judging(_ facts: HeartRateFacts, _ care: LimitPage.Care, _ call: Call) -> Markup {
    let localizer = call.localizer
    let settings = facts.settings
    func hour(_ name: String, _ value: Int, _ hours: ClosedRange<Int>) -> FormField {
      FormField(
        name, label: localizer.text(MessageKey("heart-rate-monitoring.settings.\(name)")),
        kind: .select(
          hours.map { FieldChoice("\($0)", localizer.time(hour: $0 % 24, minute: 0)) }),
        value: "\(value)", localizer: localizer)
    }
    return Section(
      localizer.text("care-team.heart.judging"),
      Form(
        action: "\(care.address)/window", token: call.accountToken,
        fields: """
          \(FormField(
            "method", label: localizer.text("heart-rate-monitoring.settings.method"),
            kind: .radios(HeartRateMethod.allCases.map {
              FieldChoice(
                $0.rawValue,
                localizer.text("heart-rate-monitoring.choice", ["what": .text("method-\($0.rawValue)")]))
            }), value: settings.method.rawValue, localizer: localizer))\
          \(QuestionBudgetField(
            value: QuestionBudgetField.value(of: settings.budget), localizer: localizer))\
          <div class="field-row">\(hour("from", settings.window.lowerBound, 0...23))\
          \(hour("until", settings.window.upperBound, 1...24))</div>
          """,
        buttons: Button(localizer.text("care-team.heart.save"), kind: .secondary).markup
      ).markup + HeartReliability(localizer: localizer).markup
    ).markup
  }
}

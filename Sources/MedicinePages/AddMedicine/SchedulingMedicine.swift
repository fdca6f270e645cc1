// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Knowledge
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// The second and third step of adding a medicine: how often, and when and how much.
enum SchedulingMedicine {
  /// The answer that uses the interval of the medicine's rule, such as every 28 days.
  static let ruleAnswer = "rule"

  // MARK: How often

  /// Asks how often it is taken.
  @Sendable static func oftenForm(_ opened: OpenedDraft) async throws -> Response {
    HowOftenPage(opened: opened).response
  }

  /// Stores the answer and continues to the times, or to the long form.
  @Sendable static func chooseOften(
    _ draft: OpenedDraft, _ form: FormBody
  ) async throws -> Response {
    var opened = draft
    let answer = form.text("often") ?? ""
    let rule = answer == ruleAnswer ? opened.fields.frequencyRule : nil
    guard let often = rule == nil ? HowOften(rawValue: answer) : .days else {
      var page = HowOftenPage(opened: opened)
      page.isMissing = true
      return page.response
    }
    let details = opened.site.details(of: opened.draft.id)
    // The long form of a change shows the stored medicine.
    if opened.isChange, often.kind == nil { return opened.call.redirect(to: details) }
    opened.fields.choose(
      often, everyDays: rule?.days, today: opened.person.today, rhythm: opened.person.rhythm)
    try await opened.store()
    guard often.kind == nil else { return opened.redirect(to: .times) }
    return opened.call.redirect(to: details)
  }

  // MARK: When and how much

  /// Asks for times, amount, food and days; `missing` in the address marks missing fields.
  @Sendable static func timesForm(_ opened: OpenedDraft) async throws -> Response {
    guard let often = opened.fields.often else { return opened.redirect(to: .often) }
    guard often.kind != nil else {
      return opened.isChange
        ? opened.call.redirect(to: opened.site.form) : opened.redirect(to: .often)
    }
    var page = TimesAndAmountPage(opened: opened, often: often)
    if opened.call.queryValue("missing") != nil { page.errors = errors(opened, often) }
    return page.response
  }

  /// Stores times, amount, food and days.
  @Sendable static func setTimes(
    _ draft: OpenedDraft, _ form: FormBody
  ) async throws -> Response {
    guard let often = draft.fields.often, let kind = often.kind else {
      return draft.redirect(to: .often)
    }
    var opened = draft
    opened.fields.take(.times, from: form)
    opened.fields.set("schedule", [kind.rawValue])
    try await opened.store()
    var page = TimesAndAmountPage(opened: opened, often: often)
    if let field = form.text("more") {
      page.expanded = field
      return page.response
    }
    page.errors = errors(opened, often)
    return page.errors.isEmpty ? opened.redirect(to: .check) : page.response
  }

  /// Returns the mistakes in the third step.
  static func errors(_ opened: OpenedDraft, _ often: HowOften) -> StepErrors {
    var errors = StepErrors(
      opened.reading.issues.filter { !AddMedicineStep.which.fields.contains($0.field) },
      opened.localizer)
    let field = often.timesField
    let filled = opened.fields.form.all(field).count(where: { !TypedText.trimmed($0).isEmpty })
    // Two times were chosen; an empty one would turn twice a day into once a day.
    if let times = often.times, filled < times, errors.byField[field] == nil {
      errors.add(field, opened.localizer.text("medicines.problem.time"))
    }
    return errors
  }

  // MARK: The long form

  /// Shows the long form with everything entered in the steps.
  static func detailsForm(_ opened: OpenedDraft) -> Response {
    MedicineEditorPage(
      subject: .new(id: opened.draft.id.text), input: completeInput(opened),
      clock: opened.person.clock, rhythm: opened.person.rhythm
    ).response(opened.call)
  }

  /// Returns the fields of a draft, with defaults for steps that were not shown yet.
  static func completeInput(_ opened: OpenedDraft) -> MedicineInput {
    var input = opened.fields.input
    if input.start.isEmpty { input.start = opened.person.today.text }
    if input.strengthUnit.isEmpty { input.strengthUnit = StrengthUnit.milligram.rawValue }
    if input.policy.isEmpty { input.policy = ZonePolicy.follow.rawValue }
    return input
  }
}

// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import HTTPTypes
import Hummingbird
import Knowledge
import Localization
import Plans
import Presentation
import Storage
import Web

/// The page on which a person chooses when they are asked whether a medicine helped.
struct FollowUpPage: Sendable {
  let facts: FollowUpFacts
  let input: FollowUpInput

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let name = facts.medicine.name
    var frame = call.frame()
    frame.title = localizer.text("follow-ups.choice.title", ["name": .text(name)])
    frame.lead = localizer.text("follow-ups.choice.lead")
    frame.place = .medicines
    frame.back = .init(name, address: "/medicines/\(facts.medicine.plan)")
    let errors = self.errors(localizer)
    frame.hasErrors = !errors.isEmpty
    if errors.isEmpty, call.queryValue("done") == "saved" {
      frame.flash = FlashBar(localizer.text("follow-ups.choice.saved"))
    }
    let form = Form(
      action: FollowUpRoutes.address(of: facts.medicine.plan), token: call.formToken,
      fields: fields(localizer, errors),
      buttons: Button(
        localizer.text("follow-ups.choice.save"), icon: .check, object: name,
        person: call.formToken.personName
      ).markup)
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors, localizer: localizer))\
      \(FollowUpText(localizer).overuse(facts))\(form)</div>
      """, status: errors.isEmpty ? .ok : .unprocessableContent)
  }

  private func errors(_ localizer: Localizer) -> [FieldError] {
    guard input.choice == nil else { return [] }
    if input.time == nil {
      return [FieldError(field: "time", message: localizer.text("follow-ups.choice.time-missing"))]
    }
    return [
      FieldError(
        field: "minutes",
        message: localizer.text(
          "follow-ups.choice.minutes-wrong",
          [
            "least": .number(FollowUpTiming.allowed.lowerBound),
            "most": .number(FollowUpTiming.allowed.upperBound),
          ]))
    ]
  }

  private func fields(_ localizer: Localizer, _ errors: [FieldError]) -> Markup {
    func error(_ field: String) -> String? { errors.first { $0.field == field }?.message }
    let usual = FollowUpTiming(chosen: nil, gap: facts.medicine.gap)
    let times = FollowUpInput.Time.allCases.map { time in
      FieldChoice(
        time.rawValue,
        localizer.text("follow-ups.choice.time", ["time": .text(time.rawValue)]),
        hint: time == .usual
          ? localizer.text(
            "follow-ups.choice.usual",
            ["origin": .text(usual.origin.rawValue), "minutes": .number(usual.minutes)]) : nil)
    }
    return """
      \(FormField(
        "time", label: localizer.text("follow-ups.choice.when"), kind: .radios(times),
        value: input.time?.rawValue, error: error("time"), localizer: localizer))\
      \(FormField(
        "minutes", label: localizer.text("follow-ups.choice.minutes"), kind: .integer,
        value: input.minutes, error: error("minutes"), isRequired: false, localizer: localizer))\
      \(if: facts.rule?.use == .stated, headache(localizer))
      """
  }

  /// Returns the question that is asked only where a source states a limit for headaches.
  private func headache(_ localizer: Localizer) -> Markup {
    FormField(
      "headache", label: localizer.text("follow-ups.choice.headache"),
      kind: .checkboxes([
        FieldChoice("yes", localizer.text("follow-ups.choice.headache-yes"))
      ]), values: input.isForHeadache ? ["yes"] : [],
      hint: localizer.text("follow-ups.choice.headache-hint"), isRequired: false,
      localizer: localizer
    ).markup
  }
}

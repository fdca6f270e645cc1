// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import Scheduling
import Web

/// The form of an extra or free entry.
struct EntryPage: Sendable {
  let input: EntryInput
  let plans: [EntryPlan]
  let words: DoseFormatter
  var mistakes: [AnswerMistake] = []
  /// The page to return to.
  var returnPath = "/"

  private var localizer: Localizer { words.localizer }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("entry.title")
    frame.lead = localizer.text("entry.lead")
    frame.place = .today
    frame.back =
      returnPath == "/"
      ? .init(localizer.text("today.title"), address: "/")
      : .init(call.person?.name ?? localizer.text("today.title"), address: returnPath)
    frame.hasErrors = !mistakes.isEmpty
    let event = call.environment.newIdentifier()
    let content: Markup = """
      <div class="narrow stack">\
      \(ErrorSummary(mistakes.summary(in: .entry, localizer), localizer: localizer))\
      \(Form(
        action: "/entry", token: call.formToken,
        fields: """
          <input type="hidden" name="event" value="\(event)">\
          <input type="hidden" name="return" value="\(returnPath)">\(known)\(medicine)\(what)
          """,
        buttons: """
          \(Button(localizer.text("entry.save"), person: call.formToken.personName))\
          \(LinkButton(localizer.text("entry.cancel"), address: returnPath, kind: .quiet))
          """))</div>
      """
    return call.page(
      frame, content, status: mistakes.isEmpty ? .ok : .unprocessableContent)
  }

  /// The zone and units that a script needs to queue the entry offline.
  private var known: Markup {
    let units = plans.compactMap { plan in plan.amount.map { ("unit-\(plan.id)", $0.unit) } }
    return """
      \(each: [("zone", words.zone.identifier)] + units, { name, value in
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">" as Markup
      })
      """
  }

  private var medicine: Markup {
    let choices =
      plans.map { plan in
        FieldChoice(plan.id, plan.name, hint: plan.amount.map(words.amount))
      } + [FieldChoice(EntryInput.other, localizer.text("entry.other"))]
    let chosen = input.medicine ?? (plans.isEmpty ? EntryInput.other : nil)
    return """
      \(FormField(
        "medicine", label: localizer.text("entry.medicine"), kind: .radios(choices),
        value: chosen, error: message("medicine"), localizer: localizer))\
      \(FormField(
        "name", label: localizer.text("entry.name"), value: input.name,
        hint: localizer.text("entry.name-hint"), error: message("name"),
        isRequired: plans.isEmpty, maximumLength: 200, localizer: localizer))
      """
  }

  private var what: Markup {
    """
    <div class="field-row">\
    \(FormField(
      "date", label: localizer.text("dose.date"), kind: .date(through: words.today.text),
      value: input.date, error: message("date"), localizer: localizer))\
    \(FormField(
      "time", label: localizer.text("dose.time"), kind: .time, value: input.time,
      error: message("time"), localizer: localizer))</div>\
    \(FormField(
      "outcome", label: localizer.text("entry.outcome"),
      kind: .radios(
        [
          FieldChoice("taken", localizer.text("entry.taken")),
          FieldChoice("not-taken", localizer.text("entry.not-taken")),
        ], isCompact: true),
      value: input.outcome, error: message("outcome"), localizer: localizer))\
    <div class="field-row">\
    \(FormField(
      "amount-value", label: localizer.text("dose.amount"), kind: .decimal, value: input.amount,
      error: message("amount-value"), isRequired: false, maximumLength: 24,
      localizer: localizer))\
    \(FormField(
      "amount-unit", label: localizer.text("entry.unit"), kind: .select(units),
      value: input.unit ?? "", hint: plans.isEmpty ? nil : localizer.text("entry.unit-hint"),
      isRequired: false, localizer: localizer))</div>\
    \(FormField(
      "reason", label: localizer.text("entry.reason"), value: input.reason,
      hint: localizer.text("entry.reason-hint"), error: message("reason"), isRequired: false,
      maximumLength: 500, localizer: localizer))
    """
  }

  private var units: [FieldChoice] {
    [FieldChoice("", localizer.text("entry.no-unit"))]
      + DoseUnit.allCases.map { FieldChoice($0.rawValue, localizer.name(of: $0)) }
  }

  private func message(_ field: String) -> String? {
    mistakes.message(for: field, in: .entry, localizer)
  }
}

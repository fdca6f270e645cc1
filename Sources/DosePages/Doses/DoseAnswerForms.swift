// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import Storage
import Web

/// The forms that answer a dose or change its answer.
///
/// Each has its own event id, so that pressing twice counts once.
struct DoseAnswerForms {
  let surroundings: DoseSurroundings
  let words: DoseFormatter
  let typed: TypedAnswer?
  let mistakes: [AnswerMistake]
  let returnPath: String
  let token: FormToken
  let now: Timestamp
  let newIdentifier: () -> String

  private var dose: Dose { surroundings.dose }
  private var localizer: Localizer { words.localizer }
  private var action: String { "/doses/\(dose.id.text)/answers" }

  /// All answers to an open dose.
  var open: Markup {
    """
    <div class="stack">\(question)\(ButtonRow("\(takenNow)\(openLater)"))\
    \(Disclosure(
      localizer.text("dose.another-time"), isOpen: dose.state == .missed || typed?.action == .taken,
      takenAt))</div>\
    \(later)\
    \(Section(localizer.text("dose.not-taken.title"), id: "not-taken", notTaken))
    """
  }

  /// The forms that replace the current answer.
  var change: Markup {
    """
    \(Section(localizer.text("dose.change-taken"), takenAt))\
    \(Section(localizer.text("dose.not-taken.title"), id: "not-taken", notTaken))
    """
  }

  func undo(_ text: String) -> FormButton {
    FormButton(
      text, action: action, token: token, fields: fields(.undo, correcting: true),
      kind: .secondary, icon: .undo, object: dose.medicineName)
  }

  // MARK: Taken

  private var question: Markup {
    guard !surroundings.earlier.isEmpty else { return Markup() }
    let title = localizer.text(
      "dose.question.row", ["taken": .text(words.taken(surroundings.earlier))])
    return "\(Notice(.warning, title: title))"
  }

  private var takenNow: FormButton {
    let asked = surroundings.earlier.map { (name: "confirm", value: $0.administration.text) }
    return FormButton(
      localizer.text(asked.isEmpty ? "dose.taken-now" : "dose.taken-too"), action: action,
      token: token, fields: fields(.taken) + asked,
      kind: asked.isEmpty && dose.state != .missed ? .primary : .secondary, icon: .check,
      object: dose.medicineName)
  }

  private var takenAt: Markup {
    let isTaken = typed?.action == .taken
    let moment = words.local(
      dose.answer.flatMap { $0.action == .taken ? $0.at : nil }
        ?? (dose.state == .missed ? dose.due : now))
    let clock = String(moment.time.text.prefix(5))
    let amount = dose.answer?.amount ?? dose.amount
    let inputs: Markup = """
      <div class="field-row">\
      \(FormField(
        "at-date", label: localizer.text("dose.date"),
        kind: .date(through: words.today.text),
        value: isTaken ? typed?.date ?? "" : moment.date.text, error: message("at-date"),
        localizer: localizer))\
      \(FormField(
        "at-time", label: localizer.text("dose.time"), kind: .time,
        value: isTaken ? typed?.time ?? "" : clock, error: message("at-time"),
        localizer: localizer))</div>\
      \(amount.map(amountField))
      """
    // Offline, a script can't ask the server for these.
    let known = [
      (name: "zone", value: words.zone.identifier), (name: "unit", value: amount?.unit ?? ""),
    ]
    return """
      <div class="narrow">\(Form(
        action: action, token: token,
        fields: hidden(fields(.taken, correcting: dose.state.isAnswered) + known) + inputs,
        buttons: """
          \(Button(
            localizer.text("dose.save"), object: dose.medicineName, person: token.personName))
          """))</div>
      """
  }

  private func amountField(_ amount: Amount) -> Markup {
    let value = Amount.decimal(amount.value).map(localizer.number) ?? amount.value
    return """
      \(FormField(
        "amount-value", label: localizer.text("dose.amount"), kind: .decimal,
        value: typed?.action == .taken ? typed?.amount ?? value : value,
        hint: dose.amount.map { planned in
          localizer.text("dose.amount-hint", ["amount": .text(words.amount(planned))])
        },
        error: message("amount-value"), isRequired: false, unit: unitName(amount),
        maximumLength: 24, localizer: localizer))
      """
  }

  private func unitName(_ amount: Amount) -> String? {
    if let unit = DoseUnit(code: amount.code, text: amount.unit) { return localizer.name(of: unit) }
    let word = UnitAnnotation.word(code: amount.code, text: amount.unit)
    return word.isEmpty ? nil : word
  }

  // MARK: Later

  private var openLater: Markup {
    dose.answer?.action == .later ? "\(undo(localizer.text("dose.undo-later")))" : Markup()
  }

  private var later: Markup {
    let choices = LaterChoices.minutes(
      for: dose, minimumGap: surroundings.minimumGap, now: now)
    let content: Markup
    if choices.isEmpty {
      content = "<p class=\"muted\">\(localizer.text("dose.later.none"))</p>"
    } else if surroundings.isAskedWhyLater {
      content = laterWithReason(choices)
    } else {
      let buttons = choices.map { minutes in
        FormButton(
          localizer.text("dose.later.in", ["time": .text(words.duration(minutes: minutes))]),
          action: action, token: token,
          fields: fields(.later, correcting: dose.answer?.action == .later)
            + [("minutes", String(minutes))],
          kind: .secondary, icon: .clock, object: dose.medicineName)
      }
      content = """
        <p id="field-minutes">\(localizer.text("dose.later.hint"))</p>\(ButtonRow("\(buttons)"))
        """
    }
    let error = message("minutes").map { "<p class=\"field-error\">\($0)</p>" as Markup }
    return "\(Section(localizer.text("dose.later.title"), id: "later", "\(error)\(content)"))"
  }

  /// Returns the form that asks for the reason, after the dose was postponed three times.
  private func laterWithReason(_ choices: [Int]) -> Markup {
    let times = choices.map { minutes in
      FieldChoice(
        String(minutes),
        localizer.text("dose.later.in", ["time": .text(words.duration(minutes: minutes))]))
    }
    let isTyped = typed?.action == .later
    let inputs: Markup = """
      \(FormField(
        "later-reason", label: localizer.text("escalation.later-reason"),
        value: isTyped ? typed?.words : nil, hint: localizer.text("escalation.later-reason-hint"),
        error: message("later-reason"), maximumLength: 400, localizer: localizer))\
      \(FormField(
        "minutes", label: localizer.text("dose.later.title"),
        kind: .radios(times, isCompact: true),
        value: isTyped ? typed?.minutes : choices.first.map { String($0) }, localizer: localizer))
      """
    let sent = fields(.later, correcting: dose.answer?.action == .later)
    return """
      <div class="narrow">\(Form(
        action: action, token: token, fields: hidden(sent) + inputs,
        buttons: """
          \(Button(
            localizer.text("escalation.later"), kind: .secondary, icon: .clock,
            object: dose.medicineName, person: token.personName))
          """))</div>
      """
  }

  // MARK: Not taken

  private var notTaken: Markup {
    let isTyped = typed?.action == .skipped || typed?.action == .refused
    let inputs: Markup = """
      \(FormField(
        "reason", label: localizer.text("dose.reason"),
        kind: .radios(
          SkipReason.allCases.map { FieldChoice($0.rawValue, $0.label(localizer)) }),
        value: isTyped ? typed?.reason : nil, isRequired: false, localizer: localizer))\
      \(FormField(
        "reason-words", label: localizer.text("dose.reason-words"),
        value: isTyped ? typed?.words : nil, error: message("reason-words"), isRequired: false,
        maximumLength: 400, localizer: localizer))
      """
    let buttons: Markup = """
      \(Button(
        localizer.text("dose.skip"), kind: .secondary, icon: .barInCircle,
        object: dose.medicineName, name: "action", value: "skipped", person: token.personName))\
      \(Button(
        localizer.text("dose.refuse"), kind: .secondary, icon: .slashInCircle,
        object: dose.medicineName, name: "action", value: "refused", person: token.personName))
      """
    let sent = fields(nil, correcting: dose.state.isAnswered)
    return """
      <div class="narrow"><p>\(localizer.text("dose.not-taken.hint"))</p>\
      \(Form(action: action, token: token, fields: hidden(sent) + inputs, buttons: buttons))</div>
      """
  }

  // MARK: Fields

  private func fields(
    _ action: AnswerAction?, correcting: Bool = false
  ) -> [(name: String, value: String)] {
    var fields = [(name: "event", value: newIdentifier()), (name: "return", value: returnPath)]
    if let action { fields.insert((name: "action", value: action.rawValue), at: 0) }
    if correcting { fields.append((name: "corrects", value: String(dose.version))) }
    return fields
  }

  private func hidden(_ fields: [(name: String, value: String)]) -> Markup {
    "\(each: fields, { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })"
  }

  private func message(_ field: String) -> String? {
    mistakes.message(for: field, in: .dose, localizer)
  }
}

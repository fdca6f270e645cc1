// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Scheduling

/// Asks before a second intake is recorded; nothing has been written yet.
struct DoubleDosePage: Sendable {
  let medicine: String
  let intakes: [Intake]
  /// Limits of plans that it would go beyond.
  var breaches: [LimitBreach] = []
  let zone: Zone
  /// Where the form goes again.
  let action: String
  /// What was sent, to be sent again with the answer.
  let pairs: [FormPair]
  /// Where "No" leads.
  let back: String

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = DoseWords(localizer: localizer, zone: zone, now: call.now)
    var frame = call.frame()
    frame.title = localizer.text(
      breaches.isEmpty ? "dose.question.title" : "as-needed.question.title")
    frame.lead = medicine
    frame.place = .today
    let content: Markup = """
      <div class="narrow stack">\
      \(LimitLines(breaches: breaches, words: words))\
      \(if: !intakes.isEmpty, Notice(
        .warning,
        title: localizer.text(
          breaches.isEmpty ? "dose.question.lead" : "as-needed.question.taken"),
        taken(words)).markup)\
      <p>\(localizer.text("dose.question.explanation"))</p>\
      \(Form(
        action: action, token: call.formToken, fields: hidden,
        buttons: """
          \(Button(
            localizer.text("dose.question.yes"), kind: .secondary, object: medicine,
            person: call.formToken.personName))\
          \(LinkButton(localizer.text("dose.question.no"), address: back, kind: .primary))
          """))</div>
      """
    return call.page(frame, content, status: .conflict)
  }

  private func taken(_ words: DoseWords) -> Markup {
    """
    <ul>\(each: intakes, { "<li>\(line($0, words))</li>" })</ul>
    """
  }

  private func line(_ intake: Intake, _ words: DoseWords) -> String {
    let taken = words.taken([intake])
    guard let amount = intake.amount else { return "\(intake.medicineName): \(taken)" }
    return "\(intake.medicineName), \(words.amount(amount)): \(taken)"
  }

  private var hidden: Markup {
    let kept = pairs.filter {
      $0.name != ForgeryGuard.field && $0.name != PersonChoice.guardField && $0.name != "confirm"
    }
    return """
      \(each: kept, { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })\
      \(each: intakes, {
        "<input type=\"hidden\" name=\"confirm\" value=\"\($0.administration)\">"
      })\
      \(each: breaches, { "<input type=\"hidden\" name=\"confirm\" value=\"\($0.key)\">" })
      """
  }
}

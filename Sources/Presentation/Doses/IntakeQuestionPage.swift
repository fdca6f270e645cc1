// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Plans
import Scheduling
import Storage
import Web

/// The page that asks before a double, early or excessive intake is recorded; nothing is saved
/// until it is answered.
package struct IntakeQuestionPage: Sendable {
  /// The name of the medicine.
  package let medicine: String
  /// The question to ask.
  package let question: IntakeQuestion
  /// The patient's time zone.
  package let zone: Zone
  /// The address to which the form is sent again.
  package let action: String
  /// The fields that were sent, to be sent again with the confirmation.
  package let pairs: [FormPair]
  /// The address to which "No" leads.
  package let back: String

  /// Creates the page for a form that was sent.
  ///
  /// - Parameters:
  ///   - action: The address to which the form is sent again.
  ///   - pairs: The fields that were sent.
  ///   - back: The address to which "No" leads.
  package init(
    medicine: String, question: IntakeQuestion, zone: Zone, action: String, pairs: [FormPair],
    back: String
  ) {
    self.medicine = medicine
    self.question = question
    self.zone = zone
    self.action = action
    self.pairs = pairs
    self.back = back
  }

  /// Returns the page with the status 409.
  package func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = DoseFormatter(localizer: localizer, zone: zone, now: call.now)
    var frame = call.frame()
    frame.title = localizer.text(title(words))
    frame.lead = medicine
    frame.place = .today
    let content: Markup = """
      <div class="narrow stack">\(early(words))\
      \(LimitLines(breaches: question.breaches, words: words))\
      \(if: !question.intakes.isEmpty, Notice(
        .warning,
        title: localizer.text(
          question.breaches.isEmpty ? "dose.question.lead" : "as-needed.question.taken"),
        taken(words)).markup)\
      \(if: !isOnlyEarly, "<p>\(localizer.text("dose.question.explanation"))</p>")\
      \(Form(
        action: action, token: call.formToken, fields: hidden,
        buttons: """
          \(Button(
            localizer.text(isOnlyEarly ? "dose.early.yes" : "dose.question.yes"),
            kind: .secondary, object: medicine, person: call.formToken.personName))\
          \(LinkButton(localizer.text("dose.question.no"), address: back, kind: .primary))
          """))</div>
      """
    return call.page(frame, content, status: .conflict)
  }

  private var isOnlyEarly: Bool { question.intakes.isEmpty && question.breaches.isEmpty }

  private func title(_ words: DoseFormatter) -> MessageKey {
    if !question.breaches.isEmpty { return "as-needed.question.title" }
    guard isOnlyEarly else { return "dose.question.title" }
    let isTomorrow = question.early.map { words.local($0.due).date == words.today.adding(days: 1) }
    return isTomorrow == true ? "dose.early.tomorrow" : "dose.early.title"
  }

  private func early(_ words: DoseFormatter) -> Markup {
    guard let early = question.early else { return Markup() }
    return Notice(
      .warning,
      title: words.localizer.text(
        "dose.early.lead",
        ["due": .text(words.moment(early.due)), "at": .text(words.moment(early.at))]),
      """
      <p>\(words.localizer.text("dose.early.wait", ["length": .text(length(early, words))]))</p>\
      <p>\(words.localizer.text("dose.early.help"))</p>
      """
    ).markup
  }

  /// Returns the time between intake and planned time, such as `14 hours 5 minutes`.
  private func length(_ early: EarlyIntake, _ words: DoseFormatter) -> String {
    let minutes = Int(clamping: (early.due.milliseconds - early.at.milliseconds) / 60_000)
    let parts = [minutes - minutes % 60, minutes % 60].filter { $0 > 0 }
    return parts.map { words.duration(minutes: $0) }.joined(separator: " ")
  }

  private func taken(_ words: DoseFormatter) -> Markup {
    """
    <ul>\(each: question.intakes, { "<li>\(line($0, words))</li>" })</ul>
    """
  }

  private func line(_ intake: Intake, _ words: DoseFormatter) -> String {
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
      \(each: question.keys, { "<input type=\"hidden\" name=\"confirm\" value=\"\($0)\">" })
      """
  }
}

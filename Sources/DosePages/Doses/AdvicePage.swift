// SPDX-License-Identifier: Apache-2.0

import Encodings
import HTML
import Hummingbird
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The page after a dose was skipped because someone felt unwell: the plan's own rule, the numbers
/// to call, and undo.
///
/// It makes no judgement of its own.
struct AdvicePage: Sendable {
  let surroundings: DoseSurroundings
  let emergency: EmergencyNumber
  /// The address that the page continues to.
  let returnPath: String

  private var dose: Dose { surroundings.dose }

  /// Returns the address of the page about a dose.
  static func address(of dose: DoseID, returnPath: String) -> String {
    "/doses/\(dose.text)/advice?return=\(PercentEncoding.encode(returnPath))"
  }

  /// Reads the page of the dose in the address.
  static func read(_ id: DoseID, _ call: Call) async throws -> Response {
    let surroundings = try await DoseSurroundings.read(id, call)
    let call = call.opening(surroundings.dose.patient)
    let emergency = EmergencyNumber(
      region: try await call.emergencyRegion(), localizer: call.localizer)
    return AdvicePage(
      surroundings: surroundings, emergency: emergency,
      returnPath: LocalPath.checked(call.queryValue("return")) ?? "/"
    ).response(call)
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let words = DoseFormatter(localizer: localizer, zone: surroundings.zone, now: call.now)
    var frame = call.frame()
    frame.title = localizer.text("advice.title")
    frame.lead = "\(dose.medicineName) · \(words.dated(dose.due))"
    frame.place = .today
    frame.back = .init(localizer.text("today.title"), address: "/")
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(state(words, call))\
      \(CareCard(
        .emergency, title: localizer.text("advice.emergency"), localizer: localizer,
        emergency.markup))\
      \(ask(localizer, call))\(rule(words, call))\
      \(ButtonRow(LinkButton(
        localizer.text("advice.continue"), address: returnPath, kind: .primary).markup))</div>
      """)
  }

  /// The current state of the dose, with undo.
  private func state(_ words: DoseFormatter, _ call: Call) -> Markup {
    guard let answer = dose.answer, dose.state.isAnswered else { return Markup() }
    let reason = answer.reason.map { "<p>\($0)</p>" as Markup }
    let undo = FormButton(
      words.localizer.text("dose.undo"), action: "/doses/\(dose.id.text)/answers",
      token: call.formToken,
      fields: [
        ("action", "undo"), ("event", call.environment.newIdentifier()),
        ("corrects", String(dose.version)), ("return", returnPath),
      ], kind: .secondary, icon: .undo, object: dose.medicineName)
    return Notice(
      .information, title: words.chip(dose).text, "\(reason)\(ButtonRow(undo.markup))"
    ).markup
  }

  /// The doctor and the pharmacy, and the care team.
  private func ask(_ localizer: Localizer, _ call: Call) -> Markup {
    let mayAct = call.formToken.mayAct
    let enter = LinkButton(
      localizer.text("missed-dose-advice.enter-number"), address: Address.medicalContacts,
      icon: .pencil)
    let message = LinkButton(
      localizer.text("advice.message"), address: Address.conversations, icon: .message)
    let topics = LinkButton(
      localizer.text("advice.topics"), address: Address.knowledge, icon: .search)
    let numbers: Markup =
      surroundings.contacts.isEmpty
      ? "<p>\(localizer.text("missed-dose-advice.no-number"))</p>"
      : CareContactLines(contacts: surroundings.contacts, localizer: localizer).markup
    return Section(
      localizer.text("advice.ask-title"), id: "ask",
      """
      <p>\(localizer.text("advice.ask", ["name": .text(dose.medicineName)]))</p>\(numbers)\
      \(ButtonRow("""
        \(if: surroundings.contacts.isEmpty && mayAct, enter.markup)\
        \(if: mayAct, message.markup)\(topics)
        """))
      """
    ).markup
  }

  /// The rule that was entered with the plan for a skipped dose; empty if there is none.
  private func rule(_ words: DoseFormatter, _ call: Call) -> Markup {
    let advice = MissAdvice(surroundings.rule, for: dose, now: call.now)
    guard advice != .ask, dose.state != .taken else { return Markup() }
    return Section(
      words.localizer.text("advice.rule-title"), id: "rule",
      MissedDoseAdvicePart(
        advice: advice, contacts: surroundings.contacts, words: words,
        mayAct: call.formToken.mayAct
      ).markup
    ).markup
  }
}

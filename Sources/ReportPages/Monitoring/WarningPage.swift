// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HeartRateMonitoring
import HTML
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The question of a warning, and what follows from the answer.
struct WarningPage: Sendable {
  let found: WarningSurroundings

  init(_ found: WarningSurroundings) { self.found = found }

  private var warning: Warning { found.warning }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let text = WarningText(localizer: localizer)
    var frame = call.frame()
    frame.title = localizer.text(
      "heart-rate-monitoring.warning.title", ["kind": .text(warning.kind.rawValue)])
    frame.place = .today
    frame.back = .init(
      localizer.text("heart-rate-monitoring.title"), address: Address.heartRateMonitoring)
    frame.flash = DoneNote(call)?.flash(
      found.doses, words: DoseFormatter(localizer: localizer, zone: found.zone, now: call.now),
      now: call.now, token: call.formToken, returnPath: address,
      newIdentifier: call.environment.newIdentifier)
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(text.seen(warning))\
      \(if: warning.kind == .heart, " \(text.mayBe(warning))")</p>\(content(call))\
      \(if: warning.finding.isUnmoved, UnmovedNotice(localizer: localizer).markup)\
      <p class="muted">\(localizer.text("heart-rate-monitoring.disclaimer"))</p></div>
      """)
  }

  private var address: String { WarningRoutes.address(of: warning.id.text) }

  private func content(_ call: Call) -> Markup {
    if warning.kind == .wear { return wear(call) }
    return switch warning.answer {
    case nil: question(call)
    case .yes: when(call)
    case .no: planRule(call)
    case .unwell: safety(call.localizer)
    case .closed: thanks(call.localizer)
    }
  }

  private func choice(
    _ text: String, _ call: Call, _ field: (name: String, value: String),
    _ kind: ButtonKind = .secondary
  ) -> FormButton {
    FormButton(text, action: address, token: call.formToken, fields: [field], kind: kind)
  }

  // MARK: The question

  private func question(_ call: Call) -> Markup {
    let localizer = call.localizer
    let asks = localizer.text(
      "heart-rate-monitoring.ask", ["of": .text(warning.isMonitored ? "medicine" : "pulse")])
    return Section(
      asks,
      ButtonRow(
        """
        \(if: warning.isMonitored, """
          \(choice(localizer.text("heart-rate-monitoring.yes"), call, ("answer", "yes"), .primary))\
          \(choice(localizer.text("heart-rate-monitoring.no"), call, ("answer", "no"), .primary))
          """ as Markup)\
        \(choice(localizer.text("heart-rate-monitoring.unwell"), call, ("answer", "unwell")))\
        \(choice(localizer.text("heart-rate-monitoring.fine"), call, ("answer", "closed")))
        """
      ).markup
    ).markup
  }

  // MARK: Yes

  /// Returns the open doses to answer with a time: "Yes" on its own records nothing.
  private func when(_ call: Call) -> Markup {
    let localizer = call.localizer
    guard !found.doses.isEmpty else {
      return Notice(.success, title: localizer.text("heart-rate-monitoring.all-recorded")).markup
    }
    let words = DoseFormatter(localizer: localizer, zone: found.zone, now: call.now)
    return Section(
      localizer.text("heart-rate-monitoring.when"),
      """
      <p>\(localizer.text("heart-rate-monitoring.when-help"))</p>\(each: found.doses, { dose in
        Card(title: title(dose, words), level: .third, takenAt(dose, words, call)).markup
      })
      """
    ).markup
  }

  private func title(_ dose: Dose, _ words: DoseFormatter) -> String {
    words.localizer.text(
      "heart-rate-monitoring.dose",
      ["name": .text(dose.medicineName), "time": .text(clock(words).time(dose.due))])
  }

  private func clock(_ words: DoseFormatter) -> MedicineClock {
    MedicineClock(zone: found.zone, localizer: words.localizer)
  }

  private func takenAt(_ dose: Dose, _ words: DoseFormatter, _ call: Call) -> Markup {
    let localizer = call.localizer
    let due = words.local(dose.due)
    return Form(
      action: "/doses/\(dose.id.text)/answers", token: call.formToken,
      fields: """
        \(each: [
          ("action", "taken"), ("event", call.environment.newIdentifier()), ("return", address),
          ("zone", words.zone.identifier),
        ], { name, value in
          "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">" as Markup
        })<div class="field-row">\
        \(FormField(
          "at-date", label: localizer.text("dose.date"), kind: .date(through: words.today.text),
          value: due.date.text, localizer: localizer))\
        \(FormField(
          "at-time", label: localizer.text("dose.time"), kind: .time,
          value: String(due.time.text.prefix(5)), localizer: localizer))</div>
        """,
      buttons: Button(
        localizer.text("dose.save"), object: dose.medicineName,
        person: call.formToken.personName
      ).markup
    ).markup
  }

  // MARK: No

  /// Returns the plan's own rule, the next due time, and the offer of a reminder.
  private func planRule(_ call: Call) -> Markup {
    let localizer = call.localizer
    let words = DoseFormatter(localizer: localizer, zone: found.zone, now: call.now)
    let clock = clock(words)
    let rules: Markup = """
      \(each: found.doses, { dose in
        Card(title: title(dose, words), level: .third, rule(dose, words, call)).markup
      })\(each: found.next, { dose in
        "<p>\(localizer.text("heart-rate-monitoring.next", ["name": .text(dose.medicineName), "when": .text(clock.text(dose.due))]))</p>"
          as Markup
      })\(if: found.doses.isEmpty && found.next.isEmpty, """
        <p>\(localizer.text("heart-rate-monitoring.no-rule"))</p>
        """ as Markup)
      """
    return """
      \(Section(localizer.text("heart-rate-monitoring.plan-says"), rules))\(later(call))
      """
  }

  private func rule(_ dose: Dose, _ words: DoseFormatter, _ call: Call) -> Markup {
    let localizer = call.localizer
    let isOpen = dose.state == .due || dose.state == .later
    if let earlier = found.withinGap[dose.plan], !earlier.isEmpty {
      return """
        <p>\(localizer.text("heart-rate-monitoring.too-soon"))</p>\(LinkButton(
          localizer.text("heart-rate-monitoring.look"), address: "/doses/\(dose.id.text)?return=\(address)",
          object: dose.medicineName))
        """
    }
    guard isOpen else { return "<p>\(localizer.text("heart-rate-monitoring.too-late"))</p>" }
    return """
      <p>\(words.times(of: dose, hasOwnRule: false) ?? "")</p>\
      \(FormButton(
        localizer.text("heart-rate-monitoring.take-now"), action: "/doses/\(dose.id.text)/answers",
        token: call.formToken,
        fields: [
          ("action", "taken"), ("event", call.environment.newIdentifier()), ("return", address),
        ], icon: .check, object: dose.medicineName))
      """
  }

  private func later(_ call: Call) -> Markup {
    let localizer = call.localizer
    if let done = warning.done {
      return Notice(
        .success,
        title: localizer.text("heart-rate-monitoring.later-done", ["done": .text(done.rawValue)])
      ).markup
    }
    return Section(
      localizer.text("heart-rate-monitoring.later"),
      ButtonRow(
        """
        \(each: Array(WarningCommands.laterHours), { hours in
          choice(
            localizer.text("heart-rate-monitoring.in-hours", ["hours": .number(hours)]), call,
            ("hours", String(hours))).markup
        })\(choice(localizer.text("heart-rate-monitoring.not-again"), call, ("hours", "none"), .quiet))
        """
      ).markup
    ).markup
  }

  // MARK: Feeling unwell, and the rest

  private func safety(_ localizer: Localizer) -> Markup {
    """
    \(CareCard(
      .emergency, title: localizer.text("heart-rate-monitoring.safety.emergency"), localizer: localizer,
      "<p>\(localizer.text("heart-rate-monitoring.safety.emergency-text"))</p>"))\
    \(CareCard(
      .urgent, title: localizer.text("heart-rate-monitoring.safety.urgent"), localizer: localizer,
      "<p>\(localizer.text("heart-rate-monitoring.safety.urgent-text"))</p>"))
    """
  }

  private func thanks(_ localizer: Localizer) -> Markup {
    Notice(.success, title: localizer.text("heart-rate-monitoring.thanks")).markup
  }

  private func wear(_ call: Call) -> Markup {
    let localizer = call.localizer
    return """
      <p>\(localizer.text("heart-rate-monitoring.wear-help"))</p>\
      \(ButtonRow("""
        \(LinkButton(localizer.text("heart-rate-monitoring.wearing.title"), address: HeartRateMonitoringRoutes.wearingPath))\
        \(if: warning.answer == nil, choice(
          localizer.text("heart-rate-monitoring.understood"), call, ("answer", "closed"), .primary).markup)
        """))
      """
  }
}

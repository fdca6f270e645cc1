// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Storage
import Web

/// The rows of Today; texts that are the same in every row are looked up once.
struct TodayRows {
  private let words: DoseFormatter
  private let reader: String
  private let token: FormToken
  private let reading: TodayReading
  private let rendering: TodayRendering
  private let newIdentifier: () -> String
  private let taken: String
  private let takenToo: String
  private let skip: String
  private let another: String
  private let more: String
  private let undo: String
  private let record: String
  private let early: String
  private let yesterday: String

  init(reading: TodayReading, reader: String, rendering: TodayRendering) {
    self.reading = reading
    self.reader = reader
    self.rendering = rendering
    words = rendering.words
    token = rendering.token
    newIdentifier = rendering.newIdentifier
    let localizer = words.localizer
    taken = localizer.text("today.taken")
    takenToo = localizer.text("today.taken-too")
    skip = localizer.text("ring.text.skip")
    another = localizer.text("today.another")
    more = localizer.text("today.more")
    undo = localizer.text("today.undo")
    record = localizer.text("today.record")
    early = localizer.text("today.early")
    yesterday = localizer.text("today.yesterday")
  }

  /// Returns a row to answer now; without times, which its card states for all rows.
  func now(_ row: TodayModel.Row, withTimes: Bool = true) -> TodayRow {
    let dose = row.dose
    let said = reading.row(dose, rendering)
    var made = made(.now, row)
    made.facts = facts(dose) + (reading.advice[dose.plan] ?? [])
    made.chip = dose.state == .due ? nil : words.chip(dose)
    made.notes = "\(said.picture)\(advice(row, said, withTimes: withTimes))"
    guard token.mayAct else { return made }
    if isPlain(row) {
      made.check = takenButton(row).markup
      made.actions = button(row, said)
    } else {
      made.actions = "\(takenButton(row, kind: .secondary))\(button(row, said))"
    }
    made.menu = menu(dose)
    return made
  }

  /// Returns a row for a future dose, postponed or of tomorrow.
  func ahead(_ row: TodayModel.Row) -> TodayRow {
    let dose = row.dose
    let said = reading.row(dose, rendering)
    var made = made(.ahead, row)
    made.chip = dose.state == .scheduled ? nil : words.chip(dose)
    made.notes = "\(said.picture)\(advice(row, said))"
    guard token.mayAct else { return made }
    if dose.state.isAnswered {
      made.check = undoButton(dose).markup
    } else if dose.state == .later {
      made.actions = "\(takenButton(row, kind: .secondary))\(undoButton(dose))"
    } else {
      made.menu =
        LinkButton(
          early, address: "\(address(dose))?return=/", kind: .quiet, icon: .pencil,
          object: dose.medicineName
        ).markup
    }
    return made
  }

  /// Returns a row for a dose whose late window has passed.
  func missed(_ row: TodayModel.Row) -> TodayRow {
    let said = reading.row(row.dose, rendering)
    var made = made(.done, row)
    made.facts = [words.time(row.dose.due)] + facts(row.dose)
    made.chip = words.chip(row.dose)
    made.notes = forgotten(row, said)
    guard token.mayAct else { return made }
    let link = LinkButton(
      record, address: "\(address(row.dose))?return=/", icon: .pencil,
      object: row.dose.medicineName)
    made.actions = "\(button(row, said))\(link)"
    return made
  }

  /// Returns a row for an answered dose.
  func done(_ row: TodayModel.Row) -> TodayRow {
    let reason = row.dose.state == .taken ? row.dose.answer?.reason : nil
    var made = made(.done, row)
    made.facts = [words.time(row.dose.due)] + facts(row.dose)
    made.chip = words.chip(row.dose)
    made.notes = """
      \(day(row))\(row.dose.answer.map { by($0.by) })\
      \(because(reason))
      """
    made.check = undoButton(row.dose).markup
    if SkipReason.needsAdvice(row.dose) {
      made.actions =
        LinkButton(
          words.localizer.text("advice.title"),
          address: AdvicePage.address(of: row.dose.id, returnPath: "/"), icon: .info,
          object: row.dose.medicineName
        ).markup
    }
    return made
  }

  /// Returns a row for an intake that answered no dose.
  func extra(_ intake: Intake, reason: String?) -> TodayRow {
    var made = TodayRow(style: .done, entry: intake.administration, name: intake.medicineName)
    made.facts = [words.time(intake.taken)] + (intake.amount.map { [words.amount($0)] } ?? [])
    made.chip = words.chip(.taken, words.moment(intake.taken))
    made.notes = """
      <p class="muted">\(words.localizer.text("today.extra"))</p>\(by(intake.by))\
      \(because(reason))
      """
    made.check =
      FormButton(
        undo, action: "/entry/\(intake.administration)/undo", token: token,
        fields: [("event", newIdentifier())], kind: .quiet, icon: .undo,
        object: intake.medicineName
      ).markup
    return made
  }

  /// Returns the button that takes the only dose of a time, with its name.
  func only(_ row: TodayModel.Row) -> Markup {
    let text = words.localizer.text("today.taken-name", ["name": .text(row.dose.medicineName)])
    return takenButton(row, text: text).markup
  }

  /// Returns how long a due dose can be taken; nil if its own rule says so, or if nothing is due.
  func times(_ row: TodayModel.Row, _ said: TodayRowAddition? = nil) -> String? {
    guard row.dose.state == .due else { return nil }
    let said = said ?? reading.row(row.dose, rendering)
    return words.times(of: row.dose, hasOwnRule: said.saysHowLate)
  }

  /// Returns true if there is nothing to ask or read before it is taken.
  func isPlain(_ row: TodayModel.Row) -> Bool {
    row.question.isEmpty && row.dose.state != .withheld && !row.needsReview
  }

  // MARK: Parts

  private func made(_ style: TodayRow.Style, _ row: TodayModel.Row) -> TodayRow {
    let dose = row.dose
    var made = TodayRow(style: style, dose: dose, name: dose.medicineName, address: address(dose))
    made.facts = facts(dose)
    made.menuName = more
    return made
  }

  private func facts(_ dose: Dose) -> [String] {
    (dose.answer?.amount ?? dose.amount).map { [words.amount($0)] } ?? []
  }

  private func takenButton(
    _ row: TodayModel.Row, kind: ButtonKind = .primary, text: String? = nil
  ) -> FormButton {
    let dose = row.dose
    let asked = row.question.map { (name: "confirm", value: $0.administration.text) }
    return FormButton(
      text ?? (asked.isEmpty ? taken : takenToo), action: "\(address(dose))/answers", token: token,
      fields: [("action", "taken"), ("event", newIdentifier())] + asked,
      kind: kind, icon: .check, object: text == nil ? dose.medicineName : nil)
  }

  /// Returns the menu: Later and Skip with one press each; the page of the dose for another time or
  /// a reason.
  private func menu(_ dose: Dose) -> Markup {
    let minutes = LaterChoices.minutes(
      for: dose, minimumGap: reading.gaps[dose.plan], now: words.now)
    let later = minutes.first.map { minutes in
      FormButton(
        words.localizer.text("ring.later", ["minutes": .number(minutes)]),
        action: "\(address(dose))/answers", token: token,
        fields: [
          ("action", "later"), ("event", newIdentifier()), ("minutes", String(minutes)),
        ] + corrects(dose), kind: .secondary, icon: .clock, object: dose.medicineName)
    }
    let skipped = FormButton(
      skip, action: "\(address(dose))/answers", token: token,
      fields: [("action", "skipped"), ("event", newIdentifier())], kind: .secondary,
      icon: .barInCircle, object: dose.medicineName)
    let other = LinkButton(
      another, address: "\(address(dose))?return=/", icon: .pencil, object: dose.medicineName)
    return "\(later)\(skipped)\(other)"
  }

  /// Returns the field that replaces an earlier postponement; empty if there is none.
  private func corrects(_ dose: Dose) -> [(name: String, value: String)] {
    dose.answer?.action == .later ? [("corrects", String(dose.version))] : []
  }

  /// Returns another button to take it, if no question comes first.
  private func button(_ row: TodayModel.Row, _ said: TodayRowAddition) -> Markup {
    guard let button = said.button, row.question.isEmpty, !row.needsReview else { return Markup() }
    return button()
  }

  private func undoButton(_ dose: Dose) -> FormButton {
    FormButton(
      undo, action: "\(address(dose))/answers", token: token,
      fields: [
        ("action", "undo"), ("event", newIdentifier()), ("corrects", String(dose.version)),
      ], kind: .quiet, icon: .undo, object: dose.medicineName)
  }

  /// Returns information to read before answering: a recent intake, a rule that withholds it, how
  /// long it can be taken.
  private func advice(
    _ row: TodayModel.Row, _ said: TodayRowAddition, withTimes: Bool = true
  ) -> Markup {
    let localizer = words.localizer
    var lines: [String] = []
    if !row.question.isEmpty {
      lines.append(
        localizer.text("dose.question.row", ["taken": .text(words.taken(row.question))]))
    }
    if row.dose.state == .withheld {
      lines.append(localizer.text("dose.withheld.title"))
    } else if withTimes, let times = times(row, said) {
      lines.append(times)
    }
    return "\(forgotten(row, said))\(review(row))\(each: lines, { "<p>\($0)</p>" })"
  }

  private func review(_ row: TodayModel.Row) -> Markup {
    guard row.needsReview else { return Markup() }
    return "<p>\(words.localizer.text("import.look-first"))</p>"
  }

  /// Returns the day if it is another one, and the notes of features.
  private func forgotten(_ row: TodayModel.Row, _ said: TodayRowAddition) -> Markup {
    "\(day(row))\(said.advice)"
  }

  private func day(_ row: TodayModel.Row) -> Markup {
    row.isYesterday ? "<p class=\"muted\">\(yesterday)</p>" : Markup()
  }

  private func because(_ reason: String?) -> Markup {
    guard let reason else { return Markup() }
    return "<p>\(words.localizer.text("dose.story.reason", ["reason": .text(reason)]))</p>"
  }

  private func by(_ name: String) -> Markup {
    guard name != reader else { return Markup() }
    return """
      <p class="muted">\(words.localizer.text("today.by", ["name": .text(name)]))</p>
      """
  }

  private func address(_ dose: Dose) -> String { "/doses/\(dose.id.text)" }
}

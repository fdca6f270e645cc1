// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Plans
import Presentation
import Storage
import Web

/// The cards of Today; texts that stand in every row are looked up once.
struct TodayRows {
  private let words: DoseFormatter
  private let reader: String
  private let token: FormToken
  private let reading: TodayReading
  private let rendering: TodayRendering
  private let newIdentifier: () -> String
  private let taken: String
  private let takenToo: String
  private let putOff: String
  private let skip: String
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
    putOff = localizer.text("today.put-off")
    skip = localizer.text("today.skip")
    undo = localizer.text("today.undo")
    record = localizer.text("today.record")
    early = localizer.text("today.early")
    yesterday = localizer.text("today.yesterday")
  }

  /// To be answered now.
  func now(_ row: TodayModel.Row) -> DoseCard {
    let dose = row.dose
    let said = reading.row(dose, rendering)
    let emphasis: DoseCard.Emphasis = dose.isLate ? .late : .now
    guard token.mayAct else { return card(emphasis, row, said, details: advice(row, said)) }
    let link = "\(address(dose))?return=/"
    let actions: Markup = """
      \(takenButton(row))\(button(row, said))\
      \(LinkButton(putOff, address: "\(link)#later", icon: .clock, object: dose.medicineName))\
      \(LinkButton(skip, address: "\(link)#not-taken", icon: .barInCircle, object: dose.medicineName))
      """
    return card(emphasis, row, said, details: advice(row, said), actions: actions)
  }

  /// Still to come, put off, or of tomorrow.
  func ahead(_ row: TodayModel.Row) -> DoseCard {
    let dose = row.dose
    let said = reading.row(dose, rendering)
    let actions: Markup
    if dose.state.isAnswered {
      actions = "\(undoButton(dose))"
    } else if !token.mayAct {
      actions = Markup()
    } else if dose.state == .later {
      actions = "\(takenButton(row, kind: .secondary))\(undoButton(dose))"
    } else {
      actions = """
        \(LinkButton(
          early, address: "\(address(dose))?return=/", kind: .quiet, object: dose.medicineName))
        """
    }
    return card(.later, row, said, details: advice(row, said), actions: actions)
  }

  /// Its late window is over.
  func missed(_ row: TodayModel.Row) -> DoseCard {
    let said = reading.row(row.dose, rendering)
    guard token.mayAct else { return card(.done, row, details: forgotten(row, said)) }
    let link = LinkButton(
      record, address: "\(address(row.dose))?return=/", icon: .pencil,
      object: row.dose.medicineName)
    return card(
      .done, row, details: forgotten(row, said), actions: "\(button(row, said))\(link)")
  }

  /// Answered.
  func done(_ row: TodayModel.Row) -> DoseCard {
    let reason = row.dose.state == .taken ? row.dose.answer?.reason : nil
    let details: Markup = """
      \(day(row))\(row.dose.answer.map { by($0.by) })\
      \(because(reason))
      """
    return card(.done, row, details: details, actions: "\(undoButton(row.dose))")
  }

  /// An intake that answered no dose.
  func extra(_ intake: Intake, reason: String?) -> DoseCard {
    let button = FormButton(
      undo, action: "/entry/\(intake.administration)/undo", token: token,
      fields: [("event", newIdentifier())], kind: .quiet, icon: .undo,
      object: intake.medicineName)
    return DoseCard(
      .done, time: words.time(intake.taken), timestamp: words.machine(intake.taken),
      name: intake.medicineName, sentence: intake.amount.map(words.amount),
      chip: words.chip(.taken, words.moment(intake.taken)),
      details: """
        <p class="muted">\(words.localizer.text("today.extra"))</p>\(by(intake.by))\
        \(because(reason))
        """,
      actions: "\(button)")
  }

  // MARK: Parts

  private func card(
    _ emphasis: DoseCard.Emphasis, _ row: TodayModel.Row,
    _ said: TodayRowAddition = TodayRowAddition(), details: Markup, actions: Markup = Markup()
  ) -> DoseCard {
    let dose = row.dose
    return DoseCard(
      emphasis, time: words.time(dose.due), timestamp: words.machine(dose.due),
      name: dose.medicineName, address: address(dose),
      sentence: (dose.answer?.amount ?? dose.amount).map(words.amount), chip: words.chip(dose),
      details: "\(said.picture)\(details)", actions: actions, dose: dose)
  }

  private func takenButton(_ row: TodayModel.Row, kind: ButtonKind = .primary) -> FormButton {
    let dose = row.dose
    let asked = row.question.map { (name: "confirm", value: $0.administration.text) }
    let isPlain = asked.isEmpty && dose.state != .withheld && !row.needsReview
    return FormButton(
      asked.isEmpty ? taken : takenToo, action: "\(address(dose))/answers", token: token,
      fields: [("action", "taken"), ("event", newIdentifier())] + asked,
      kind: isPlain ? kind : .secondary, icon: .check, object: dose.medicineName)
  }

  /// Another way to take it, where nothing is asked first.
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

  /// What to know before answering: an intake shortly before, a rule that holds it, how long it can
  /// still be taken.
  private func advice(_ row: TodayModel.Row, _ said: TodayRowAddition) -> Markup {
    let localizer = words.localizer
    var lines: [String] = []
    if row.needsReview { lines.append(localizer.text("import.look-first")) }
    if !row.question.isEmpty {
      lines.append(
        localizer.text("dose.question.row", ["taken": .text(words.taken(row.question))]))
    }
    if row.dose.state == .withheld {
      lines.append(localizer.text("dose.withheld.title"))
    } else if row.dose.state == .due,
      let times = words.times(of: row.dose, hasOwnRule: said.saysHowLate)
    {
      lines.append(times)
    }
    return "\(forgotten(row, said))\(each: lines, { "<p>\($0)</p>" })"
  }

  /// The day where it is another one, and what features say.
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

// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Presentation
import Reminders
import Storage
import Web

/// What a ringing page shows besides doses.
struct RingOccasions: Sendable, Hashable {
  /// One of them, with what its source says about it.
  struct Row: Sendable, Hashable {
    let occasion: Occasion
    let name: String
    var snooze = Occasion.standardSnooze
    var sound: String?
  }

  struct Next: Sendable, Hashable {
    let moment: Timestamp
    let name: String
  }

  var ringing: [Row] = []
  /// Those that no longer ask, on an armed page only what was answered a moment ago.
  var settled: [Row] = []
  var next: Next?

  /// What rings for a person now and next.
  static func armed(
    patient: PatientID, now: Timestamp, _ localizer: Localizer, in reader: any SQLReader
  ) throws(StorageError) -> RingOccasions {
    let alarms = try AlarmQueries.all(patient: patient, in: reader)
    let known = Dictionary(alarms.map { ($0.id, $0) }) { first, _ in first }
    var found = RingOccasions()
    for occasion in try OccasionQueries.ending(after: now, patient: patient, in: reader)
    where occasion.kind != .lead {
      let row = Row(occasion, alarm: known[AlarmID(occasion.source)], localizer)
      if occasion.asks(at: now) {
        found.ringing.append(row)
      } else if occasion.state == .open {
        found.consider(occasion.ringsFrom, row.name)
      } else if let answered = occasion.answered,
        answered > now.adding(milliseconds: -RingModel.answeredReach)
      {
        found.settled.append(row)
      }
    }
    for alarm in alarms {
      if let next = alarm.next { found.consider(next, alarm.name(localizer)) }
    }
    return found
  }

  /// What one reminder rings for.
  static func of(
    _ reminder: Reminder, now: Timestamp, _ localizer: Localizer, in reader: any SQLReader
  ) throws(StorageError) -> RingOccasions {
    guard let occasion = reminder.occasion else { return RingOccasions() }
    let alarm =
      occasion.kind == .alarm
      ? try AlarmQueries.alarm(AlarmID(occasion.source), patient: occasion.patient, in: reader)
      : nil
    let row = Row(occasion, alarm: alarm, localizer)
    return occasion.asks(at: now)
      ? RingOccasions(ringing: [row]) : RingOccasions(settled: [row])
  }

  private mutating func consider(_ moment: Timestamp, _ name: String) {
    if moment < next?.moment ?? moment.adding(milliseconds: 1) {
      next = Next(moment: moment, name: name)
    }
  }
}

extension RingOccasions.Row {
  init(_ occasion: Occasion, alarm: Alarm?, _ localizer: Localizer) {
    self.occasion = occasion
    name =
      alarm?.name(localizer)
      ?? localizer.text(
        "alarms.occasion", ["kind": .text(occasion.kind.rawValue)])
    snooze = alarm?.draft.snooze ?? Occasion.standardSnooze
    sound = alarm?.draft.sound
  }

  /// What became of it and by whom.
  func outcome(_ localizer: Localizer) -> String {
    let state = localizer.text(
      "alarms.state", ["state": .text(occasion.state.rawValue)])
    guard occasion.state.isAnswered, let name = occasion.answeredBy else { return state }
    return localizer.text("ring.answered", ["state": .text(state), "name": .text(name)])
  }

  func settled(_ words: DoseWords) -> Markup {
    let icon: Icon = occasion.state == .done ? .check : .barInCircle
    let outcome =
      occasion.state == .open
      ? words.localizer.text(
        "alarms.rings-at", ["time": .text(words.moment(occasion.ringsFrom))])
      : outcome(words.localizer)
    return """
      <li>\(occasion.state == .open ? Icon.clock : icon)<span><strong>\(outcome)</strong><br>\
      \(name)</span></li>
      """
  }
}

/// The answers to what rings besides doses: a form for each.
struct RingOccasionForms: PagePart {
  let occasions: RingOccasions
  let words: DoseWords
  let token: FormToken
  let now: Timestamp
  let address: String
  let newIdentifier: @Sendable () -> String

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    "\(each: occasions.ringing.indices, { form(occasions.ringing[$0], isFirst: $0 == 0) })"
  }

  private func form(_ row: RingOccasions.Row, isFirst: Bool) -> Markup {
    let later = row.occasion.laterChoices(snooze: row.snooze, at: now)
    return """
      <form class="form ring-answer" method="post" action="/ring/\(row.occasion.subject)/answer" \
      data-ring="answer">\(token)<input type="hidden" name="return" value="\(address)">\
      <input type="hidden" name="event" value="\(newIdentifier())">\
      <div class="ring-dose"\(Markup.attribute("id", isFirst ? "ring-occasion" : nil))>\
      <p class="ring-name">\(row.name)</p><p>\(words.moment(row.occasion.due))</p></div>\
      <div class="ring-buttons">\
      \(button("done", "alarms.answer.done", row, icon: .check, kind: .primary))\
      \(if: later.first != nil, laterButtons(later, row))\
      \(button("declined", "alarms.answer.declined", row, icon: .barInCircle, kind: .secondary))\
      </div></form>
      """
  }

  /// One tap for each of the times that fit.
  private func laterButtons(_ minutes: [Int], _ row: RingOccasions.Row) -> Markup {
    "\(each: minutes, { count in later(count, row) })"
  }

  private func later(_ minutes: Int, _ row: RingOccasions.Row) -> Markup {
    Button(
      localizer.text(
        "alarms.answer.later",
        ["minutes": .number(minutes), "hours": .number(OccasionAnswer.wholeHours(minutes))]),
      kind: .secondary, icon: .clock, object: row.name, name: "action", value: "later \(minutes)",
      person: token.personName
    ).markup
  }

  private func button(
    _ action: String, _ key: MessageKey, _ row: RingOccasions.Row, icon: Icon, kind: ButtonKind
  ) -> Markup {
    Button(
      localizer.text(key), kind: kind, icon: icon, object: row.name, name: "action",
      value: action, person: token.personName
    ).markup
  }
}

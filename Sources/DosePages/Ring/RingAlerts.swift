// SPDX-License-Identifier: Apache-2.0

import HTML
import Identifiers
import Localization
import Presentation
import Reminders
import SiteMap
import Storage
import Web

/// The alerts other than doses on an alarm page.
struct RingAlerts: Sendable, Hashable {
  /// An alert with the text from its source.
  struct Row: Sendable, Hashable {
    let alert: Alert
    let name: String
    var snooze = Alert.standardSnooze
    var sound: String?
  }

  struct Next: Sendable, Hashable {
    let moment: Timestamp
    let name: String
  }

  var ringing: [Row] = []
  /// The answered alerts; on an open alarm page, only the recent ones.
  var settled: [Row] = []
  var next: Next?

  /// Returns the current and the next alerts of a person.
  static func armed(
    patient: PatientID, now: Timestamp, _ localizer: Localizer, in reader: any SQLReader
  ) throws(StorageError) -> RingAlerts {
    let alarms = try AlarmQueries.all(patient: patient, in: reader)
    let known = Dictionary(alarms.map { ($0.id, $0) }) { first, _ in first }
    var found = RingAlerts()
    for alert in try AlertQueries.ending(after: now, patient: patient, in: reader)
    where alert.kind != .lead {
      let row = Row(alert, alarm: known[AlarmID(alert.source)], localizer)
      if alert.asks(at: now) {
        found.ringing.append(row)
      } else if alert.state == .open {
        found.consider(alert.ringsFrom, row.name)
      } else if let answered = alert.answered,
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

  /// Returns the alerts of one reminder.
  static func of(
    _ reminder: Reminder, now: Timestamp, _ localizer: Localizer, in reader: any SQLReader
  ) throws(StorageError) -> RingAlerts {
    guard let alert = reminder.alert else { return RingAlerts() }
    let alarm =
      alert.kind == .alarm
      ? try AlarmQueries.alarm(AlarmID(alert.source), patient: alert.patient, in: reader)
      : nil
    let row = Row(alert, alarm: alarm, localizer)
    return alert.asks(at: now)
      ? RingAlerts(ringing: [row]) : RingAlerts(settled: [row])
  }

  private mutating func consider(_ moment: Timestamp, _ name: String) {
    if moment < next?.moment ?? moment.adding(milliseconds: 1) {
      next = Next(moment: moment, name: name)
    }
  }
}

extension RingAlerts.Row {
  init(_ alert: Alert, alarm: Alarm?, _ localizer: Localizer) {
    self.alert = alert
    if let question = HomeDeviceQuestion(of: alert.id) {
      name = localizer.text("home-devices.push.body", ["question": .text(question.rawValue)])
    } else if DiaryAlert(of: alert.id) == .removal {
      name = localizer.text("sites.push.body")
    } else {
      name =
        alarm?.name(localizer)
        ?? localizer.text(
          "alarms.occasion", ["kind": .text(alert.kind.rawValue)])
    }
    snooze = alarm?.draft.snooze ?? Alert.standardSnooze
    sound = alarm?.draft.sound
  }

  /// Returns the outcome, and who caused it.
  func outcome(_ localizer: Localizer) -> String {
    let state = localizer.text(
      "alarms.state", ["state": .text(alert.state.rawValue)])
    guard alert.state.isAnswered, let name = alert.answeredBy else { return state }
    return localizer.text("ring.answered", ["state": .text(state), "name": .text(name)])
  }

  func settled(_ words: DoseFormatter) -> Markup {
    let icon: Icon = alert.state == .done ? .check : .barInCircle
    let outcome =
      alert.state == .open
      ? words.localizer.text(
        "alarms.rings-at", ["time": .text(words.moment(alert.ringsFrom))])
      : outcome(words.localizer)
    return """
      <li>\(alert.state == .open ? Icon.clock : icon)<span><strong>\(outcome)</strong><br>\
      \(name)</span></li>
      """
  }
}

/// The forms that answer alerts other than doses.
struct RingAlertForms: PagePart {
  let alerts: RingAlerts
  let words: DoseFormatter
  let token: FormToken
  let now: Timestamp
  let address: String
  let newIdentifier: @Sendable () -> String

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    "\(each: alerts.ringing.indices, { form(alerts.ringing[$0], isFirst: $0 == 0) })"
  }

  private func form(_ row: RingAlerts.Row, isFirst: Bool) -> Markup {
    let buttons: Markup
    if let question = HomeDeviceQuestion(of: row.alert.id) {
      buttons = """
        \(link(question, row.alert))\
        \(button("done", "home-devices.close", row, icon: .check, kind: .secondary))
        """
    } else if DiaryAlert(of: row.alert.id) == .removal,
      let administration = DiaryAlert.administration(of: row.alert.id)
    {
      // Its own page logs the removal, which ends the reminder.
      let later = row.alert.laterChoices(snooze: row.snooze, at: now)
      let link = LinkButton(
        localizer.text("sites.removal.open"), address: Address.site(of: administration.text),
        kind: .primary, icon: .check)
      buttons = "\(link)\(if: later.first != nil, laterButtons(later, row))"
    } else {
      let later = row.alert.laterChoices(snooze: row.snooze, at: now)
      buttons = """
        \(button("done", "alarms.answer.done", row, icon: .check, kind: .primary))\
        \(if: later.first != nil, laterButtons(later, row))\
        \(button("declined", "alarms.answer.declined", row, icon: .barInCircle, kind: .secondary))
        """
    }
    return """
      <form class="form ring-answer" method="post" action="/ring/\(row.alert.subject)/answer" \
      data-ring="answer" data-alert="\(row.alert.id)">\(token)<input type="hidden" name="return" value="\(address)">\
      <input type="hidden" name="event" value="\(newIdentifier())">\
      <div class="ring-dose"\(Markup.attribute("id", isFirst ? "ring-occasion" : nil))>\
      <p class="ring-name">\(row.name)</p><p>\(words.moment(row.alert.due))</p></div>\
      <div class="ring-buttons">\(buttons)</div></form>
      """
  }

  /// Returns the link from a question of a device to where the dose is answered: closing the question answers nothing.
  private func link(_ question: HomeDeviceQuestion, _ alert: Alert) -> LinkButton {
    guard question == .taken, let dose = HomeDeviceQuestion.dose(of: alert.id) else {
      return LinkButton(
        localizer.text("home-devices.look"), address: "/", kind: .primary, icon: .sun)
    }
    return LinkButton(
      localizer.text("home-devices.answer"), address: "/doses/\(dose)", kind: .primary,
      icon: .check)
  }

  /// Returns a button for each possible delay.
  private func laterButtons(_ minutes: [Int], _ row: RingAlerts.Row) -> Markup {
    "\(each: minutes, { count in later(count, row) })"
  }

  private func later(_ minutes: Int, _ row: RingAlerts.Row) -> Markup {
    Button(
      localizer.text(
        "alarms.answer.later",
        ["minutes": .number(minutes), "hours": .number(AlertAnswer.wholeHours(minutes))]),
      kind: .secondary, icon: .clock, object: row.name, name: "action", value: "later \(minutes)",
      person: token.personName
    ).markup
  }

  private func button(
    _ action: String, _ key: MessageKey, _ row: RingAlerts.Row, icon: Icon, kind: ButtonKind
  ) -> Markup {
    Button(
      localizer.text(key), kind: kind, icon: icon, object: row.name, name: "action",
      value: action, person: token.personName
    ).markup
  }
}

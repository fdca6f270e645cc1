// SPDX-License-Identifier: Apache-2.0

import Localization
import Reminders
import Scheduling
import Storage
import Web

/// An alarm as typed.
struct AlarmInput: Sendable, Hashable {
  var kind: String
  var label: String
  var time: String
  /// `weekly`, or `once` on the first day.
  var repeats: String
  /// Codes of weekdays.
  var weekdays: [String]
  var starts: String
  var ends: String
  var sound: String
  var snooze: String
  var lead: String
  var isOn = true

  enum Mistake: Sendable, Hashable {
    case kind, time, weekdays, starts, ends
    case issue(AlarmIssue)

    var field: String {
      switch self {
      case .kind: "kind"
      case .time: "time"
      case .weekdays: "weekday"
      case .starts: "starts"
      case .ends: "ends"
      case .issue(let issue):
        switch issue {
        case .labelMissing, .labelTooLong, .labelUnreadable: "label"
        case .endsBeforeStart: "ends"
        case .over, .startOutOfRange: "starts"
        case .soundUnknown: "sound"
        case .snooze: "snooze"
        case .lead: "lead"
        }
      }
    }

    private var name: String {
      switch self {
      case .kind: "kind"
      case .time: "time"
      case .weekdays: "weekdays"
      case .starts, .ends: "date"
      case .issue(let issue): issue.rawValue
      }
    }

    func message(_ localizer: Localizer) -> String {
      localizer.text(
        "alarms.problem",
        ["problem": .text(name), "maximum": .number(AlarmDraft.longestLabel)])
    }
  }

  /// Creates a new alarm: every day, starting today, without a time.
  init(today: CivilDate) {
    kind = AlarmKind.water.rawValue
    label = ""
    time = ""
    repeats = "weekly"
    weekdays = Weekday.allCases.map(\.code)
    starts = today.text
    ends = ""
    sound = AlarmSound.standard.rawValue
    snooze = String(Alert.standardSnooze)
    lead = ""
  }

  init(_ draft: AlarmDraft) {
    kind = draft.kind.rawValue
    label = draft.label
    time = String(draft.times.time.text.prefix(5))
    repeats = draft.times.isRepeating ? "weekly" : "once"
    weekdays = Weekday.allCases.filter(draft.times.days.contains).map(\.code)
    starts = draft.times.starts.text
    ends = draft.times.ends?.text ?? ""
    sound = draft.sound
    snooze = String(draft.snooze)
    lead = draft.lead.map { String($0) } ?? ""
    isOn = draft.isOn
  }

  init(_ form: FormBody, isOn: Bool) {
    kind = form.text("kind") ?? ""
    label = TypedText.trimmed(form.text("label") ?? "")
    time = form.text("time") ?? ""
    repeats = form.text("repeats") ?? "weekly"
    weekdays = form.all("weekday")
    starts = form.text("starts") ?? ""
    ends = form.text("ends") ?? ""
    sound = form.text("sound") ?? AlarmSound.standard.rawValue
    snooze = form.text("snooze") ?? String(Alert.standardSnooze)
    lead = form.text("lead") ?? ""
    self.isOn = isOn
  }

  /// Returns the alarm, or all mistakes in it.
  func read(
    today: CivilDate, sounds: Set<String>, now: Timestamp, zone: Zone
  ) -> (draft: AlarmDraft?, mistakes: [Mistake]) {
    var mistakes: [Mistake] = []
    let kind = AlarmKind(rawValue: kind)
    if kind == nil { mistakes.append(.kind) }
    let time = TypedText.clockTime(time)
    if time == nil { mistakes.append(.time) }
    let isOnce = repeats == "once"
    let days = Set(weekdays.compactMap(Weekday.init(code:)))
    if !isOnce && days.isEmpty { mistakes.append(.weekdays) }
    let first = starts.isEmpty ? today : CivilDate(text: starts)
    if first == nil { mistakes.append(.starts) }
    let last = ends.isEmpty || isOnce ? nil : CivilDate(text: ends)
    if last == nil && !ends.isEmpty && !isOnce { mistakes.append(.ends) }
    guard mistakes.isEmpty, let kind, let time, let first else { return (nil, mistakes) }
    let draft = AlarmDraft(
      kind: kind, label: label,
      times: AlarmTimes(time: time, days: isOnce ? [] : days, starts: first, ends: last),
      sound: sound, snooze: Int(snooze) ?? 0, lead: lead.isEmpty ? nil : Int(lead) ?? 0,
      isOn: isOn)
    let issues = draft.issues(sounds: sounds, now: now, zone: zone)
    return issues.isEmpty ? (draft, []) : (nil, issues.map(Mistake.issue))
  }
}

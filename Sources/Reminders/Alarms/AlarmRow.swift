// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The columns of an ``Alarm``, with the time of its removal.
enum AlarmRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, alarm, kind, label, minute, weekdays, starts, ends, sound, snooze, lead, isOn
    case era, nextDue, version, removed
  }

  static let columns = SQLColumns<Column>()
}

extension Alarm {
  /// Creates an alarm; nil for a row that this program cannot read.
  init?(_ row: ColumnReader<AlarmRow.Column>) throws(StorageError) {
    let minute = Int(clamping: try row.integer(.minute))
    guard let kind = AlarmKind(rawValue: try row.text(.kind)),
      let time = ClockTime(secondsOfDay: minute.multipliedReportingOverflow(by: 60).partialValue),
      let starts = CivilDate(text: try row.text(.starts))
    else { return nil }
    patient = try row.id(.patient)
    id = try row.id(.alarm)
    let times = AlarmTimes(
      time: time, days: AlarmTimes.days(mask: Int(clamping: try row.integer(.weekdays))),
      starts: starts, ends: try row.optionalText(.ends).flatMap { CivilDate(text: $0) })
    draft = AlarmDraft(
      kind: kind, label: try row.text(.label), times: times, sound: try row.text(.sound),
      snooze: Int(clamping: try row.integer(.snooze)),
      lead: try row.optionalInteger(.lead).map { Int(clamping: $0) }, isOn: try row.bool(.isOn))
    era = try row.integer(.era)
    next = try row.optionalTimestamp(.nextDue)
    version = try row.integer(.version)
  }
}

/// A new row of `alarms`.
struct NewAlarmRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, alarm, kind, label, minute, weekdays, starts, ends, sound, snooze, lead, isOn
    case era, nextDue, nextLead, version, created
  }

  static let columns = SQLColumns<Column>()

  let alarm: Alarm
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    let draft = alarm.draft
    return switch column {
    case .patient: .text(alarm.patient)
    case .alarm: .text(alarm.id)
    case .kind: .text(draft.kind.rawValue)
    case .label: .text(draft.label)
    case .minute: SQLValue(draft.times.time.secondsOfDay / 60)
    case .weekdays: SQLValue(draft.times.mask)
    case .starts: .text(draft.times.starts.text)
    case .ends: SQLValue(draft.times.ends?.text)
    case .sound: .text(draft.sound)
    case .snooze: SQLValue(draft.snooze)
    case .lead: SQLValue(draft.lead)
    case .isOn: SQLValue(draft.isOn)
    case .era: .integer(alarm.era)
    case .nextDue: SQLValue(alarm.next)
    case .nextLead: SQLValue(alarm.lead(after: created))
    case .version: .integer(alarm.version)
    case .created: SQLValue(created)
    }
  }
}

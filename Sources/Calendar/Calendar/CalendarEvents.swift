// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Localization
import Plans
import Reminders
import Scheduling
import Storage
import TimeZones

/// The doses due at one moment, as a calendar shows them.
package struct CalendarEvent: Sendable, Hashable {
  /// The identifier, which stays the same when the time or the medicines are edited.
  package let id: String
  /// The time at which the doses are due, or until which they were postponed.
  package let at: Timestamp
  /// The number of the revision, which grows when the content changes (RFC 5545, SEQUENCE).
  package let sequence: Int64
  /// The time of the last change of the content.
  package let changed: Timestamp
  /// The medicines with their amounts, as text.
  package let medicines: [String]
}

/// The doses of a patient in the next 90 days; the caller has decided access.
package enum CalendarEvents {
  /// The number of days ahead.
  package static let days = 90
  /// The maximum number of events; no calendar shows more.
  package static let most = 10_000

  /// Returns the unanswered doses from `now` on, with the zone in which their times are shown.
  package static func ahead(
    _ patient: PatientID, now: Timestamp, language: Language, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws -> (events: [CalendarEvent], zone: Zone) {
    let until = now.adding(milliseconds: Int64(days) * 24 * 3_600_000)
    let listing = try DoseQueries.listing(
      patient: patient, from: now.adding(milliseconds: -24 * 3_600_000), until: until, now: now,
      zones: zones, in: reader)
    var changes: [PlanID: Timestamp] = [:]
    for row in try reader.query(changesStatement, [.text(patient)])
      .decode(as: PlanChangedRow.self)
    {
      changes[row.plan] = row.changed
    }
    let open = listing.doses.filter { dose in
      [.scheduled, .due, .later].contains(dose.state) && (dose.laterUntil ?? dose.due) >= now
    }
    return (events(of: open, changes: changes, localizer: .of(language)), listing.zone)
  }

  private static let changesStatement = SQLStatement(
    "SELECT \(PlanChangedRow.columns) FROM plans WHERE patient = $1")

  /// Returns one event for each moment.
  ///
  /// It has the identity of its first dose, and keeps it when that dose moves.
  static func events(
    of doses: [Dose], changes: [PlanID: Timestamp], localizer: Localizer
  ) -> [CalendarEvent] {
    let groups = Dictionary(grouping: doses) { $0.laterUntil ?? $0.due }
    let moments = groups.keys.sorted().prefix(most)
    return moments.compactMap { moment in
      let group = (groups[moment] ?? []).sorted { $0.id.text < $1.id.text }
      guard let first = group.first else { return nil }
      let changed = group.compactMap { changes[$0.plan] }.max() ?? moment
      return CalendarEvent(
        id: first.id.text, at: moment,
        sequence: sequence(changed, versions: group.map(\.version)), changed: changed,
        medicines: group.map { dose in
          ReminderMedicineText.text(
            name: dose.medicineName, value: dose.amount?.value, unit: dose.amount?.unit,
            code: dose.amount?.code, localizer)
        })
    }
  }

  /// Returns a number that never decreases: the seconds from 2020 to the last change of the plans, plus the
  /// changes of the doses.
  static func sequence(_ changed: Timestamp, versions: [Int64]) -> Int64 {
    let seconds = changed.milliseconds / 1_000 - 1_577_836_800
    // RFC 5545 allows 31 bits.
    return min(max(seconds + (versions.max() ?? 0), 0), Int64(Int32.max))
  }
}

/// The time of a plan's last change.
struct PlanChangedRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case plan, changed
  }

  static let columns = SQLColumns<Column>()

  let plan: PlanID
  let changed: Timestamp

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    plan = try columns.id(.plan)
    changed = try columns.timestamp(.changed)
  }
}

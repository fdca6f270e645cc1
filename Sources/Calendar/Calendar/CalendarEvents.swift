// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Localization
import Plans
import Reminders
import Scheduling
import Storage
import TimeZones

/// What is due at one moment, as a calendar shows it.
package struct CalendarEvent: Sendable, Hashable {
  /// Stays the same while its time or what is taken is edited.
  package let id: String
  package let at: Timestamp
  /// Grows when it says something else.
  package let sequence: Int64
  /// When it last said something else.
  package let changed: Timestamp
  /// What is to be taken, in words.
  package let medicines: [String]
}

/// The next ninety days of a patient; the caller has decided that they may be seen.
package enum CalendarEvents {
  package static let days = 90
  /// More are not told: no calendar shows them.
  package static let most = 10_000

  /// What is still open, from an instant on, with the zone in which it is told.
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

  /// One event for each moment: it goes by the dose whose identity comes first, and keeps that name when the
  /// dose moves.
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

  /// Seconds since 2020 of the last change of the plans, and the changes of the doses themselves: nothing
  /// of it ever goes back.
  static func sequence(_ changed: Timestamp, versions: [Int64]) -> Int64 {
    let seconds = changed.milliseconds / 1_000 - 1_577_836_800
    // RFC 5545 allows 31 bits.
    return min(max(seconds + (versions.max() ?? 0), 0), Int64(Int32.max))
  }
}

/// When a plan last changed.
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

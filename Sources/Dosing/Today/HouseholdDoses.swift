// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// The doses that a person of a household needs now, and the ones that come next.
package struct HouseholdDoses: Sendable {
  /// The person's time zone.
  package let zone: Zone
  /// The doses to answer now, sorted by due time.
  package private(set) var open: [Dose] = []
  /// The doses of the next time that has any; empty if none are planned.
  package private(set) var next: [Dose] = []

  /// Creates an empty list in the zone of a person.
  package init(zone: Zone) {
    self.zone = zone
  }

  /// True if one of the doses is past its on-time window.
  package var isOverdue: Bool { open.contains(where: \.isLate) }

  /// Inserts a dose in order; one that was postponed or answered is left out.
  mutating func add(_ dose: Dose, at now: Timestamp) {
    if dose.state == .due || (dose.state == .withheld && dose.due <= now) {
      open.append(dose)
    } else if dose.state == .scheduled {
      next.append(dose)
    }
  }
}

extension DoseQueries {
  /// Returns the open doses of several people and the next one of each, by person; people without
  /// either are left out.
  ///
  /// The caller has checked that the actor may see them.
  package static func household(
    _ patients: [PatientID], now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(PlanError) -> [PatientID: HouseholdDoses] {
    try planning {
      let rows = try reader.query(
        """
        SELECT \(DoseRow.columns), \(HouseholdPersonRow.columns)
        FROM \(DoseRow.tables)
        JOIN people u ON u.patient = d.patient
        WHERE d.state IN ('open', 'withheld') AND d.due > $1 AND d.due < $2
          AND ((d.due <= $3 AND d.late_until > $3)
            OR d.due = (SELECT MIN(n.due) FROM doses n
              WHERE n.patient = d.patient AND n.state = 'open' AND n.due > $3))
          AND d.patient IN (
        """,
        [
          SQLValue(now.adding(milliseconds: -SnapshotReach.doses)),
          SQLValue(now.adding(milliseconds: SnapshotReach.doses)), SQLValue(now),
        ],
        in: patients.map { .text($0) }, " ORDER BY d.due, d.plan, d.era, d.occurrence")
      var found: [PatientID: HouseholdDoses] = [:]
      for row in rows {
        let person = row.read(HouseholdPersonRow.self, after: DoseRow.self)
        let patient: PatientID = try person.id(.patient)
        let dose = try Dose(row.read(DoseRow.self), patient: patient, now: now)
        if found[patient] == nil {
          found[patient] = HouseholdDoses(zone: try zones.zone(try person.text(.zone)))
        }
        found[patient]?.add(dose, at: now)
      }
      return found
    }
  }
}

/// The person of a dose, with the zone of their times.
enum HouseholdPersonRow: SQLRowType {
  enum Column: Int, SQLColumn { case patient, zone }

  static let columns = SQLColumns<Column>(of: "u")
}

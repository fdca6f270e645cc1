// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// A column by which a practitioner's table of patients can be sorted.
package enum CareDeskSort: String, Sendable, Hashable, CaseIterable {
  /// The order of need, the most serious first.
  case need
  case name, age
  /// The share of doses taken in the last 7 days.
  case week
  /// The share of doses taken in the last 30 days.
  case month
  /// The time of the latest recorded dose.
  case seen
  /// The time since which the most serious reason applies.
  case since
}

/// The values of the columns that are not in the panel itself.
package struct CareDeskFacts: Sendable, Hashable {
  /// The dates of birth that are known.
  package var birthDates: [PatientID: CivilDate] = [:]
  /// The adherence of patients who share it.
  package var adherence: [PatientID: CareAdherence] = [:]
  /// The times of the latest recorded doses of patients who share their adherence.
  package var lastSeen: [PatientID: Timestamp] = [:]

  /// Creates facts about no patient.
  package init() {}
}

/// The order of a practitioner's table of patients.
package enum CareDeskOrder {
  /// Returns the patients in the order of a column.
  ///
  /// Patients without a value follow all others in both directions, and patients who do not share
  /// the column come last, each of the two groups by name. So neither the place of a patient nor its
  /// change with the direction reveals what is not shared.
  ///
  /// - Parameters:
  ///   - entries: The patients, in any order.
  ///   - isReversed: True for the opposite of the usual direction, which is the smallest value
  ///     first, and for `need` the most serious first.
  package static func sorted(
    _ entries: [CarePanelEntry], by sort: CareDeskSort, isReversed: Bool, _ facts: CareDeskFacts
  ) -> [CarePanelEntry] {
    switch sort {
    case .need:
      let ordered = entries.sorted(by: CarePanelEntry.precedes)
      return isReversed ? ordered.reversed() : ordered
    case .name:
      let ordered = entries.sorted(by: isBefore)
      return isReversed ? ordered.reversed() : ordered
    case .age, .week, .month, .seen, .since:
      var known: [(entry: CarePanelEntry, value: Int64)] = []
      var unknown: [CarePanelEntry] = []
      var hidden: [CarePanelEntry] = []
      for entry in entries {
        if !isShared(sort, by: entry) {
          hidden.append(entry)
        } else if let value = value(of: entry, sort, facts) {
          known.append((entry, value))
        } else {
          unknown.append(entry)
        }
      }
      known.sort { left, right in
        if left.value != right.value { return (left.value < right.value) != isReversed }
        return isBefore(left.entry, right.entry)
      }
      return known.map(\.entry) + unknown.sorted(by: isBefore) + hidden.sorted(by: isBefore)
    }
  }

  /// Returns true if the patient shares what a column shows.
  ///
  /// Name and age are known to every practitioner of the patient. The reasons are based only on shared
  /// categories.
  package static func isShared(_ sort: CareDeskSort, by entry: CarePanelEntry) -> Bool {
    switch sort {
    case .name, .age: true
    case .week, .month, .seen: entry.categories.contains(.adherence)
    case .need, .since:
      !entry.reasons.isEmpty
        || !entry.categories.isDisjoint(with: [.adherence, .heartRate, .stock])
    }
  }

  private static func value(
    of entry: CarePanelEntry, _ sort: CareDeskSort, _ facts: CareDeskFacts
  ) -> Int64? {
    let patient = entry.patient
    switch sort {
    case .need, .name: return nil
    // The younger the patient, the later the birth date.
    case .age: return facts.birthDates[patient].map { -Int64($0.daysSinceEpoch) }
    case .week: return facts.adherence[patient]?.percent(days: 7).map(Int64.init)
    case .month:
      return facts.adherence[patient]?.percent(days: CareAdherence.length).map(Int64.init)
    case .seen: return facts.lastSeen[patient]?.milliseconds
    case .since: return entry.neededSince?.milliseconds
    }
  }

  private static func isBefore(_ left: CarePanelEntry, _ right: CarePanelEntry) -> Bool {
    (left.name.lowercased(), left.patient) < (right.name.lowercased(), right.patient)
  }
}

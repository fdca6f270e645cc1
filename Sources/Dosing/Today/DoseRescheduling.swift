// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Scheduling
import Storage

/// The effect of a change on one future dose.
package struct DoseMove: Sendable, Hashable {
  /// The plan of the dose.
  package let plan: PlanID
  /// The name shown to people.
  package let medicineName: String
  /// The time before the change; nil for a dose that is new.
  package let from: Timestamp?
  /// The time after the change; nil for a dose that is removed.
  package let to: Timestamp?
  /// True if it is now too close to the previous dose and waits for the person's decision.
  package let isWithheld: Bool
  /// True if a person had moved it and that move is lost.
  package var losesMove = false

  /// The time after the change, or before it if the dose is removed.
  package var at: Timestamp { to ?? from ?? Timestamp(milliseconds: 0) }
}

/// Previews the doses that a change moves.
package enum DoseRescheduling {
  /// Returns the future doses that differ between two listings, sorted by time, up to an instant.
  ///
  /// A dose is identified by its plan and occurrence: a change of zone opens an era of the plan, and Monday's
  /// evening dose stays Monday's evening dose. The listings must reach further than the instant, so that a
  /// dose near their end is in both.
  ///
  /// - Parameter moved: the doses of the first listing that a person moved.
  package static func between(
    _ before: [Dose], _ after: [Dose], moved: Set<DoseID> = [], until: Timestamp
  ) -> [DoseMove] {
    var earlier: [Identity: Dose] = [:]
    for dose in before where dose.state.isToCome { earlier[Identity(dose)] = dose }
    var moves: [DoseMove] = []
    for dose in after where dose.state.isToCome {
      let old = earlier.removeValue(forKey: Identity(dose))
      let isWithheld = dose.state == .withheld && old?.state != .withheld
      if let old, old.due == dose.due, !isWithheld { continue }
      moves.append(
        DoseMove(
          plan: dose.plan, medicineName: dose.medicineName, from: old?.due, to: dose.due,
          isWithheld: isWithheld,
          losesMove: old.map { $0.due != dose.due && moved.contains($0.id) } ?? false))
    }
    for dose in earlier.values {
      moves.append(
        DoseMove(
          plan: dose.plan, medicineName: dose.medicineName, from: dose.due, to: nil,
          isWithheld: false, losesMove: moved.contains(dose.id)))
    }
    return moves.filter { min($0.at, $0.from ?? $0.at) < until }
      .sorted { ($0.at, $0.medicineName, $0.plan) < ($1.at, $1.medicineName, $1.plan) }
  }

  /// Returns the doses that a person moved to a time after an instant.
  package static func moved(
    by patient: PatientID, dueAfter instant: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Set<DoseID> {
    let rows: [DoseIDRow] = try reader.query(
      movedStatement, [.text(patient), SQLValue(instant)]
    ).decode()
    return Set(rows.compactMap(\.dose))
  }

  private static let movedStatement = SQLStatement(
    "SELECT \(DoseIDRow.columns) FROM dose_moves d WHERE d.patient = $1 AND d.due > $2")

  private struct Identity: Hashable {
    let plan: PlanID
    let occurrence: OccurrenceID

    init(_ dose: Dose) {
      plan = dose.plan
      occurrence = dose.id.occurrence
    }
  }
}

extension DoseState {
  /// True if the dose has not been taken yet.
  fileprivate var isToCome: Bool {
    switch self {
    case .scheduled, .later, .due, .withheld: true
    case .taken, .skipped, .refused, .missed, .cancelled: false
    }
  }
}

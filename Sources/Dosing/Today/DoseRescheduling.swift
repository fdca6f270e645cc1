// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Scheduling
import Storage

/// What a change does to one dose that is still to come.
package struct DoseMove: Sendable, Hashable {
  package let plan: PlanID
  package let medicineName: String
  /// When it was to come; nil for a dose that there was not before.
  package let from: Timestamp?
  /// When it comes now; nil for a dose that there is no longer.
  package let to: Timestamp?
  /// Whether it now lies too close to the dose before, and waits for the person.
  package let isWithheld: Bool
  /// Whether a person had moved it, which is given up.
  package var losesMove = false

  /// When it comes or was to come.
  package var at: Timestamp { to ?? from ?? Timestamp(milliseconds: 0) }
}

/// Says before a change which doses it moves.
package enum DoseRescheduling {
  /// The doses to come that differ between two listings, by time, up to an instant.
  ///
  /// A dose is the same one by its plan and its occurrence: a change of zone opens an era of the plan, and
  /// Monday's evening dose stays Monday's evening dose. The listings reach further than the instant, so that a
  /// dose near their end is seen in both.
  ///
  /// - Parameter moved: those of the first listing that a person moved.
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

  /// The doses to come that a person moved.
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
  /// Whether the dose still waits to be taken.
  fileprivate var isToCome: Bool {
    switch self {
    case .scheduled, .later, .due, .withheld: true
    case .taken, .skipped, .refused, .missed, .cancelled: false
    }
  }
}

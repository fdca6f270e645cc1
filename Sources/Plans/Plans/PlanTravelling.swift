// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Records
import Scheduling
import Storage

extension PlanCommands {
  /// Sets the policies of plans for a change of the patient's zone; plans that are not named keep
  /// theirs.
  ///
  /// Only active plans by the clock are changed: those that count hours continue by the hours
  /// anyway.
  ///
  /// - Parameter isStaying: true if the zone stays, so that the choice takes effect at once;
  ///   otherwise it does with the change of zone that follows.
  /// - Throws: `notFound` for a plan of another patient.
  package static func travel(
    _ policies: [PlanID: ZonePolicy], patient: PatientID, isStaying: Bool = false,
    context: CommandContext, in writer: any SQLWriter
  ) throws(PlanError) {
    try planning {
      _ = try authorize(.update, patient: patient, context)
      let person = try person(patient, in: writer)
      let change = change(context, writer)
      for (plan, policy) in policies.sorted(by: { $0.key < $1.key }) {
        guard var row = try PlanStore.load(plan, patient: patient, in: writer) else {
          throw PlanError.notFound
        }
        guard row.isRinging, row.kind == .calendar, row.policy != policy else { continue }
        if isStaying {
          // Doses due meanwhile become facts of the previous clock.
          var before = try PlanSnapshot.load(row, in: writer)
          try change.settle(&before, rhythm: person.rhythm)
          before.row.policy = policy
          try change.follow(before, person: person, reason: .zoneChange)
          continue
        }
        row.policy = policy
        row.changed = context.now
        try PlanStore.update(row, in: writer)
      }
    }
  }
}

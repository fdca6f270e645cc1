// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Plans
import Storage

extension PlanCommands {
  /// The system of the code that marks a medicine as removed from a schedule, which can be undone.
  static let removalSystem = "urn:regimen:removal"
  /// The time within which a removal can be undone, in milliseconds: 24 hours.
  package static let removalStands: Int64 = 24 * 3_600_000

  /// Stops a medicine and marks it as removed from the schedule, which ``restore(_:context:in:)`` can undo
  /// for a day.
  package static func remove(
    _ plan: PlanID, reason: String, context: CommandContext, in writer: any SQLWriter
  ) throws(PlanError) -> Plan {
    try planning {
      let before = try existing(plan, in: writer)
      guard !hasEnded(before.row.status) else { throw PlanError.alreadyStopped }
      return try changeStatus(
        of: before, to: "stopped",
        reason: [
          "coding": [["system": .string(removalSystem), "code": "removed"]],
          "text": .string(reason),
        ], context, in: writer)
    }
  }

  /// Restores a removed medicine; its doses start again from now.
  ///
  /// An active medicine stays as it is.
  ///
  /// - Throws: `alreadyStopped` if it was stopped in another way or more than 24 hours ago.
  package static func restore(
    _ plan: PlanID, context: CommandContext, in writer: any SQLWriter
  ) throws(PlanError) -> Plan {
    try planning {
      let before = try existing(plan, in: writer)
      _ = try authorize(.update, patient: before.row.patient, context)
      if before.row.status == "active" { return before.plan }
      guard before.plan.isRemoved,
        context.now.milliseconds - before.row.changed.milliseconds <= removalStands
      else { throw PlanError.alreadyStopped }
      return try changeStatus(of: before, to: "active", reason: nil, context, in: writer)
    }
  }
}

extension Plan {
  /// True if it was removed from a schedule here, and not stopped in another way.
  package var isRemoved: Bool {
    guard status == "stopped" else { return false }
    let codings = request.json["statusReason"]?["coding"]?.array ?? []
    return codings.contains { $0["system"]?.string == PlanCommands.removalSystem }
  }
}

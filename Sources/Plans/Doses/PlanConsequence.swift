// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Scheduling
import Storage

/// A change of a plan that other features follow.
package enum PlanEvent: Sendable {
  /// Future doses were planned anew or cancelled.
  case planned(at: Timestamp)
  /// A version of the prescription was written.
  case prescribed(at: Timestamp)
  /// The medicine is shown under a new name.
  case renamed(from: String, to: String)
  /// A moved dose was carried into another era.
  case moveCarried(OccurrenceID, from: Int64, to: Int64)
}

/// An action of another feature that follows from an event of a plan.
package struct PlanConsequence: Consequence {
  /// The name under which tests list the consequence.
  package let name: String
  /// The action, carried out in the transaction of the event.
  package let carryOut:
    @Sendable (PlanEvent, PlanID, PatientID, any SQLWriter) throws(StorageError) -> Void

  /// Creates a consequence.
  package init(
    _ name: String,
    _ carryOut:
      @escaping @Sendable (PlanEvent, PlanID, PatientID, any SQLWriter) throws(StorageError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

extension Consequences {
  /// Carries out everything that follows from an event of a plan.
  package func follow(
    _ event: PlanEvent, of plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    for consequence in self[PlanConsequence.self] {
      try consequence.carryOut(event, plan, patient, writer)
    }
  }
}

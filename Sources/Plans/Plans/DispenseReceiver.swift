// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import People
import Storage

/// A feature that accepts dispenses reported by other systems, each once.
package protocol DispenseReceiver: Sendable {
  /// Accepts a dispense.
  ///
  /// - Parameter record: the earlier record that it is a version of, if known.
  func take(
    _ dispense: ImportDispense, patient: PatientID, as record: DispenseID?,
    context: CommandContext, in writer: any SQLWriter
  ) throws(DispenseError) -> DispenseOutcome
}

/// The result of accepting a dispense.
package enum DispenseOutcome: String, Sendable, Hashable, CaseIterable {
  /// Offered as a possible pack, for a person to decide.
  case offered
  /// Stored, with no pack offered yet.
  case kept
  case unchanged
  /// The stored record was updated from its source.
  case changed
  /// Ignored, since it was entered in error.
  case ignored
}

/// The reason why a dispense was not accepted.
package enum DispenseError: Error, Sendable {
  /// Its content cannot be read.
  case unreadable(JSONSyntaxError)
  case plan(PlanError)
}

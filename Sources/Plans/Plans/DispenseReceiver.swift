// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import People
import Storage

/// The feature that takes in the packs that other systems say were handed out, each once.
package protocol DispenseReceiver: Sendable {
  /// - Parameter record: the record that it is another version of, where that is said.
  func take(
    _ dispense: ImportDispense, patient: PatientID, as record: DispenseID?,
    context: CommandContext, in writer: any SQLWriter
  ) throws(DispenseError) -> DispenseOutcome
}

/// The result of taking in a dispense.
package enum DispenseOutcome: String, Sendable, Hashable, CaseIterable {
  /// It may be a pack; a person decides.
  case offered
  /// It is kept, and nothing is offered yet.
  case kept
  case unchanged
  /// The record follows its source.
  case changed
  /// Ignored, since it was entered in error.
  case ignored
}

/// The reason why a dispense was not taken in.
package enum DispenseError: Error, Sendable {
  /// Its content cannot be read.
  case unreadable(JSONSyntaxError)
  case plan(PlanError)
}

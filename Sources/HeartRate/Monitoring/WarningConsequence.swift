// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Storage

/// An action that follows when a person answers a warning about the heart rate.
package struct WarningConsequence: Consequence {
  /// The name under which tests list it.
  package let name: String
  /// The action: it receives the patient, the time of the answer and the writer of its transaction.
  package let carryOut: @Sendable (PatientID, Timestamp, any SQLWriter) throws(StorageError) -> Void

  /// Creates a consequence with its name and its action.
  package init(
    _ name: String,
    _ carryOut:
      @escaping @Sendable (PatientID, Timestamp, any SQLWriter) throws(StorageError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

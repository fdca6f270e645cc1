// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// An action that follows when a patient's time zone changes.
///
/// Plans have already followed the patient by then.
package struct ZoneConsequence: Consequence {
  /// The name under which tests list the consequence.
  package let name: String
  /// The action, carried out in the transaction of the change.
  package let carryOut:
    @Sendable (PatientID, CommandContext, any SQLWriter) throws(StorageError) -> Void

  /// Creates a consequence.
  package init(
    _ name: String,
    _ carryOut:
      @escaping @Sendable (PatientID, CommandContext, any SQLWriter) throws(StorageError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

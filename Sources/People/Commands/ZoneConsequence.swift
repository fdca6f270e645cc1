// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// An action that follows when a patient's time zone changes.
///
/// Plans have followed the patient by then.
package struct ZoneConsequence: Consequence {
  package let name: String
  package let carryOut:
    @Sendable (PatientID, CommandContext, any SQLWriter) throws(StorageError) -> Void

  package init(
    _ name: String,
    _ carryOut:
      @escaping @Sendable (PatientID, CommandContext, any SQLWriter) throws(StorageError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

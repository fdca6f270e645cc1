// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Storage

/// An action that follows when a person answers a warning about the heart rate.
package struct WarningConsequence: Consequence {
  package let name: String
  package let carryOut: @Sendable (PatientID, Timestamp, any SQLWriter) throws(StorageError) -> Void

  package init(
    _ name: String,
    _ carryOut:
      @escaping @Sendable (PatientID, Timestamp, any SQLWriter) throws(StorageError) -> Void
  ) {
    self.name = name
    self.carryOut = carryOut
  }
}

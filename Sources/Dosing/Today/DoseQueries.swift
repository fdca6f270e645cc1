// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Storage

/// Queries about doses; the caller has checked that the actor may read them.
package enum DoseQueries {
  /// Returns a dose as of `now`; nil if it has no row.
  package static func dose(
    _ id: DoseID, patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Dose? {
    try DoseStore.one(id, patient: patient, now: now, in: reader)
  }
}

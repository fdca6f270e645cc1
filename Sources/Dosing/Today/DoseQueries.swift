// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Storage

/// Questions about doses; the caller has decided that they may be asked.
package enum DoseQueries {
  /// The dose as it stands at `now`; nil where no row of it exists (yet).
  package static func dose(
    _ id: DoseID, patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Dose? {
    try DoseStore.one(id, patient: patient, now: now, in: reader)
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Storage

/// Questions about proposals; the caller has decided that they may be asked.
package enum ProposalQueries {
  /// Those that wait for the person, in the order in which they came.
  package static func open(patient: String, in reader: any SQLReader) throws(StorageError)
    -> [Proposal]
  {
    try ProposalRows.open(patient: patient, in: reader)
  }

  /// One of a patient, whatever became of it.
  package static func proposal(_ id: String, patient: String, in reader: any SQLReader)
    throws(StorageError) -> Proposal?
  {
    try ProposalRows.load(id, patient: patient, in: reader)
  }

  /// Plans that their sources stopped and whose stop the person has not read yet.
  package static func unseenStops(patient: String, in reader: any SQLReader)
    throws(StorageError) -> [Proposal]
  {
    try ProposalRows.unseenStops(patient: patient, in: reader)
  }

  /// Plans whose source stopped them and sent a replacement that nobody has answered yet: their doses go
  /// on at the old times, with the words "Your prescription changed: look before you take".
  package static func plansToLookAt(patient: String, in reader: any SQLReader)
    throws(StorageError) -> Set<String>
  {
    let open = try ProposalRows.open(patient: patient, in: reader)
    let changed = Set(open.filter { $0.kind == .changed }.compactMap(\.plan))
    return changed.intersection(open.filter { $0.kind == .stopped }.compactMap(\.plan))
  }

  /// The proposal that a prescription of a file already is, whatever became of it.
  package static func known(
    _ prescription: ImportPrescription, patient: String, in reader: any SQLReader
  ) throws(StorageError) -> Proposal? {
    try ProposalRows.all(key: prescription.keys.first, patient: patient, in: reader)
      .first { $0.digest == prescription.digest }
  }

  /// The plan here that a prescription of a file is of, or replaces.
  package static func plan(
    of prescription: ImportPrescription, patient: String, in reader: any SQLReader
  ) throws(StorageError) -> String? {
    try PlanSources.plan(
      prescription.keys.all + prescription.priorKeys, patient: patient, in: reader)
  }
}

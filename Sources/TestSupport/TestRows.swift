// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Storage

/// The rows on which every other row of a person or an account depends.
extension SQLWriter {
  /// Adds a person in Berlin, unless there is one with this id.
  package func addPerson(_ patient: PatientID) throws {
    try execute(
      """
      INSERT INTO people (patient, display_name, zone, language)
      VALUES ($1, 'Ann', 'Europe/Berlin', 'de') ON CONFLICT (patient) DO NOTHING
      """, [.text(patient)])
  }

  /// Adds a person's own account, to which no one can sign in, unless the id is taken.
  package func addAccount(_ account: AccountID, patient: PatientID) throws {
    try addPerson(patient)
    try execute(
      """
      INSERT INTO accounts (account, email_sealed, email_index, display_name, patient, administrator,
        created, changed) VALUES ($1, $2, $2, 'Ann', $3, 0, 1, 1) ON CONFLICT (account) DO NOTHING
      """, [.text(account), .blob(Array(account.text.utf8)), .text(patient)])
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// Consequences of an account's changes for the hospital connections that it made.
package struct HospitalAccountConsequence: AccountConsequence {
  /// Creates the consequence.
  package init() {}

  /// Changes nothing: a connection belongs to the patient, and no one can sign in with it.
  package func passwordWasReplaced(
    of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {}

  /// Ends the connections that the account made, and removes their credentials.
  package func willErase(_ account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try HospitalConnectionStore.endAll(madeBy: account, in: writer)
  }
}

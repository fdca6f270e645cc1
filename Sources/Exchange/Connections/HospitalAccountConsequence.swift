// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// Changes of connections to hospitals that follow a change of an account.
package struct HospitalAccountConsequence: AccountConsequence {
  package init() {}

  /// Changes nothing: a connection belongs to the patient, and nobody gets in here by it.
  package func passwordWasReplaced(
    of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {}

  /// Ends the connections that the account made.
  package func willErase(_ account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try HospitalConnectionStore.endAll(madeBy: account, in: writer)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Changes in other modules' tables that follow a change of an account, in the same transaction.
///
/// Accounts does not know the modules above it. Each module with data that foreign keys do not cover provides
/// one of these, and the creator of an ``AccountStore`` lists them all.
package protocol AccountConsequence: Sendable {
  /// Ends everything that was opened under the earlier password and needs no sign-in, such as secret
  /// addresses.
  func passwordWasReplaced(
    of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError)

  /// Removes the account's credentials and name from entries that outlive it; the account is deleted next.
  func willErase(_ account: AccountID, in writer: any SQLWriter) throws(StorageError)
}

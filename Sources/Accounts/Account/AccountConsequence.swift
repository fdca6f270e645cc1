// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Changes in another module's tables that follow a change of an account, in the same transaction.
///
/// Accounts knows no module above it. Each of them that keeps data which foreign keys do not cover has one of these, and
/// whoever makes an ``AccountStore`` names them all.
package protocol AccountConsequence: Sendable {
  /// Ends what was opened under the earlier password and needs no sign-in, such as secret addresses.
  func passwordWasReplaced(
    of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError)

  /// Removes the account's credentials and name from entries that outlive it; the account is deleted next.
  func willErase(_ account: AccountID, in writer: any SQLWriter) throws(StorageError)
}

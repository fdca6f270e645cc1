// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

extension AccountStore {
  /// Removes every way to sign in except the password, and ends every session: used by the operator to help a
  /// person who lost the rest.
  package func removeSecondFactors(
    of account: AccountID, at now: Timestamp, by actor: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try Self.deleteCodes(of: account, in: writer)
    try PasskeyStore.delete(of: account, in: writer)
    try SessionStore.delete(of: account, in: writer)
    try PendingSignInStore.delete(of: account, in: writer)
    try AddressProofStore.delete(of: account, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: .delete, patient: nil, resource: "SecondFactors",
        resourceID: account.text, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }
}

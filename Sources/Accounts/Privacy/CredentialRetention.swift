// SPDX-License-Identifier: Apache-2.0

import Storage

extension AccountStore {
  /// Deletes sessions, tokens and invitations that ended before an instant, and returns their number.
  ///
  /// Counted guesses and visits to providers, which matter only for minutes, are deleted too.
  package func forgetCredentials(
    endedBefore instant: Timestamp, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try SignInThrottle.forget(at: now, in: writer)
    try ProviderVisitStore.delete(endedBefore: now, in: writer)
    try AddressProofStore.delete(endedBefore: now, in: writer)
    try PendingSignInStore.delete(endedBefore: instant, in: writer)
    try DeviceSignInStore.delete(endedBefore: instant, in: writer)
    try PasskeyStore.deleteChallenges(endedBefore: instant, in: writer)
    try AppGrantStore.delete(endedBefore: instant, in: writer)
    return try SessionStore.delete(endedBefore: instant, in: writer)
      + TokenStore.delete(endedBefore: instant, in: writer)
      + InvitationStore.delete(endedBefore: instant, in: writer)
  }
}

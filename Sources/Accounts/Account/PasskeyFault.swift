// SPDX-License-Identifier: Apache-2.0

/// A reason why a passkey's answer is not valid.
package enum PasskeyFault: String, Error, Sendable, CaseIterable {
  case unreadable
  case wrongType
  case wrongChallenge
  case wrongOrigin
  /// The answer came from a page within another page.
  case framed
  case wrongRelyingParty
  case notPresent
  case notVerified
  case wrongBackupState
  case unknownKey
  case attested
  case wrongSignature
  /// The signature counter did not increase, so the passkey may have been copied.
  case wrongCounter
  case unknownPasskey
  case foreignPasskey
  case alreadyKnown
}

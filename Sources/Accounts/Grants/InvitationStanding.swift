// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The state of an invitation, as shown to someone with its code.
///
/// A code has 60 random bits, so anyone with the right one was given it and may know that the invitation was
/// used or has expired.
package enum InvitationStanding: Sendable, Hashable {
  /// Anyone with the code can accept it.
  case open(GrantInvitation)
  /// An account has accepted or declined it; nil for an account that declined.
  case used(by: AccountID?)
  case expired
  case withdrawn
  /// It was made for one account, not for anyone with the code.
  case forSomeoneElse
  /// No invitation has this code.
  case unknown
}

extension AccountStore {
  /// Returns the state of the invitation that a code belongs to.
  package func standing(
    of code: InvitationCode, at now: Timestamp, in reader: any SQLReader
  ) throws -> InvitationStanding {
    let found = try reader.first(Self.anyStateStatement, [.blob(codeIndex(code))])
      .flatMap(invitation)
    guard let found else { return .unknown }
    switch found.state {
    case .accepted, .confirmed: return .used(by: found.acceptedBy)
    case .declined: return .used(by: nil)
    case .withdrawn: return .withdrawn
    case .open:
      guard found.asked == nil else { return .forSomeoneElse }
      return found.expires > now ? .open(found) : .expired
    }
  }

  private static let anyStateStatement = SQLStatement(
    "SELECT \(GrantInvitationRow.columns) FROM grant_invitations WHERE code_index = $1")
}

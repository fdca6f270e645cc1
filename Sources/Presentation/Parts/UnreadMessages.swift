// SPDX-License-Identifier: Apache-2.0

import Web

/// The number of messages that an account has not read.
package enum UnreadMessages: VisitorFact {
  /// The number without a session.
  package static let initial = 0
}

extension Call {
  /// The number of messages that the signed-in account has not read.
  package var newMessages: Int { facts[UnreadMessages.self] }
}

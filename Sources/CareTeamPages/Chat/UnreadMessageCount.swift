// SPDX-License-Identifier: Apache-2.0

import Accounts
import CareTeam
import Presentation
import Web

/// Counts the unread messages of those conversations that the account may see.
package enum UnreadMessageCount: VisitorFactSource {
  /// The count, which is kept with the request.
  package typealias Fact = UnreadMessages

  /// Returns the number of unread messages about all patients whose messages the account may see.
  package static func value(of visitor: Visitor) -> Int {
    ChatReader.unread(
      of: visitor.signedIn.actor,
      among: Dictionary(
        visitor.people.map { ($0.patient, $0.unread) }, uniquingKeysWith: { one, _ in one }))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import SiteMap

/// The photo of a message, as pages, the JSON API and FHIR link to it.
package enum MessagePhoto {
  /// Returns the address under which the photo is served.
  package static func address(of message: MessageID, in conversation: ConversationID) -> String {
    "\(Address.conversations)/\(conversation)/photos/\(message)"
  }
}

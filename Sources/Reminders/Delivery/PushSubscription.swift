// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A device as its owner sees it.
package struct PushSubscription: Sendable, Hashable {
  package let id: DeviceID
  package let account: AccountID
  /// The push service.
  package let host: String
  /// The device's name, given by the person or the browser.
  package let label: String?
  package let created: Timestamp
  /// When the person last tapped the test.
  package let confirmed: Timestamp?
  package let lastShown: Timestamp?
  /// Handed over since it last showed one.
  package let unshown: Int64
  /// True if it counts as broken, so mail is sent at once.
  package let isBroken: Bool
  /// When it was handed the first that it did not show; nil where it showed the last one.
  package let silentSince: Timestamp?

  /// The address without what makes it secret.
  package var maskedAddress: String { Self.masked(host: host, id: id) }

  static func masked(host: String, id: DeviceID) -> String { "\(host)/…\(id.text.suffix(4))" }
}

/// A browser's subscription for a device, checked by the caller.
package struct PushSubscriptionDetails: Sendable, Hashable {
  package let endpoint: String
  package let p256dh: String
  package let auth: String
  package let host: String
  package let label: String?
  /// The credential of the session that made it, which takes it along when it ends.
  package let session: String?

  package init(
    endpoint: String, p256dh: String, auth: String, host: String, label: String?,
    session: String?
  ) {
    self.endpoint = endpoint
    self.p256dh = p256dh
    self.auth = auth
    self.host = host
    self.label = label
    self.session = session
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A device as its owner sees it.
package struct PushSubscription: Sendable, Hashable {
  /// The identifier of the device.
  package let id: DeviceID
  /// The account whose reminders the device receives.
  package let account: AccountID
  /// The host of the push service.
  package let host: String
  /// The name of the device, from the person or the browser.
  package let label: String?
  /// The time at which the device was added.
  package let created: Timestamp
  /// The last time at which the person confirmed a test; nil for never.
  package let confirmed: Timestamp?
  /// The last time at which the device showed a reminder; nil for never.
  package let lastShown: Timestamp?
  /// The number of reminders handed over since the device last showed one.
  package let unshown: Int64
  /// True if it counts as broken, so mail is sent at once.
  package let isBroken: Bool
  /// The time of the first reminder that the device did not show; nil if it showed the last one.
  package let silentSince: Timestamp?

  /// The address without its secret part.
  package var maskedAddress: String { Self.masked(host: host, id: id) }

  static func masked(host: String, id: DeviceID) -> String { "\(host)/…\(id.text.suffix(4))" }
}

/// A browser's subscription for a device, checked by the caller.
package struct PushSubscriptionDetails: Sendable, Hashable {
  /// The address at the push service, which is secret.
  package let endpoint: String
  /// The browser's public key, base64url.
  package let p256dh: String
  /// The browser's authentication secret, base64url.
  package let auth: String
  /// The host of the push service.
  package let host: String
  /// The name of the device, from the person or the browser.
  package let label: String?
  /// The session that added the device; the device is removed when the session ends.
  package let session: SessionID?

  /// Creates the details of a subscription.
  package init(
    endpoint: String, p256dh: String, auth: String, host: String, label: String?,
    session: SessionID?
  ) {
    self.endpoint = endpoint
    self.p256dh = p256dh
    self.auth = auth
    self.host = host
    self.label = label
    self.session = session
  }
}

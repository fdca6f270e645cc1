// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Encrypts the secrets of devices.
enum PushSecrets {
  static let indexContext = "push_subscriptions:endpoint"

  static func seal(
    _ details: PushSubscriptionDetails, subscription: DeviceID, cipher: FieldCipher
  ) throws(StorageError) -> (endpoint: [UInt8], keys: [UInt8]) {
    (
      try cipher.seal(details.endpoint, context: "push_subscriptions:\(subscription):endpoint"),
      try cipher.seal(
        "\(details.p256dh)\n\(details.auth)", context: "push_subscriptions:\(subscription):keys")
    )
  }

  static func open(
    subscription: String, endpoint: [UInt8], keys: [UInt8], cipher: FieldCipher
  ) throws(StorageError) -> PushAddress {
    let opened = try cipher.open(keys, context: "push_subscriptions:\(subscription):keys")
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard opened.count == 2 else { throw .decryptionFailed }
    return PushAddress(
      subscription: subscription,
      endpoint: try cipher.open(
        endpoint, context: "push_subscriptions:\(subscription):endpoint"),
      p256dh: String(opened[0]), auth: String(opened[1]))
  }
}

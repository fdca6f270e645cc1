// SPDX-License-Identifier: Apache-2.0

import Encodings
import Identifiers
import Storage

/// A device on which an account signed in before.
///
/// Its attempts are counted separately, so that guesses by others do not keep the owner out. The device's
/// secret proves only that; the password is still required. It is not stored here but computed from the key
/// of blind indexes and a number of the account, which a new password or signing out everywhere increases.
package enum KnownDevice {
  /// The prefix of the secret of every known device.
  package static let prefix = "rgk_"
  /// The number of bytes that distinguish devices.
  static let idLength = 16
}

extension AccountStore {
  /// Returns the secret that a device presents at its next sign-in; nil if the name cannot be that of an
  /// account.
  ///
  /// - Parameter epoch: the account's ``deviceEpoch(named:in:)``.
  package func knownDevice(
    of name: String, epoch: Int64 = 0, random: RandomBytes
  ) -> Secret? {
    guard let address = try? SignInName(name) else { return nil }
    let id = Base64URL.encode(random(KnownDevice.idLength))
    return Secret(text: "\(KnownDevice.prefix)\(id).\(knownMark(id, address, epoch))")
  }

  /// Returns true if a device signed in with this name before, in this epoch of its account.
  package func isKnown(_ device: Secret, to name: String, epoch: Int64 = 0) -> Bool {
    guard let address = try? SignInName(name) else { return false }
    return knownID(device, to: address, epoch) != nil
  }

  /// Returns the number of times that the known devices of an account were ended; nil if no account
  /// has the name.
  package func deviceEpoch(
    named name: SignInName, in reader: any SQLReader
  ) throws(StorageError) -> Int64? {
    try reader.first(
      "SELECT device_epoch FROM accounts WHERE email_index = $1", [.blob(nameIndex(name))]
    )?.value()
  }

  /// Returns the bucket for a known device's attempts; nil for any other device.
  func knownBucket(
    _ device: Secret?, to address: SignInName, epoch: Int64
  ) -> SignInThrottle.Bucket? {
    device.flatMap { knownID($0, to: address, epoch) }.map { id in
      .target(attemptKey("known-device", "\(id) \(address.folded)"))
    }
  }

  private func knownID(_ device: Secret, to address: SignInName, _ epoch: Int64) -> String? {
    guard device.text.hasPrefix(KnownDevice.prefix), device.text.utf8.count < 200 else {
      return nil
    }
    let parts = device.text.dropFirst(KnownDevice.prefix.count)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let id = String(parts[0])
    let expected = Array(knownMark(id, address, epoch).utf8)
    let given = Array(parts[1].utf8)
    guard given.count == expected.count else { return nil }
    var difference: UInt8 = 0
    for (left, right) in zip(given, expected) { difference |= left ^ right }
    return difference == 0 ? id : nil
  }

  private func knownMark(_ id: String, _ address: SignInName, _ epoch: Int64) -> String {
    let text = "\(id) \(epoch) \(address.folded)"
    return Base64URL.encode(cipher.blindIndex(text, context: "known-device"))
  }
}

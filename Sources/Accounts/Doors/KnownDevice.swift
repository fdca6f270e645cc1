// SPDX-License-Identifier: Apache-2.0

import Storage

/// A device on which an account was signed in to, so that guesses of others do not keep its owner out:
/// its attempts are counted by themselves.
///
/// What the device holds says only that; the password is asked for as before. Nothing is kept here: it
/// is made and checked with the key of blind indexes.
package enum KnownDevice {
  package static let prefix = "rgk_"
  /// Bytes that tell one device from another.
  static let idLength = 16
}

extension AccountStore {
  /// What a device gets to show at its next sign-in; nil where nobody could sign in with the name.
  package func knownDevice(of name: String, random: RandomBytes) -> Secret? {
    guard let address = try? SignInName(name) else { return nil }
    let id = Base64URL.encode(random(KnownDevice.idLength))
    return Secret(text: "\(KnownDevice.prefix)\(id).\(knownMark(id, address))")
  }

  /// Whether a device was signed in to by this name before.
  package func isKnown(_ device: Secret, to name: String) -> Bool {
    guard let address = try? SignInName(name) else { return false }
    return knownID(device, to: address) != nil
  }

  /// What a known device's attempts are counted by; nil for every other.
  func knownBucket(_ device: Secret?, to address: SignInName) -> SignInThrottle.Bucket? {
    device.flatMap { knownID($0, to: address) }.map { id in
      .target(attemptKey("known-device", "\(id) \(address.folded)"))
    }
  }

  private func knownID(_ device: Secret, to address: SignInName) -> String? {
    guard device.text.hasPrefix(KnownDevice.prefix), device.text.utf8.count < 200 else {
      return nil
    }
    let parts = device.text.dropFirst(KnownDevice.prefix.count)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let id = String(parts[0])
    let expected = Array(knownMark(id, address).utf8)
    let given = Array(parts[1].utf8)
    guard given.count == expected.count else { return nil }
    var difference: UInt8 = 0
    for (left, right) in zip(given, expected) { difference |= left ^ right }
    return difference == 0 ? id : nil
  }

  private func knownMark(_ id: String, _ address: SignInName) -> String {
    Base64URL.encode(cipher.blindIndex("\(id) \(address.folded)", context: "known-device"))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import Storage
import Web

/// The cookie of a device that has signed in before; wrong guesses by others do not slow it down.
enum KnownDeviceCookie {
  private static let lifetimeSeconds: Int64 = 365 * 24 * 3600

  static func name(isSecure: Bool) -> String {
    isSecure ? "__Host-regimen-known" : "regimen-known"
  }

  /// Returns the secret that the device sends, unchecked; nil if there is none.
  static func value(in call: Call) -> Secret? {
    guard let text = call.cookie(name(isSecure: call.isSecure)), text.utf8.count < 200 else {
      return nil
    }
    return Secret(text: text)
  }

  /// Returns the cookie for the account's own device; none for a shared device.
  static func setting(
    for account: Account, kind: SessionKind, _ call: Call
  ) async throws -> [String] {
    let accounts = call.environment.accounts
    guard kind == .trusted, let address = try? SignInName(account.email) else { return [] }
    let epoch = try await call.environment.database.read {
      try accounts.deviceEpoch(named: address, in: $0)
    }
    guard let epoch else { return [] }
    if let shown = value(in: call), accounts.isKnown(shown, to: account.email, epoch: epoch) {
      return []
    }
    guard
      let secret = accounts.knownDevice(
        of: account.email, epoch: epoch, random: call.environment.random)
    else { return [] }
    return [
      Cookies.setting(
        name(isSecure: call.isSecure), to: secret.text, maximumAgeSeconds: lifetimeSeconds,
        isSecure: call.isSecure)
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The data that an authenticator reports about itself (WebAuthn section 6.1).
struct AuthenticatorData: Sendable, Hashable {
  struct Credential: Sendable, Hashable {
    let id: [UInt8]
    let key: PasskeyKey
  }

  let relyingPartyHash: [UInt8]
  let isUserPresent: Bool
  let isUserVerified: Bool
  /// True if the passkey can be copied to several devices and has been.
  let mayBeBackedUp: Bool
  let isBackedUp: Bool
  let signs: UInt32
  /// The new credential; nil in an assertion.
  let credential: Credential?

  /// Reads the data; nil if a byte is missing, left over or unknown.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 37 else { return nil }
    let flags = bytes[32]
    relyingPartyHash = Array(bytes[..<32])
    isUserPresent = flags & 0x01 != 0
    isUserVerified = flags & 0x04 != 0
    mayBeBackedUp = flags & 0x08 != 0
    isBackedUp = flags & 0x10 != 0
    signs = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    var rest = bytes[37...]
    if flags & 0x40 != 0 {
      guard let credential = Self.credential(&rest) else { return nil }
      self.credential = credential
    } else {
      credential = nil
    }
    if flags & 0x80 != 0 {
      var reader = CBORReader(Array(rest))
      guard case .map? = try? reader.next() else { return nil }
      rest = rest.dropFirst(reader.position)
    }
    guard rest.isEmpty else { return nil }
  }

  /// Reads the attested credential: 16 bytes for the model, the id with its length, and the key.
  private static func credential(_ rest: inout ArraySlice<UInt8>) -> Credential? {
    guard rest.count >= 18 else { return nil }
    let start = rest.startIndex
    let length = Int(rest[start + 16]) << 8 | Int(rest[start + 17])
    rest = rest.dropFirst(18)
    guard (1...1023).contains(length), rest.count > length else { return nil }
    let id = Array(rest.prefix(length))
    rest = rest.dropFirst(length)
    var reader = CBORReader(Array(rest))
    guard let cose = try? reader.next(), let key = PasskeyKey(cose: cose) else { return nil }
    rest = rest.dropFirst(reader.position)
    return Credential(id: id, key: key)
  }
}

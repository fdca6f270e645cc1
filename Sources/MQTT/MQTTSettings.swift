// SPDX-License-Identifier: Apache-2.0

import Secrecy

/// The address of a broker.
package struct MQTTAddress: Sendable, Hashable {
  /// The name or address of the host.
  package let host: String
  /// The port.
  package let port: Int
  /// True to connect with TLS.
  package let isSecure: Bool

  /// Reads `mqtt://host`, `mqtt://host:1883` or `mqtts://host:8883`; nil for anything else.
  package init?(_ text: String) {
    let rest: Substring
    if text.hasPrefix("mqtts://") {
      isSecure = true
      rest = text.dropFirst(8)
    } else if text.hasPrefix("mqtt://") {
      isSecure = false
      rest = text.dropFirst(7)
    } else {
      return nil
    }
    let name: Substring
    var digits: Substring?
    if rest.hasPrefix("[") {
      // An IPv6 address.
      guard let end = rest.firstIndex(of: "]") else { return nil }
      name = rest[rest.index(after: rest.startIndex)..<end]
      let after = rest[rest.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      if after.hasPrefix(":") { digits = after.dropFirst() }
      guard name.utf8.allSatisfy({ Self.isAddressPart($0) }) else { return nil }
    } else {
      let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
      guard let first = parts.first, parts.count <= 2 else { return nil }
      name = first
      if parts.count == 2 { digits = parts[1] }
      guard name.utf8.allSatisfy({ Self.isNamePart($0) }) else { return nil }
    }
    guard !name.isEmpty, name.utf8.count <= 253 else { return nil }
    if let digits {
      guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let number = Int(digits), (1...65_535).contains(number)
      else { return nil }
      port = number
    } else {
      port = isSecure ? 8883 : 1883
    }
    host = String(name)
  }

  private static func isAddressPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The settings of the connection to a broker.
package struct MQTTSettings: Sendable, Unprintable {
  /// The address of the broker.
  package var address: MQTTAddress
  /// The name under which the broker keeps the session.
  package var clientID: String
  /// The user; nil for none.
  package var user: String?
  /// The user's password; nil for none.
  package var password: Concealed<String>?
  /// The path of the certificates that are trusted; nil for those of the system.
  package var authorities: String?
  /// The path of the client's own certificate; nil for none.
  package var certificate: String?
  /// The path of the key of the client's certificate; nil for none.
  package var key: String?
  /// The message that the broker sends if the connection breaks.
  package var will: MQTTMessage?
  /// The filters of the topics to receive.
  package var subscriptions: [String] = []
  /// The seconds between two signs of life.
  package var keepAlive = 30
  /// The most published messages that wait for the broker's acknowledgement.
  package var mostWaiting = 500
  /// The most received messages that wait to be taken; further ones are dropped.
  package var mostReceived = 256
  /// The most bytes of a received message; larger ones are dropped.
  package var largestPayload = 4_096

  /// Creates settings without a user, a will and subscriptions.
  package init(address: MQTTAddress, clientID: String) {
    self.address = address
    self.clientID = clientID
  }
}

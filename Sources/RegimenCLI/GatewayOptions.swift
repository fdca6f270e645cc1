// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Channels
import Configuration
import Foundation
import Identifiers
import Outbound
import Secrecy

/// The gateway for text messages and calls; invalid settings end the start.
struct GatewayOptions: Sendable {
  let gateway: PhoneGateway
  /// The host of the gateway, the only one that is contacted.
  let host: HostRule

  /// Reads variables and file; nil if no gateway is named.
  init?(_ reader: ConfigReader) throws {
    func setting(_ part: String) -> String? {
      let isSecret = part == "secret" || part == "signing"
      return reader.string(forKey: ConfigKey("gateway.\(part)"), isSecret: isSecret)
        .map { $0.trimmingCharacters(in: .whitespaces) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    func variable(_ part: String) -> String { "REGIMEN_GATEWAY_\(part)" }
    guard let name = setting("kind") else { return nil }
    guard let kind = PhoneGateway.Kind(rawValue: name) else {
      let known = PhoneGateway.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\(variable("KIND")) must be one of \(known).")
    }
    guard let secret = setting("secret"), Self.isHeader(secret) else {
      throw ValidationError("Set \(variable("SECRET")).")
    }
    let account = setting("account") ?? ""
    guard !kind.needsAccount || (!account.isEmpty && Self.isName(account)) else {
      throw ValidationError("Set \(variable("ACCOUNT")) to the id of an account.")
    }
    let sender = setting("from") ?? ""
    guard !sender.isEmpty || kind == .seven, sender.utf8.count <= 50 else {
      throw ValidationError("\(variable("FROM")) is missing: where texts come from.")
    }
    var caller: PhoneNumber?
    if let typed = setting("caller") {
      caller = PhoneNumber(typed)
      guard caller != nil else {
        throw ValidationError("\(variable("CALLER")) must be a number such as +4740000000.")
      }
    }
    let signing = setting("signing")
    guard signing.map({ Self.isHeader($0) && kind.forwardsReplies }) ?? true else {
      throw ValidationError(
        "\(variable("SIGNING")) must be the key with which \(kind.rawValue) signs webhooks, if it does."
      )
    }
    let address = setting("url") ?? kind.address
    let base = address.hasSuffix("/") ? String(address.dropLast()) : address
    guard let parts = URLComponents(string: base), let host = parts.host, !host.isEmpty,
      parts.scheme == "https" || parts.scheme == "http", parts.user == nil, parts.query == nil,
      let rule = HostRule(parts.port.map { "\(host):\($0)" } ?? host)
    else {
      throw ValidationError("\(variable("URL")) must be an address such as \(kind.address).")
    }
    self.host = rule
    gateway = PhoneGateway(
      kind: kind, address: base, account: account, secret: Concealed(secret),
      sender: PhoneNumber(sender)?.text ?? sender, caller: caller?.text,
      signingKey: signing.map { Concealed($0) })
  }

  /// Returns true if a text is valid in a header.
  private static func isHeader(_ text: String) -> Bool {
    text.utf8.count <= 500 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Returns true if a text is valid in an address without encoding.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 100
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: false
        }
      }
  }
}

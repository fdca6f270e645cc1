// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Channels
import Configuration
import Foundation
import Outbound
import Secrecy

/// The bot of a chat service; invalid settings end the start.
struct ChatOptions: Sendable {
  let bot: ChatBot
  /// The host of the bot's server, the only one that is contacted.
  let host: HostRule

  /// Reads variables and file; nil if no service is named.
  init?(_ reader: ConfigReader) throws {
    func setting(_ part: String) -> String? {
      let isSecret = part == "secret" || part == "token"
      return reader.string(forKey: ConfigKey("chat.\(part)"), isSecret: isSecret)
        .map { $0.trimmingCharacters(in: .whitespaces) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    func variable(_ part: String) -> String { "REGIMEN_CHAT_\(part)" }
    guard let name = setting("kind") else { return nil }
    guard let kind = ChatBot.Kind(rawValue: name) else {
      let known = ChatBot.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\(variable("KIND")) must be one of \(known).")
    }
    guard let bot = setting("name"), Self.isWord(bot, "_+") else {
      throw ValidationError(
        "Set \(variable("NAME")) to the bot's user name, or to the number of the Signal account.")
    }
    // Telegram allows these characters in the secret of a webhook.
    guard let secret = setting("secret"), (16...256).contains(secret.utf8.count),
      Self.isWord(secret, "_-")
    else {
      throw ValidationError(
        "Set \(variable("SECRET")) to 16 to 256 letters, digits, hyphens and underscores.")
    }
    let token = setting("token") ?? ""
    guard kind != .telegram || (!token.isEmpty && Self.isWord(token, ":_-")) else {
      throw ValidationError("Set \(variable("TOKEN")) to the token of the bot.")
    }
    let address = setting("url") ?? (kind == .telegram ? "https://api.telegram.org" : "")
    let base = address.hasSuffix("/") ? String(address.dropLast()) : address
    guard let parts = URLComponents(string: base), let host = parts.host, !host.isEmpty,
      parts.scheme == "https" || parts.scheme == "http", parts.user == nil, parts.query == nil,
      let rule = HostRule(parts.port.map { "\(host):\($0)" } ?? host)
    else {
      throw ValidationError("\(variable("URL")) must be the address of the bot's server.")
    }
    self.host = rule
    self.bot = ChatBot(
      kind: kind, address: base, name: bot, token: Concealed(token), secret: Concealed(secret))
  }

  /// Returns true if a text has only letters, digits and some signs.
  private static func isWord(_ text: String, _ signs: String) -> Bool {
    text.utf8.count <= 300
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: signs.unicodeScalars.contains(scalar)
        }
      }
  }
}

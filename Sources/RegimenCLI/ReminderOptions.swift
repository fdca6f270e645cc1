// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Channels
import Configuration
import Foundation
import Outbound
import Secrecy

/// The reminder channels of the server; invalid settings end the start.
struct ReminderOptions: Sendable {
  /// The push services in addition to the well-known ones, as configured.
  var pushHosts: [HostRule] = []
  /// The contact for push services: `mailto:` or `https:`.
  var vapidSubject: String?
  /// The default ntfy server; its host is allowed as configured.
  var ntfyServer: String?
  /// The hosts that people may name although they are private or use plain http.
  var outboundHosts: [HostRule] = []
  /// The gateway for text messages and calls.
  var gateway: GatewayOptions?
  /// The MQTT broker for Home Assistant.
  var broker: BrokerOptions?
  /// The bot of a chat service.
  var chat: ChatOptions?
  /// The address for the heartbeat each minute; its host is allowed as configured.
  var alive: (address: Concealed<String>, host: HostRule)?
  /// The mail program and the sender address.
  var mail: (program: String, from: MailAddress)?

  init() {}

  /// Reads variables and file.
  init(_ reader: ConfigReader) throws {
    pushHosts = try Self.list(reader.string(forKey: "push.hosts")).map { text in
      guard let rule = HostRule(text) else {
        throw ValidationError(
          "REGIMEN_PUSH_HOSTS must name hosts such as push.example.org or 127.0.0.1:9999.")
      }
      return rule
    }
    outboundHosts = try Self.list(reader.string(forKey: "outbound.hosts")).map { text in
      guard let rule = HostRule(text) else {
        throw ValidationError(
          "REGIMEN_OUTBOUND_HOSTS must name hosts such as ntfy.home.example:8080 or 127.0.0.1:9999."
        )
      }
      return rule
    }
    if let server = reader.string(forKey: "ntfy.url")?.trimmingCharacters(in: .whitespaces),
      !server.isEmpty
    {
      outboundHosts.append(
        try Self.host(
          of: server, "REGIMEN_NTFY_URL must be an address such as https://ntfy.example.org."))
      ntfyServer = server
    }
    if let address = reader.string(forKey: "alive.url", isSecret: true)?
      .trimmingCharacters(in: .whitespaces), !address.isEmpty
    {
      alive = (
        Concealed(address),
        try Self.host(
          of: address, "REGIMEN_ALIVE_URL must be an address such as https://hc.example.org/ping/1."
        )
      )
    }
    vapidSubject = try reader.string(forKey: "vapid.subject").flatMap(Self.subject)
    gateway = try GatewayOptions(reader)
    broker = try BrokerOptions(reader)
    chat = try ChatOptions(reader)
    mail = try Self.mail(
      program: reader.string(forKey: "sendmail"), from: reader.string(forKey: "mail.from"))
  }

  private static func host(of address: String, _ mistake: String) throws -> HostRule {
    guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
      parts.scheme == "https" || parts.scheme == "http", parts.user == nil,
      let rule = HostRule(parts.port.map { "\(host):\($0)" } ?? host)
    else { throw ValidationError(mistake) }
    return rule
  }

  private static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private static func subject(_ text: String) throws -> String? {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    guard !trimmed.isEmpty else { return nil }
    let isMail = trimmed.hasPrefix("mailto:") && MailAddress(String(trimmed.dropFirst(7))) != nil
    let isPage =
      trimmed.hasPrefix("https://") && URLComponents(string: trimmed)?.host?.isEmpty == false
    guard isMail || isPage, trimmed.utf8.count <= 300 else {
      throw ValidationError(
        "REGIMEN_VAPID_SUBJECT must be mailto:you@example.org or an https address.")
    }
    return trimmed
  }

  private static func mail(
    program: String?, from: String?
  ) throws -> (program: String, from: MailAddress)? {
    guard let program, !program.isEmpty else {
      guard from == nil || from == "" else {
        throw ValidationError("REGIMEN_MAIL_FROM needs REGIMEN_SENDMAIL, the mail program.")
      }
      return nil
    }
    var isFolder: ObjCBool = false
    guard program.hasPrefix("/"), FileManager.default.isExecutableFile(atPath: program),
      FileManager.default.fileExists(atPath: program, isDirectory: &isFolder), !isFolder.boolValue
    else {
      throw ValidationError(
        "REGIMEN_SENDMAIL must be the full path of a program, such as /usr/sbin/sendmail.")
    }
    guard let address = from.flatMap(MailAddress.init) else {
      throw ValidationError(
        "REGIMEN_SENDMAIL needs REGIMEN_MAIL_FROM, an address such as regimen@example.org.")
    }
    return (program, address)
  }
}

// SPDX-License-Identifier: Apache-2.0

import AccountPages
import ArgumentParser
import Configuration
import Foundation
import Logging
import Operations
import Storage
import SystemPackage
import Web

/// The settings of `regimen serve`, combined from options, variables and file.
struct ServeOptions: Sendable {
  var host: String
  var port: Int
  /// True to serve https with certificates of this home.
  var home: Bool
  var data: String
  /// The database; nil for the data folder itself.
  var database: PostgresAddress?
  var settings: ServerSettings
  var reminders: ReminderOptions
  var providers: ProviderOptions
  var clockOffset: Int64
  var logLevel: Logger.Level

  /// The file in the data folder that marks its people as invented.
  static let demoMarker = "DEMO"

  /// The host of the public address, without the brackets of an IPv6 address.
  var publicHost: String? {
    guard let url = settings.publicURL, let host = URLComponents(string: url)?.host else {
      return nil
    }
    return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  }

  /// Combines the settings: option before variable before file before default.
  static func resolve(_ command: ServeCommand) async throws -> ServeOptions {
    let reader = try await reader(file: command.config)
    let home = try command.home || flag("home", reader: reader)
    let host =
      command.host ?? reader.string(forKey: "host") ?? (home ? "0.0.0.0" : "127.0.0.1")
    let port = try command.port ?? number("port", reader: reader) ?? (home ? 8443 : 8080)
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port must be between 0 and 65535.")
    }
    let data = command.data ?? reader.string(forKey: "data") ?? "./var"
    let proxies = try proxies(command.behindProxy ?? reader.string(forKey: "behind.proxy") ?? "")
    let publicURL = try checked(
      publicURL: command.publicURL ?? reader.string(forKey: "public.url"))
    let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(host)
    guard isLoopback || home || !proxies.isEmpty else {
      throw ValidationError(
        """
        Plain http works only on 127.0.0.1. To reach the server from elsewhere, serve https at \
        home with --home, or put an https proxy in front and name it with --behind-proxy \
        ADDRESS.
        """)
    }
    guard !home || publicURL?.hasPrefix("http://") != true else {
      throw ValidationError("With --home, --public-url must begin with https.")
    }
    let offset = try number("clock.offset", reader: reader) ?? 0
    if offset != 0 {
      guard isLoopback, FileManager.default.fileExists(atPath: data + "/TEST") else {
        throw ValidationError(
          "REGIMEN_CLOCK_OFFSET is for tests: on 127.0.0.1, with a file TEST in the data folder.")
      }
    }
    var settings = ServerSettings(
      publicURL: publicURL,
      homeZone: reader.string(forKey: "zone") ?? Composition.machineZone,
      trustedProxies: proxies)
    settings.isDemo = FileManager.default.fileExists(atPath: "\(data)/\(demoMarker)")
    guard
      try !settings.isDemo || (publicURL == nil && proxies.isEmpty)
        || command.demoOnPurpose
        || flag("demo.on.purpose", reader: reader)  // not a message
    else {
      throw ValidationError(
        """
        \(data) contains the demonstration, whose passwords are public. Serve it without \
        --public-url and --behind-proxy, or add --demo-on-purpose.
        """)
    }
    settings.crossOrigins = try crossOrigins(reader.string(forKey: "cors.origins") ?? "")
    settings.signUp = try signUp(command.signUp ?? reader.string(forKey: "sign.up"))
    settings.appRegistration = try appRegistration(reader.string(forKey: "app.registration"))
    settings.securityContact = try securityContact(reader)
    settings.servesHTTPS = home
    settings.interactionsFile = reader.string(forKey: "interactions")
    // If only this computer can reach the server, it is only a recommendation, as for the
    // demonstration.
    settings.requiresSecondFactor = !isLoopback || home || !proxies.isEmpty || publicURL != nil
    settings.backups = try BackupOptions.schedule(command, reader, data: data)
    settings.retention = try RetentionOptions.read(reader)
    settings.auditOutside = try auditOutside(reader, data: data)
    if let count = try number("connections.per.address", reader: reader) {
      guard count > 0 else {
        throw ValidationError("REGIMEN_CONNECTIONS_PER_ADDRESS must be 1 or more.")
      }
      settings.maximumConnectionsOfAddress = count
    }
    return ServeOptions(
      host: host, port: port, home: home, data: data,
      database: try DatabaseChoice.address(
        command.database ?? reader.string(forKey: "database", isSecret: true)),
      settings: settings,
      reminders: try ReminderOptions(reader),
      providers: try ProviderOptions(reader),
      clockOffset: Int64(offset),
      logLevel: reader.string(forKey: "log.level").flatMap(Logger.Level.init(rawValue:)) ?? .info)
  }

  /// Returns the reader of settings.
  ///
  /// Variables are `REGIMEN_PORT`, `REGIMEN_PUBLIC_URL` and so on; in the file the same words are
  /// nested: `{"regimen": {"port": 8080}}`.
  private static func reader(file: String?) async throws -> ConfigReader {
    var providers: [any ConfigProvider] = [EnvironmentVariablesProvider()]
    if let file {
      do {
        providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
      } catch {
        throw ValidationError("The file given by --config cannot be read as JSON.")
      }
    }
    return ConfigReader(providers: providers).scoped(to: "regimen")
  }

  static func number(_ key: ConfigKey, reader: ConfigReader) throws -> Int? {
    guard let text = reader.string(forKey: key) else { return reader.int(forKey: key) }
    guard let value = Int(text) else {
      throw ValidationError("\(key) must be a whole number.")
    }
    return value
  }

  /// Returns the additional places for anchors of the audit trail.
  private static func auditOutside(
    _ reader: ConfigReader, data: String
  ) throws -> AuditOutside {
    var outside = AuditOutside()
    if let file = reader.string(forKey: "audit.anchors.file"), !file.isEmpty {
      let path = CommandPath.absolute(file)
      guard !path.hasPrefix(CommandPath.absolute(data) + "/") else {
        throw ValidationError(
          "REGIMEN_AUDIT_ANCHORS_FILE must be outside the data folder, best on another machine.")
      }
      outside.file = path
    }
    if let text = reader.string(forKey: "audit.anchors.syslog"), !text.isEmpty {
      guard let address = SystemLogAddress(text) else {
        throw ValidationError(
          "REGIMEN_AUDIT_ANCHORS_SYSLOG must be a socket such as /dev/log, or udp://host:514.")
      }
      outside.systemLog = address
    }
    return outside
  }

  private static func flag(_ key: ConfigKey, reader: ConfigReader) throws -> Bool {
    guard let text = reader.string(forKey: key) else { return reader.bool(forKey: key) ?? false }
    switch text.lowercased() {
    case "1", "true", "yes", "on": return true
    case "", "0", "false", "no", "off": return false
    default: throw ValidationError("\(key) must be true or false.")
    }
  }

  private static func signUp(_ text: String?) throws -> SignUpPolicy {
    guard let text, !text.isEmpty else { return .invitation }
    guard let policy = SignUpPolicy(rawValue: text) else {
      throw ValidationError("--sign-up must be open, invitation or closed.")
    }
    return policy
  }

  private static func appRegistration(_ text: String?) throws -> AppRegistrationPolicy {
    guard let text, !text.isEmpty else { return .closed }
    guard let policy = AppRegistrationPolicy(rawValue: text) else {
      throw ValidationError("REGIMEN_APP_REGISTRATION must be closed, approval or open.")
    }
    return policy
  }

  private static func securityContact(_ reader: ConfigReader) throws -> SecurityContact? {
    let contacts = (reader.string(forKey: "security.contact") ?? "").split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    let policy = reader.string(forKey: "security.policy").flatMap { $0.isEmpty ? nil : $0 }
    guard !contacts.isEmpty || policy != nil else { return nil }
    guard let contact = SecurityContact(contacts: contacts, policy: policy) else {
      throw ValidationError(
        """
        REGIMEN_SECURITY_CONTACT must list addresses such as security@example.org or \
        https://example.org/report; REGIMEN_SECURITY_POLICY must be an https address.
        """)
    }
    return contact
  }

  private static func proxies(_ list: String) throws -> [NetworkRange] {
    try list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
      .map { text in
        guard let range = NetworkRange(text) else {
          throw ValidationError(
            "--behind-proxy must be addresses such as 10.0.0.2 or 10.1.0.0/16, not \(text).")
        }
        return range
      }
  }

  private static func crossOrigins(_ list: String) throws -> CrossOrigins {
    guard let origins = CrossOrigins(list: list) else {
      throw ValidationError(
        """
        REGIMEN_CORS_ORIGINS must be origins such as https://app.example.org, separated by commas; \
        http is possible for localhost.
        """)
    }
    return origins
  }

  private static func checked(publicURL: String?) throws -> String? {
    guard var address = publicURL, !address.isEmpty else { return nil }
    while address.hasSuffix("/") { address.removeLast() }
    guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
      parts.scheme == "https" || parts.scheme == "http", parts.path.isEmpty
    else {
      throw ValidationError("--public-url must look like https://medicines.example.org.")
    }
    return address
  }
}

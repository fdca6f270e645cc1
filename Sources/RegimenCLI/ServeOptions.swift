// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Configuration
import Foundation
import Logging
import Server
import SystemPackage

/// What `regimen serve` runs with, after options, variables and file are put together.
struct ServeOptions: Sendable {
  var host: String
  var port: Int
  var data: String
  var settings: ServerSettings
  var clockOffset: Int64
  var logLevel: Logger.Level

  /// Option before variable before file before default.
  static func resolve(_ command: ServeCommand) async throws -> ServeOptions {
    let reader = try await reader(file: command.config)
    let host = command.host ?? reader.string(forKey: "host") ?? "127.0.0.1"
    let port = try command.port ?? number("port", reader: reader) ?? 8080
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port must be between 0 and 65535.")
    }
    let data = command.data ?? reader.string(forKey: "data") ?? "./var"
    let proxies = (command.behindProxy ?? reader.string(forKey: "behind.proxy") ?? "")
      .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    let publicURL = try checked(
      publicURL: command.publicURL ?? reader.string(forKey: "public.url"))
    let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(host)
    guard isLoopback || !proxies.isEmpty else {
      throw ValidationError(
        """
        Plain http may only be served on 127.0.0.1. To be reached from elsewhere, put an https \
        proxy in front and name it with --behind-proxy ADDRESS.
        """)
    }
    let offset = try number("clock.offset", reader: reader) ?? 0
    if offset != 0 {
      guard isLoopback, FileManager.default.fileExists(atPath: data + "/TEST") else {
        throw ValidationError(
          "REGIMEN_CLOCK_OFFSET is for tests: on 127.0.0.1, with a file TEST in the data folder.")
      }
    }
    return ServeOptions(
      host: host, port: port, data: data,
      settings: ServerSettings(
        publicURL: publicURL,
        homeZone: reader.string(forKey: "zone") ?? Composition.machineZone,
        trustedProxies: proxies),
      clockOffset: Int64(offset),
      logLevel: reader.string(forKey: "log.level").flatMap(Logger.Level.init(rawValue:)) ?? .info)
  }

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

  private static func number(_ key: ConfigKey, reader: ConfigReader) throws -> Int? {
    guard let text = reader.string(forKey: key) else { return reader.int(forKey: key) }
    guard let value = Int(text) else {
      throw ValidationError("\(key) must be a whole number.")
    }
    return value
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

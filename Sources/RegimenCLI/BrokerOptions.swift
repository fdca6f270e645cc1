// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Configuration
import Foundation
import HomeAutomation
import MQTT
import Secrecy

/// The MQTT broker for Home Assistant; invalid settings end the start.
struct BrokerOptions: Sendable {
  let settings: MQTTSettings
  let prefix: String
  let discoveryPrefix: String

  /// The most bytes of a password's file.
  private static let mostBytes = 4_096

  /// The broker, whose connection has not been tried.
  var broker: HomeBroker {
    HomeBroker(settings, prefix: prefix, discoveryPrefix: discoveryPrefix)
  }

  /// Reads variables and file; nil if no broker is named.
  init?(_ reader: ConfigReader) throws {
    func setting(_ key: String) -> String? {
      reader.string(forKey: ConfigKey(key), isSecret: key == "mqtt.password")
        .map { $0.trimmingCharacters(in: .whitespaces) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    func variable(_ part: String) -> String { "REGIMEN_MQTT_\(part)" }
    guard let text = setting("mqtt.url") else { return nil }
    guard let address = MQTTAddress(text) else {
      throw ValidationError(
        "\(variable("URL")) must be an address such as mqtts://broker.example.org:8883.")
    }
    let prefix = setting("mqtt.prefix") ?? "regimen"
    let discoveryPrefix = setting("mqtt.discovery.prefix") ?? "homeassistant"
    guard MQTTTopic.isPrefix(prefix), MQTTTopic.isPrefix(discoveryPrefix) else {
      throw ValidationError(
        "\(variable("PREFIX")) and \(variable("DISCOVERY_PREFIX")) must be topics such as regimen.")
    }
    var settings = MQTTSettings(address: address, clientID: setting("mqtt.client") ?? prefix)
    guard settings.clientID.utf8.count <= 100, Self.isPlain(settings.clientID) else {
      throw ValidationError("\(variable("CLIENT")) must be a name such as regimen.")
    }
    settings.user = setting("mqtt.user")
    settings.password = try Self.password(
      setting("mqtt.password"), file: setting("mqtt.password.file"), variable("PASSWORD_FILE"))
    guard settings.password == nil || settings.user != nil else {
      throw ValidationError("Set \(variable("USER")) to the user of the password.")
    }
    settings.authorities = try Self.file(setting("mqtt.ca.file"), variable("CA_FILE"))
    settings.certificate = try Self.file(
      setting("mqtt.certificate.file"), variable("CERTIFICATE_FILE"))
    settings.key = try Self.file(setting("mqtt.key.file"), variable("KEY_FILE"))
    guard (settings.certificate == nil) == (settings.key == nil) else {
      throw ValidationError(
        "\(variable("CERTIFICATE_FILE")) and \(variable("KEY_FILE")) need each other.")
    }
    let hasFiles = settings.authorities != nil || settings.certificate != nil
    guard address.isSecure || !hasFiles else {
      throw ValidationError("Certificates need \(variable("URL")) to begin with mqtts.")
    }
    guard MQTTClient.isAvailable else {
      throw ValidationError(
        """
        \(variable("URL")) is set, but libmosquitto is not installed: \
        apt install libmosquitto1
        """)
    }
    self.settings = settings
    self.prefix = prefix
    self.discoveryPrefix = discoveryPrefix
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Returns the password itself, or the first line of its file.
  private static func password(
    _ text: String?, file path: String?, _ variable: String
  ) throws -> Concealed<String>? {
    guard let path else { return text.map { Concealed($0) } }
    guard text == nil else {
      throw ValidationError("Set the password itself or \(variable), not both.")
    }
    guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= mostBytes,
      let line = String(data: bytes, encoding: .utf8)?.split(separator: "\n").first
    else { throw ValidationError("\(variable) must be a file with the password.") }
    return Concealed(line.trimmingCharacters(in: .whitespaces))
  }

  private static func file(_ path: String?, _ variable: String) throws -> String? {
    guard let path else { return nil }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw ValidationError("\(variable) must be a file that the server can read.")
    }
    return path
  }
}

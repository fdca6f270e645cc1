// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FHIR
import Foundation
import HomeDevices
import MQTT
import Secrecy

/// The options of a simulated device that reports over a broker.
struct DeviceBrokerOptions: ParsableArguments {
  @Option(help: "Report over this MQTT broker, such as mqtt://127.0.0.1.")
  var broker: String?
  @Option(help: "User at the broker.")
  var brokerUser: String?
  @Option(help: "File with the password of the user.")
  var brokerPasswordFile: String?
  @Option(help: "File with the authority that signed the broker's certificate.")
  var brokerCaFile: String?

  /// The settings of the connection; nil if the device reports over HTTP.
  var settings: MQTTSettings? {
    get throws {
      guard let broker else { return nil }
      guard let address = MQTTAddress(broker) else {
        throw ValidationError("--broker must look like mqtts://broker.example.org:8883.")
      }
      guard MQTTClient.isAvailable else {
        throw CommandFailure(description: "libmosquitto is missing: apt install libmosquitto1")
      }
      var settings = MQTTSettings(address: address, clientID: "regimen-device")
      settings.user = brokerUser
      settings.authorities = brokerCaFile
      settings.largestPayload = 65_536
      if let brokerPasswordFile {
        guard let bytes = FileManager.default.contents(atPath: brokerPasswordFile),
          let line = String(data: bytes, encoding: .utf8)?.split(separator: "\n").first
        else { throw ValidationError("--broker-password-file must be a file with the password.") }
        settings.password = Concealed(line.trimmingCharacters(in: .whitespaces))
      }
      return settings
    }
  }
}

/// The answer of a server to a device, over HTTP or a broker.
struct DeviceAnswer: Sendable {
  let status: Int
  let json: JSONValue?
}

/// A connection of a simulated device to a broker.
struct DeviceBroker: Sendable {
  /// The waits for an answer, and the milliseconds of each.
  private static let waits = 300
  private static let wait = 50

  private let client: MQTTClient
  private let events: String
  private let answers: String
  private let key: DeviceSigningKey

  /// Starts connecting.
  ///
  /// - Parameter told: The topics and the key, as the server tells them.
  init(_ settings: MQTTSettings, told: JSONValue) throws {
    guard let events = told["events"]?.string, let answers = told["answers"]?.string,
      let key = told["key"]?.string
    else { throw CommandFailure(description: "The server tells no topics.") }
    self.events = events
    self.answers = answers
    self.key = DeviceSigningKey(text: key)
    var settings = settings
    // Two devices at one broker need different names.
    settings.clientID += "-\(events.split(separator: "/").dropLast().last?.prefix(8) ?? "")"
    settings.subscriptions = [answers]
    let random = Composition.random
    client = MQTTClient(
      settings, uptime: Composition.uptime,
      random: { random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }, changed: {})
    client.start()
  }

  /// Publishes a report and waits for its answer.
  func exchange(_ body: [UInt8]) async throws -> DeviceAnswer {
    let payload = key.payload(body, topic: events)
    let signature = String(
      decoding: payload.prefix(DeviceSigningKey.signatureLength), as: UTF8.self)
    var isSent = false
    for _ in 0..<Self.waits {
      switch client.trouble {
      case .insecure?, .credentials?, .refused?, .settings?:
        throw CommandFailure(
          description: "The broker cannot be used: \(client.trouble?.rawValue ?? "").")
      case .unreachable?, .unavailable?, .lost?, nil: break
      }
      if !isSent, client.isConnected {
        do throws(MQTTError) {
          try client.publish(MQTTMessage(topic: events, payload: payload, isRetained: false))
          isSent = true
        } catch {
          guard error != .invalid else {
            throw CommandFailure(description: "The broker takes no message at \(events).")
          }
        }
      }
      for message in client.takeReceived() {
        guard let opened = key.open(message.payload, topic: answers),
          let json = try? JSONValue(parsing: opened.body), json["report"]?.string == signature
        else { continue }
        return DeviceAnswer(
          status: json["problem"]?["status"]?.number?.integer ?? 200, json: json)
      }
      try await Task.sleep(for: .milliseconds(Self.wait))
    }
    let reason = client.isConnected ? "no answer comes" : "there is no connection"
    throw CommandFailure(description: "The broker cannot be used: \(reason).")
  }

  /// Ends the connection.
  func close() async {
    client.stop()
    for _ in 0..<Self.waits where !client.isEnded {
      try? await Task.sleep(for: .milliseconds(Self.wait))
    }
  }
}

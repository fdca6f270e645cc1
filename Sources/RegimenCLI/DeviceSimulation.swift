// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FHIR
import Foundation
import HomeDevices
import Logging
import MQTT
import Outbound
import Storage

/// The command `regimen device simulate`.
struct DeviceSimulation: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Posts the events of a device that follows a script.",
    discussion: """
      The last day of the script is today; what would happen later than now is left out. The server \
      judges events of the last seven days. Prints one line for each event: its time by the \
      device's clock, the event, and what became of it. With --broker the device reports over MQTT; \
      the server still tells it how. See docs/home-devices.md for the script.
      """)

  @Option(help: "Address of the server, such as http://127.0.0.1:8080.")
  var url: String
  @Option(help: "Token of the device.")
  var token: String
  @Option(help: "File with the script.")
  var script: String
  @Option(help: "Seed of chances and spreads: the same seed gives the same days.")
  var seed: UInt64 = 1
  @Option(help: "Beginning of the names of the device's starts; another one is another life.")
  var boot = "simulated"
  @OptionGroup var broker: DeviceBrokerOptions

  func run() async throws {
    guard let bytes = FileManager.default.contents(atPath: script) else {
      throw CommandFailure(description: "\(script) cannot be read.")
    }
    let read: DeviceScript
    do throws(DeviceScriptError) {
      read = try DeviceScript(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw CommandFailure(description: "\(script): line \(error.line) is not understood.")
    }
    let settings = try broker.settings
    var poster = try EventPoster(url: url, token: token)
    do {
      if let settings { try await poster.speak(over: settings) }
      for report in read.reports(seed: seed, name: boot, from: start(read.days), until: now) {
        for line in try await poster.post(report, at: now) { print(line) }
      }
    } catch {
      await poster.close()
      throw error
    }
    await poster.close()
  }

  private var now: Timestamp {
    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
  }

  /// Returns the beginning of the first day, so that the last one is today in the machine's zone.
  private func start(_ days: Int) -> Timestamp {
    let midnight = Foundation.Calendar.current.startOfDay(for: Date()).timeIntervalSince1970
    return Timestamp(milliseconds: (Int64(midnight) - Int64(max(1, days) - 1) * 86_400) * 1_000)
  }
}

/// Posts the reports of a device to a server, and waits when the server asks for it.
private struct EventPoster {
  /// The longest wait in seconds, and how often a report is sent again.
  private static let patience = 61
  private static let attempts = 3

  private let policy: OutboundPolicy
  private let client: OutboundClient
  private let base: String
  private let token: String
  /// The broker over which the device reports; nil over HTTP.
  private var broker: DeviceBroker?

  init(url: String, token: String) throws {
    guard let parts = URLComponents(string: url), let host = parts.host, parts.query == nil,
      let rule = HostRule(parts.port.map { "\(host):\($0)" } ?? host)
    else { throw ValidationError("--url must look like http://127.0.0.1:8080.") }
    // The operator names the server, which may be on this machine without https.
    policy = OutboundPolicy(allowed: [], operatorAllowed: [rule], allowsAnyPublicHost: true)
    let logger = Logger(label: "regimen") { JSONLinesLogHandler(label: $0, level: .error) }
    client = OutboundClient(policy: policy, monotonicNow: Composition.uptime, logger: logger)
    base = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.token = token
  }

  func close() async {
    await broker?.close()
    await client.shutdown()
  }

  /// Asks the server for the topics and the signing key, and connects to the broker.
  mutating func speak(over settings: MQTTSettings) async throws {
    let answer = try await request("GET", "broker")
    guard answer.status == 200, let told = answer.json else {
      throw CommandFailure(description: "The server tells no topics: it answered \(answer.status).")
    }
    broker = try DeviceBroker(settings, told: told)
  }

  /// Sends a report and returns a line for each of its events.
  func post(_ report: SimulatedReport, at now: Timestamp) async throws -> [String] {
    let body = Self.json(report, sent: now.adding(milliseconds: report.skew))
    for _ in 0..<Self.attempts {
      let answer = try await send(body)
      switch answer.status {
      case 200:
        return zip(report.events, answer.json?["results"]?.array ?? []).map { Self.line($0, $1) }
      case 429:
        try await Task.sleep(for: .seconds(Self.patience))
      default:
        throw CommandFailure(description: "The server answered \(answer.status).")
      }
    }
    throw CommandFailure(description: "The server asks to wait longer. Try again later.")
  }

  private func send(_ body: JSONValue) async throws -> DeviceAnswer {
    if let broker { return try await broker.exchange(body.bytes) }
    return try await request("POST", "events", body: body.bytes)
  }

  private func request(
    _ method: String, _ path: String, body: [UInt8] = []
  ) async throws -> DeviceAnswer {
    do throws(OutboundError) {
      let address = try policy.check("\(base)/api/v1/home-devices/\(path)")
      let response = try await client.send(
        OutboundRequest(
          method: method, url: address,
          headers: [
            ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"),
          ], body: body))
      return DeviceAnswer(status: response.status, json: try? JSONValue(parsing: response.body))
    } catch {
      throw CommandFailure(description: "No server answers at \(base).")
    }
  }

  private static func json(_ report: SimulatedReport, sent: Timestamp) -> JSONValue {
    let events = report.events.map { event -> JSONValue in
      var object = JSONObject()
      object["sequence"] = .number(JSONNumber(event.sequence))
      object["event"] = .string(event.kind.rawValue)
      object["compartment"] = .string(event.compartment)
      object["at"] = event.at.map { .string(text($0)) }
      object["grams"] = event.weight.flatMap { JSONNumber(text: String(Double($0) / 1_000)) }
        .map(JSONValue.number)
      object["percent"] = event.battery.map { .number(JSONNumber($0)) }
      return .object(object)
    }
    return [
      "boot": .string(report.boot), "sent": .string(text(sent)), "events": .array(events),
    ]
  }

  private static func text(_ time: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: time.milliseconds, offsetMinutes: 0)
  }

  private static func line(_ event: DeviceEvent, _ result: JSONValue) -> String {
    let words = [
      event.at.map(text) ?? "-", event.kind.rawValue,
      event.compartment.isEmpty ? "-" : event.compartment,
      result["outcome"]?.string ?? "-", result["reason"]?.string ?? "-",
    ]
    return words.joined(separator: " ")
  }
}

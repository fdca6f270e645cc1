// SPDX-License-Identifier: Apache-2.0

import FHIR
import HomeDevices
import Storage
import Web

/// Reads a report of a device from its JSON body, and writes what became of it.
package enum DeviceReportReading {
  /// The heaviest weight, in grams.
  private static let heaviest = 1_000_000.0

  /// Returns the report of a body.
  ///
  /// - Throws: ``Failure`` 422 that names the member that is wrong.
  package static func report(_ body: JSONBody) throws -> DeviceReport {
    DeviceReport(
      boot: try name("boot", in: body, most: DeviceReport.longestBoot),
      sent: try body.instant("sent"),
      events: try body.objects("events", most: DeviceReport.mostEvents).map(event))
  }

  /// Returns the results of a report's events.
  package static func json(_ results: [DeviceReports.Result]) -> JSONValue {
    .array(results.map(one))
  }

  private static func one(_ result: DeviceReports.Result) -> JSONValue {
    var object = JSONObject()
    object["sequence"] = .number(JSONNumber(result.sequence))
    object["outcome"] = .string(result.outcome?.rawValue ?? "counted")
    object["reason"] = result.reason.map { .string($0.rawValue) }
    object["repeated"] = .bool(result.isRepeated)
    object["warn"] = .bool(result.warns)
    return .object(object)
  }

  private static func event(_ body: JSONBody) throws -> DeviceEvent {
    guard let sequence = try body.integer("sequence"), sequence >= 0 else {
      throw Failure.wrong("sequence", "must be a whole number from 0")
    }
    guard let kind = DeviceEvent.Kind(rawValue: try body.required("event")) else {
      let known = DeviceEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.wrong("event", "must be one of \(known)")
    }
    let weight = try weight(body)
    let battery = try body.integer("percent")
    if kind == .weight, weight == nil { throw Failure.wrong("grams", "is required with weight") }
    if kind == .battery, battery == nil {
      throw Failure.wrong("percent", "is required with battery")
    }
    if let battery, !(0...100).contains(battery) {
      throw Failure.wrong("percent", "must be from 0 to 100")
    }
    return DeviceEvent(
      sequence: Int64(sequence), kind: kind,
      compartment: try name(
        "compartment", in: body, most: HomeDeviceCompartment.longestName),
      at: try body.instant("at"), age: try age(body), weight: weight, battery: battery)
  }

  private static func name(_ member: String, in body: JSONBody, most: Int) throws -> String {
    let text = try body.text(member) ?? ""
    guard text.count <= most, !text.contains(where: \.isNewline) else {
      throw Failure.wrong(member, "must have at most \(most) characters")
    }
    return text
  }

  private static func age(_ body: JSONBody) throws -> Int64? {
    guard let seconds = try body.integer("secondsAgo") else { return nil }
    guard (0...1_000_000_000).contains(seconds) else {
      throw Failure.wrong("secondsAgo", "must be from 0")
    }
    return Int64(seconds) * 1_000
  }

  /// Returns the weight in milligrams.
  private static func weight(_ body: JSONBody) throws -> Int64? {
    guard let value = body.value("grams") else { return nil }
    guard let text = value.number?.text, let grams = Double(text),
      (-heaviest...heaviest).contains(grams)
    else { throw Failure.wrong("grams", "must be a number of grams") }
    return Int64((grams * 1_000).rounded())
  }
}

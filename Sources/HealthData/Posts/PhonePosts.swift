// SPDX-License-Identifier: Apache-2.0

import FHIR

extension VitalPost {
  /// Returns the name of a source, or a default if it has none.
  private func source(_ value: JSONValue, _ name: String) -> String {
    let given = value["source"]?.string ?? ""
    return given.isEmpty ? name : given
  }

  /// Reads `{"readings":[{"type","at","value","source"}]}`, or only the list.
  mutating func readOwn(_ body: JSONValue) {
    patient = body["patient"]?.string
    guard let readings = body.array ?? body["readings"]?.array else {
      return note("readings", .failure(.structure))
    }
    for (index, value) in readings.enumerated() {
      let place = "readings[\(index)]"
      guard value.object != nil else {
        note(place, .failure(.structure))
        continue
      }
      let kind = value["type"]?.string.flatMap { VitalKind.named($0) }
      let isRemoval = value["deleted"]?.bool ?? false
      guard let source = value["source"]?.string, !source.isEmpty else {
        note(place, .failure(kind == nil ? .kind : .source))
        continue
      }
      if isRemoval {
        // A removal needs no value; any plausible one is used.
        let result = reading(
          kind, value: .number(JSONNumber(60)), unit: nil, at: value["at"], source: source)
        note(place, result, isRemoval: true)
      } else {
        note(
          place,
          reading(
            kind, value: value["value"], unit: value["unit"]?.string, at: value["at"],
            until: value["end"], source: source, isDayTotal: kind == .steps))
      }
    }
  }

  /// Reads the output of a phone's automation: a list of samples, or parallel dates and values, as lists or
  /// line by line.
  mutating func readLists(_ body: JSONValue, place: String) {
    patient = body["patient"]?.string
    let kind = body["type"]?.string.flatMap { VitalKind.named($0) }
    let from = source(body, "Shortcuts")
    let unit = body["unit"]?.string ?? body["units"]?.string
    if let samples = body["samples"]?.array {
      for (index, sample) in samples.enumerated() {
        let date = sample["date"] ?? sample["startDate"] ?? sample["at"]
        add(
          kind, value: sample["value"], unit: sample["unit"]?.string ?? unit, at: date,
          until: sample["endDate"], source: source(sample, from), place: "samples[\(index)]")
      }
      return
    }
    let dates = Self.lines(body["dates"])
    let values = Self.lines(body["values"])
    guard !dates.isEmpty, dates.count == values.count else {
      return note("dates", .failure(.structure))
    }
    for (index, (date, value)) in zip(dates, values).enumerated() {
      add(kind, value: value, unit: unit, at: date, source: from, place: "dates[\(index)]")
    }
  }

  private static func lines(_ value: JSONValue?) -> [JSONValue] {
    if let list = value?.array { return list }
    return (value?.string ?? "").split(whereSeparator: \.isNewline).map { .string(String($0)) }
  }

  /// Reads the format of Health Auto Export, by its documentation.
  mutating func readHealthAutoExport(_ body: JSONValue) {
    for (index, metric) in (body["data"]?["metrics"]?.array ?? []).enumerated() {
      let place = "data.metrics[\(index)]"
      guard let kind = metric["name"]?.string.flatMap({ VitalKind.named($0) }) else {
        // One entry for all values of a kind that is not used here.
        note(place, .failure(.kind))
        continue
      }
      for (number, value) in (metric["data"]?.array ?? []).enumerated() {
        add(
          kind, value: value["qty"] ?? value["Avg"], unit: metric["units"]?.string,
          at: value["date"], source: source(value, "Health Auto Export"),
          place: "\(place).data[\(number)]")
      }
    }
    for (index, value) in (body["data"]?["medications"]?.array ?? []).enumerated() {
      medications.append(
        PostedMedication(
          value, place: "data.medications[\(index)]",
          at: moment(value["start"]) ?? moment(value["scheduledDate"])))
    }
  }

  /// Reads the format of the app Health Data Export, by its documentation.
  mutating func readHealthDataExport(_ body: JSONValue) {
    for (name, section) in body["sections"]?.object ?? JSONObject() {
      guard let kind = VitalKind.named(name) else {
        note("sections.\(name)", .failure(.kind))
        continue
      }
      for (index, day) in (section["days"]?.array ?? []).enumerated() {
        add(
          kind, value: day["value"], unit: nil, at: day["date"],
          source: source(day, "Health Data Export"), place: "sections.\(name).days[\(index)]",
          isDayTotal: kind == .steps)
      }
    }
  }

  /// Reads the format of the bridge HC Webhook, by its source code; its times are UTC.
  mutating func readHealthConnect(_ body: JSONValue) {
    for (name, list) in body.object ?? JSONObject() {
      guard let values = list.array else { continue }
      guard let kind = VitalKind.named(name), kind != .walkingHeartRate else {
        note(name, .failure(.kind))
        continue
      }
      for (index, value) in values.enumerated() {
        let metadata = value["metadata"]
        let device = metadata?["device"]?["model"]?.string ?? metadata?["data_origin"]?.string
        add(
          kind, value: value["bpm"] ?? value["avg"] ?? value["count"] ?? value["kilograms"],
          unit: nil, at: value["time"] ?? value["start_time"], until: value["end_time"],
          source: device.flatMap { $0.isEmpty ? nil : $0 } ?? "Health Connect",
          place: "\(name)[\(index)]")
      }
    }
  }

  /// Reads Fitbit's heart rate time series, by its documentation; a day may have no value.
  mutating func readFitbit(_ body: JSONValue) {
    for (index, day) in (body["activities-heart"]?.array ?? []).enumerated() {
      guard let value = day["value"]?["restingHeartRate"] else { continue }
      add(
        .restingHeartRate, value: value, unit: nil, at: day["dateTime"], source: "Fitbit",
        place: "activities-heart[\(index)]")
    }
  }
}

/// A medicine taken or skipped, as a phone reports it.
package struct PostedMedication: Sendable, Hashable {
  /// The position in the body, such as `data.medications[3]`.
  package let place: String
  /// The name of the medicine as the phone shows it; empty if it has none.
  package let name: String
  /// The start or scheduled time; nil if it cannot be read.
  package let at: Moment?
  /// True for taken, false for skipped; nil if the status is unknown or neither.
  package let taken: Bool?

  init(_ value: JSONValue, place: String, at: Moment?) {
    self.place = place
    self.at = at
    name = value["displayText"]?.string ?? value["nickname"]?.string ?? ""
    taken = value["status"]?.string.flatMap { Self.outcomes[$0.lowercased()] }
  }

  /// Phones write the status in their own language; these are the documented words.
  private static let outcomes = ["taken": true, "skipped": false, "tomado": true]
}

// SPDX-License-Identifier: Apache-2.0
import FHIR

/// Tracks which elements of a dosage have been expressed.
struct DosageElements {
  /// An element whose parts are tracked; all others are expressed as a whole or not at all.
  enum Container: Equatable {
    case dosage, timing, recurrence, boundsPeriod
    /// An entry of `doseAndRate` by its position.
    case doseAndRate(Int)
    /// A place that FHIR does not have, by its path.
    case other(String)
  }

  /// The expressed elements by place and name; paths are created only for the remaining ones, usually none.
  private struct Said {
    let place: Container
    let name: String
  }

  private let dosage: JSONValue
  private var said: [Said] = []
  /// The elements that are expressed together with everything in them.
  private var whole: [Container] = []

  init(_ dosage: DosageView) {
    self.dosage = dosage.json
    said.reserveCapacity(16)
  }

  /// Marks an element as expressed.
  mutating func voice(_ place: Container, _ name: String) {
    said.append(Said(place: place, name: name))
  }

  /// Marks the extensions of an element as expressed, with everything in them.
  mutating func voiceExtensions(of place: Container) {
    whole.append(place)
  }

  /// The paths of all present elements that are not expressed, in the order of the dosage.
  var unvoiced: [String] {
    guard case .object(let object) = dosage else { return [] }
    var result: [String] = []
    visit(object, .dosage, into: &result)
    return result
  }

  private func visit(_ object: JSONObject, _ place: Container, into result: inout [String]) {
    for (key, value) in object where key != "id" {
      if key == "extension", whole.contains(place) { continue }
      if key.utf8.first == UInt8(ascii: "_") {
        result.append(Self.path(place, String(key.dropFirst())) + ".extension")
      } else if said.contains(where: { $0.name == key && $0.place == place }) {
        if Self.hasExtension(value) { result.append(Self.path(place, key) + ".extension") }
      } else {
        look(into: value, key, place, &result)
      }
    }
  }

  private func look(
    into value: JSONValue, _ key: String, _ place: Container, _ result: inout [String]
  ) {
    switch (place, key) {
    case (.dosage, "timing"): entries(of: value, .timing, "timing", &result)
    case (.timing, "repeat"): entries(of: value, .recurrence, "timing.repeat", &result)
    case (.recurrence, "boundsPeriod"):
      entries(of: value, .boundsPeriod, "timing.repeat.boundsPeriod", &result)
    case (.dosage, "doseAndRate"): entries(of: value, .doseAndRate(0), key, &result)
    default: result.append(Self.path(place, key))
    }
  }

  /// Visits an element, or each entry of a list.
  private func entries(
    of value: JSONValue, _ place: Container, _ path: String, _ result: inout [String]
  ) {
    guard case .array(let entries) = value else {
      return children(of: value, place, path, &result)
    }
    for (index, entry) in entries.enumerated() {
      if index == 0 {
        children(of: entry, place, path, &result)
      } else if place == .doseAndRate(0) {
        children(of: entry, .doseAndRate(index), "\(path)[\(index)]", &result)
      } else {
        // FHIR has no list there, so nothing in it was expressed.
        children(of: entry, .other("\(path)[\(index)]"), "\(path)[\(index)]", &result)
      }
    }
  }

  private func children(
    of value: JSONValue, _ place: Container, _ path: String, _ result: inout [String]
  ) {
    guard case .object(let object) = value else {
      result.append(path)
      return
    }
    visit(object, place, into: &result)
  }

  private static func path(_ place: Container, _ key: String) -> String {
    switch place {
    case .dosage: key
    case .timing: "timing." + key
    case .recurrence: "timing.repeat." + key
    case .boundsPeriod: "timing.repeat.boundsPeriod." + key
    case .doseAndRate(0): "doseAndRate." + key
    case .doseAndRate(let index): "doseAndRate[\(index)]." + key
    case .other(let path): path + "." + key
    }
  }

  /// Returns true if there is an extension at any depth, including on a primitive.
  private static func hasExtension(_ value: JSONValue) -> Bool {
    switch value {
    case .object(let object):
      for (key, child) in object {
        if key.utf8.first == UInt8(ascii: "_") || key == "extension" || key == "modifierExtension"
          || hasExtension(child)
        {
          return true
        }
      }
      return false
    case .array(let items): return items.contains(where: hasExtension)
    case .null, .bool, .number, .string: return false
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR

/// Keeps account of which elements of a dosage have been said.
struct DosageElements {
  private let dosage: JSONValue
  private var voiced: [String] = []
  /// Elements that are said together with everything inside them.
  private var whole: [String] = []

  /// Elements that are looked into; all others are said as a whole or not at all.
  private static let containers: Set<String> = [
    "timing", "timing.repeat", "timing.repeat.boundsPeriod", "doseAndRate",
  ]

  init(_ dosage: DosageView) {
    self.dosage = dosage.json
  }

  /// Notes that the text says these elements.
  mutating func voice(_ paths: String...) {
    voiced += paths
  }

  /// Notes that the text says this element and all that it holds.
  mutating func voice(whole path: String) {
    whole.append(path)
  }

  /// The paths of all elements that are present and not said, in the order of the dosage.
  var unvoiced: [String] {
    var result: [String] = []
    guard let object = dosage.object else { return [] }
    for (key, value) in object { visit(value, key, path: key, into: &result) }
    return result
  }

  private func visit(_ value: JSONValue, _ key: String, path: String, into result: inout [String]) {
    if key == "id" || whole.contains(path) { return }
    if key.hasPrefix("_") {
      result.append(path.dropLast(key.count) + key.dropFirst() + ".extension")
      return
    }
    if voiced.contains(path) {
      if Self.hasExtension(value) { result.append(path + ".extension") }
      return
    }
    guard Self.containers.contains(path) else {
      result.append(path)
      return
    }
    if let entries = value.array {
      for (index, entry) in entries.enumerated() {
        let prefix = index == 0 ? path : "\(path)[\(index)]"
        children(of: entry, path: prefix, into: &result)
      }
    } else {
      children(of: value, path: path, into: &result)
    }
  }

  private func children(of value: JSONValue, path: String, into result: inout [String]) {
    guard let object = value.object else {
      result.append(path)
      return
    }
    for (key, child) in object { visit(child, key, path: path + "." + key, into: &result) }
  }

  /// Whether there is an extension anywhere inside, also on a primitive.
  private static func hasExtension(_ value: JSONValue) -> Bool {
    if let object = value.object {
      return object.contains { key, child in
        key == "extension" || key == "modifierExtension" || key.hasPrefix("_")
          || hasExtension(child)
      }
    }
    return value.array?.contains(where: hasExtension) ?? false
  }
}

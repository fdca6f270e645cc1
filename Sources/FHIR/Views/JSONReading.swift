// SPDX-License-Identifier: Apache-2.0

/// Shorthands for reading a resource, which return nil or nothing if the content has another shape.
extension JSONValue {
  /// Returns the text of a property if it is a non-empty string.
  func text(_ key: String) -> String? {
    guard let text = self[key]?.string, !text.isEmpty else { return nil }
    return text
  }

  /// Returns the items of a property; empty if it is not an array.
  func items(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }

  /// Returns the strings of a property without other items.
  func texts(_ key: String) -> [String] { items(key).compactMap(\.string) }

  /// Returns the whole number of a property.
  func integer(_ key: String) -> Int? { self[key]?.number?.integer }

  /// The readable text of a CodeableConcept: its text, otherwise the first display, otherwise the first code.
  var conceptText: String? {
    text("text") ?? items("coding").lazy.compactMap { $0.text("display") }.first
      ?? items("coding").lazy.compactMap { $0.text("code") }.first
  }

  /// The codes of a CodeableConcept.
  var conceptCodes: [CodeView] {
    items("coding").compactMap { coding in
      coding.text("code").map { CodeView(system: coding.text("system"), code: $0) }
    }
  }

  /// Returns true if this value or anything inside it has one of the property names.
  func contains(propertyNamed isMatch: (String) -> Bool) -> Bool {
    switch self {
    case .object(let object):
      object.entries.contains { isMatch($0.key) || $0.value.contains(propertyNamed: isMatch) }
    case .array(let items): items.contains { $0.contains(propertyNamed: isMatch) }
    default: false
    }
  }
}

/// A code with its system.
public struct CodeView: Sendable, Hashable {
  /// The system's address, if stated.
  public let system: String?
  /// The code.
  public let code: String
}

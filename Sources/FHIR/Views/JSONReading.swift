// SPDX-License-Identifier: Apache-2.0

/// Short paths into a resource that end in `nil` or nothing where the content is of another shape.
extension JSONValue {
  /// The text of a property when it is a string that is not empty.
  func text(_ key: String) -> String? {
    guard let text = self[key]?.string, !text.isEmpty else { return nil }
    return text
  }

  /// The items of a property; nothing when it is no array.
  func items(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }

  /// The strings of a property, leaving out anything else.
  func texts(_ key: String) -> [String] { items(key).compactMap(\.string) }

  /// The whole number of a property.
  func integer(_ key: String) -> Int? { self[key]?.number?.integer }

  /// What a person reads of a CodeableConcept: its text, else the first display, else the first code.
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

/// A code with the system it belongs to.
public struct CodeView: Sendable, Hashable {
  /// The system's address, when stated.
  public let system: String?
  /// The code.
  public let code: String
}

// SPDX-License-Identifier: Apache-2.0

/// A JSON value that preserves its source: the order of properties, the text of numbers, every string.
///
/// Equality includes the order of properties and the text of numbers, so `72.10` and `72.1` differ, as FHIR
/// requires; strings compare as in Swift. Compare `bytes` if two encodings of an accent must differ.
public enum JSONValue: Sendable, Hashable {
  /// The literal `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number with its text.
  case number(JSONNumber)
  /// A string, unescaped.
  case string(String)
  /// An ordered list of values.
  case array([JSONValue])
  /// An ordered list of named values without duplicates.
  case object(JSONObject)
}

extension JSONValue {
  /// The text, if this is a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value, if this is a boolean.
  public var bool: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  /// The number, if this is one.
  public var number: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The items, if this is an array.
  public var array: [JSONValue]? {
    if case .array(let items) = self { items } else { nil }
  }

  /// The properties, if this is an object.
  public var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// True if this is the literal `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The property of an object by name; setting `nil` removes it, and setting on any other value creates an
  /// object.
  public subscript(key: String) -> JSONValue? {
    get {
      if case .object(let object) = self { object[key] } else { nil }
    }
    set {
      guard case .object(var object) = self else {
        guard let newValue else { return }
        self = .object(JSONObject([(key, newValue)]))
        return
      }
      self = .null  // Releases the old storage, so that the change below happens in place.
      object[key] = newValue
      self = .object(object)
    }
  }

  /// The item of an array by position, or `nil` if there is none.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let items) = self, items.indices.contains(index) else { return nil }
    return items[index]
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByNilLiteral {
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Creates an object in the written order; the last value of a repeated name is kept.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}

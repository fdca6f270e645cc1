// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Storage

/// The members of a JSON body, read by name and type; an error about a wrong type names the member.
package struct JSONBody: Sendable {
  private let object: JSONObject

  private init(_ object: JSONObject) {
    self.object = object
  }

  /// Parses the body; throws ``Failure`` 422 if it is not an object, and a syntax error if it is
  /// not JSON.
  package init(parsing bytes: [UInt8]) throws {
    guard let object = try JSONValue(parsing: bytes).object else {
      throw Failure.unprocessable("structure", "The body must be a JSON object.")
    }
    self.object = object
  }

  /// Returns the member with a name; nil if it is missing or null.
  package func value(_ name: String) -> JSONValue? {
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  /// Returns the failure of a member that is not as expected.
  ///
  /// - Parameter expected: The rest of "must be …", such as "a whole number".
  package func wrong(_ name: String, _ expected: String) -> Failure {
    .wrong(name, "must be \(expected)")
  }

  /// Returns a member as text; nil if it is missing or null.
  ///
  /// Another type and control characters other than tab and line breaks throw ``Failure`` 422.
  package func text(_ name: String) throws -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string, Self.isPlain(text) else {
      throw wrong(name, "text without control characters")
    }
    return text
  }

  /// Returns true if a text contains only characters that FHIR strings allow.
  package static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 || "\t\r\n".unicodeScalars.contains($0) }
  }

  /// Returns a member as a list of at most 100 texts; nil if it is missing or null.
  package func texts(_ name: String) throws -> [String]? {
    guard let value = value(name) else { return nil }
    guard let texts = value.array?.map(\.string), texts.count <= 100, !texts.contains(nil) else {
      throw wrong(name, "a list of at most 100 strings")
    }
    return texts.compactMap(\.self)
  }

  /// Returns a member as text; throws ``Failure`` 422 if it is missing or empty.
  package func required(_ name: String) throws -> String {
    guard let text = try text(name), !text.isEmpty else {
      throw wrong(name, "a string that is not empty")
    }
    return text
  }

  /// Returns a member that is true or false; nil if it is missing or null.
  package func flag(_ name: String) throws -> Bool? {
    guard let value = value(name) else { return nil }
    guard let flag = value.bool else { throw wrong(name, "true or false") }
    return flag
  }

  /// Returns a member as a whole number; nil if it is missing or null.
  package func integer(_ name: String) throws -> Int? {
    guard let value = value(name) else { return nil }
    guard let integer = value.number?.integer else { throw wrong(name, "a whole number") }
    return integer
  }

  /// Returns the members of an object within this one; throws ``Failure`` 422 if it is missing.
  package func object(_ name: String) throws -> JSONBody {
    guard let inner = value(name)?.object else { throw wrong(name, "an object") }
    return JSONBody(inner)
  }

  /// Returns a member as a list of objects, at least one; throws ``Failure`` 422 if it is missing or too long.
  package func objects(_ name: String, most: Int) throws -> [JSONBody] {
    let objects = value(name)?.array?.map(\.object) ?? []
    guard !objects.isEmpty, objects.count <= most, !objects.contains(where: { $0 == nil }) else {
      throw wrong(name, "a list of 1 to \(most) objects")
    }
    return objects.compactMap(\.self).map { JSONBody($0) }
  }

  /// Returns a member as an instant, written with an offset or `Z`; nil if it is missing or null.
  package func instant(_ name: String) throws -> Timestamp? {
    guard let value = value(name) else { return nil }
    guard let text = value.string, let instant = InstantText.parse(text) else {
      throw wrong(name, "a time with offset, such as 2026-03-01T08:00:00+01:00")
    }
    return instant
  }
}

extension Failure {
  /// Returns the failure 422 of one member of a body.
  ///
  /// - Parameter problem: The sentence after the member's name, such as "must be a whole number".
  package static func wrong(_ name: String, _ problem: String) -> Failure {
    Failure(
      .unprocessableContent, code: "value", detail: "\(name) \(problem).",
      issues: [
        FHIRIssue(severity: .error, code: .value, expression: name, diagnostics: problem)
      ])
  }
}

/// Instants as clients write them.
enum InstantText {
  /// Reads an instant with an offset or `Z`; a space is read as the plus sign that it was before
  /// the query was decoded.
  static func parse(_ text: String) -> Timestamp? {
    let repaired = text.contains(" ") ? text.replacing(" ", with: "+") : text
    guard let date = FHIRDateTime(repaired), let milliseconds = date.epochMilliseconds else {
      return nil
    }
    return Timestamp(milliseconds: milliseconds)
  }
}

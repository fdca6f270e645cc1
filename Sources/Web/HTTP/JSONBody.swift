// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Storage

/// The members of a JSON body, read by name and type; what has the wrong type is named.
package struct JSONBody: Sendable {
  private let object: JSONObject

  private init(_ object: JSONObject) {
    self.object = object
  }

  package init(parsing bytes: [UInt8]) throws {
    guard let object = try JSONValue(parsing: bytes).object else {
      throw Failure.unprocessable("structure", "The body must be a JSON object.")
    }
    self.object = object
  }

  /// The member of a name; nil where it is missing or null.
  package func value(_ name: String) -> JSONValue? {
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  /// The failure of a member that is not as expected.
  package func wrong(_ name: String, _ expected: String) -> Failure {
    .wrong(name, "must be \(expected)")
  }

  package func text(_ name: String) throws -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string, Self.isPlain(text) else {
      throw wrong(name, "a text without control characters")
    }
    return text
  }

  /// The characters that a FHIR string may hold.
  package static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 || "\t\r\n".unicodeScalars.contains($0) }
  }

  /// A list of texts.
  package func texts(_ name: String) throws -> [String]? {
    guard let value = value(name) else { return nil }
    guard let texts = value.array?.map(\.string), texts.count <= 100, !texts.contains(nil) else {
      throw wrong(name, "a list of texts")
    }
    return texts.compactMap(\.self)
  }

  package func required(_ name: String) throws -> String {
    guard let text = try text(name), !text.isEmpty else { throw wrong(name, "given, as a text") }
    return text
  }

  package func flag(_ name: String) throws -> Bool? {
    guard let value = value(name) else { return nil }
    guard let flag = value.bool else { throw wrong(name, "true or false") }
    return flag
  }

  package func integer(_ name: String) throws -> Int? {
    guard let value = value(name) else { return nil }
    guard let integer = value.number?.integer else { throw wrong(name, "a whole number") }
    return integer
  }

  /// The members of an object within this one.
  package func object(_ name: String) throws -> JSONBody {
    guard let inner = value(name)?.object else { throw wrong(name, "given, as an object") }
    return JSONBody(inner)
  }

  /// An instant with seconds and an offset (or Z), in any zone.
  package func instant(_ name: String) throws -> Timestamp? {
    guard let value = value(name) else { return nil }
    guard let text = value.string, let instant = InstantText.parse(text) else {
      throw wrong(name, "an instant with offset, such as 2026-03-01T08:00:00+01:00")
    }
    return instant
  }
}

extension Failure {
  /// One member of a body is not as it must be.
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
  /// Reads an instant with an offset or `Z`; a plus sign that a query turned into a blank is taken
  /// for what it was.
  static func parse(_ text: String) -> Timestamp? {
    let repaired = text.contains(" ") ? text.replacing(" ", with: "+") : text
    guard let date = FHIRDateTime(repaired), let milliseconds = date.epochMilliseconds else {
      return nil
    }
    return Timestamp(milliseconds: milliseconds)
  }
}

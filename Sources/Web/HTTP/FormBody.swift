// SPDX-License-Identifier: Apache-2.0

import Encodings
import Foundation
import Hummingbird

/// One name and value of a form or a query.
package struct FormPair: Sendable, Hashable {
  /// The name of the field.
  package let name: String
  /// The decoded value; empty if there was none.
  package let value: String

  /// Creates a pair from decoded texts.
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// A form as a browser posts it (`application/x-www-form-urlencoded`).
package struct FormBody: Sendable {
  /// The names and values, in the order of the form; a name may occur more than once.
  package let pairs: [FormPair]

  /// Reads the body of a call.
  ///
  /// - Throws: ``Failure`` 415 for another media type, and 400 for invalid UTF-8 or U+0000.
  package static func read(_ call: Call) async throws -> FormBody {
    FormBody(pairs: pairs(of: try await source(of: call)))
  }

  /// Reads the body of a call as it was sent, still encoded.
  ///
  /// - Throws: ``Failure`` 415 for another media type, and 400 for invalid UTF-8 or U+0000.
  package static func source(of call: Call) async throws -> String {
    let type = call.request.headers[.contentType] ?? ""
    // A program that presses a button without fields may send an empty body.
    if type.isEmpty, call.request.headers[.transferEncoding] == nil,
      (call.request.headers[.contentLength] ?? "0") == "0"
    {
      return ""
    }
    guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
      throw Failure(
        .unsupportedMediaType, code: "media-type",
        detail: "Send the form as application/x-www-form-urlencoded.")
    }
    let bytes = try await BodyReader.bytes(of: call)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.badRequest("structure", "Send the form as UTF-8.")
    }
    guard !bytes.contains(0), !text.contains("%00") else {
      throw Failure.badRequest("value", "Remove the character U+0000 from the form.")
    }
    return text
  }

  /// Creates a form from decoded names and values.
  package init(pairs: [FormPair]) {
    self.pairs = pairs
  }

  /// Returns the first value of a field without surrounding blanks; nil if it is missing or empty.
  package func text(_ name: String) -> String? {
    let value = raw(name)?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    return value.isEmpty ? nil : value
  }

  /// Returns the first value of a field exactly as typed, for passwords; nil if it is missing.
  package func raw(_ name: String) -> String? {
    pairs.first { $0.name == name }?.value
  }

  /// Returns all values of a field, in order.
  package func all(_ name: String) -> [String] {
    pairs.filter { $0.name == name }.map(\.value)
  }

  /// Returns true if a checkbox is ticked.
  package func isChecked(_ name: String) -> Bool {
    pairs.contains { $0.name == name }
  }

  /// Decodes `a=1&b=2`; an invalid percent sequence stays as typed.
  package static func pairs(of text: String) -> [FormPair] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return FormPair(
        name: decode(sides[0]), value: sides.count > 1 ? decode(sides[1]) : "")
    }
  }

  private static func decode(_ bytes: Substring.UTF8View) -> String {
    let text = Substring(bytes)
    return PercentEncoding.decode(text, readingPlus: true)
      ?? text.replacingOccurrences(of: "+", with: " ")
  }
}

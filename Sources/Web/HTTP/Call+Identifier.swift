// SPDX-License-Identifier: Apache-2.0
import HTML
import Identifiers

extension Call {
  /// Returns the identifier in a path parameter.
  func identifier<ID: Identifier>(_ name: String) throws -> ID {
    ID(try parameter(name))
  }
}

extension Markup.Interpolation {
  /// Adds the text of an identifier, escaped.
  package mutating func appendInterpolation(_ id: some Identifier) {
    appendInterpolation(id.text)
  }
}

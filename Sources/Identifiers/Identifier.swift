// SPDX-License-Identifier: Apache-2.0

/// A text that identifies one thing of one kind, so that the id of a plan cannot be passed where a patient is
/// expected.
///
/// Wrapping costs nothing at run time. Texts from requests, rows and messages become identifiers where they
/// are read; ``text`` is used where they are written.
@usableFromInline
package protocol Identifier:
  Sendable, Hashable, Comparable, CustomStringConvertible
{
  /// The identifier as stored, sent and logged.
  var text: String { get }

  /// Creates an identifier from a text in a row, a request or a message; nothing is checked.
  init(_ text: String)
}

extension Identifier {
  /// The identifier's text, so that an interpolation writes the identifier as stored.
  package var description: String { text }

  /// Orders identifiers by their text.
  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

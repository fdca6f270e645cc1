// SPDX-License-Identifier: Apache-2.0

import HTML

/// A typed piece of a page, which markup can contain like any other value: `"\(part)"`.
package protocol PagePart: Sendable {
  /// The part as HTML.
  var markup: Markup { get }
}

extension Markup.Interpolation {
  /// Adds a part's markup unescaped.
  package mutating func appendInterpolation(_ part: some PagePart) {
    appendInterpolation(part.markup)
  }

  /// Adds a part's markup; nothing for nil.
  package mutating func appendInterpolation(_ part: (some PagePart)?) {
    if let part { appendInterpolation(part.markup) }
  }

  /// Adds the markup of parts one after the other.
  package mutating func appendInterpolation(_ parts: [some PagePart]) {
    for part in parts { appendInterpolation(part.markup) }
  }
}

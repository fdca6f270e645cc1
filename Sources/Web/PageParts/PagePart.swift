// SPDX-License-Identifier: Apache-2.0

import HTML

/// A typed piece of a page; it stands in markup like any other value: `"\(part)"`.
package protocol PagePart: Sendable {
  /// The part as HTML.
  var markup: Markup { get }
}

extension Markup.Interpolation {
  /// A part: its markup as it is.
  package mutating func appendInterpolation(_ part: some PagePart) {
    appendInterpolation(part.markup)
  }

  /// A part where there is one.
  package mutating func appendInterpolation(_ part: (some PagePart)?) {
    if let part { appendInterpolation(part.markup) }
  }

  /// Parts one after the other.
  package mutating func appendInterpolation(_ parts: [some PagePart]) {
    for part in parts { appendInterpolation(part.markup) }
  }
}

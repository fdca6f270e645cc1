// SPDX-License-Identifier: Apache-2.0

/// The words of a notification about a message, beyond the neutral ones.
package struct NewsContent: Sendable, Hashable {
  /// Tells the person it is about from others; nil where it is about several.
  package var label: String?
  /// The message itself; nil unless the person wants it said.
  package var sentence: String?

  package init(label: String? = nil, sentence: String? = nil) {
    self.label = label
    self.sentence = sentence
  }
}

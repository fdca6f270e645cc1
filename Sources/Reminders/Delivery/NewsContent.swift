// SPDX-License-Identifier: Apache-2.0

/// The text of a notification about a message, beyond the neutral wording.
package struct NewsContent: Sendable, Hashable {
  /// The label of the person whom the message is about; nil if it is about several.
  package var label: String?
  /// The message itself; nil unless the person allows it in notifications.
  package var sentence: String?

  /// Creates the text of a notification.
  package init(label: String? = nil, sentence: String? = nil) {
    self.label = label
    self.sentence = sentence
  }
}

// SPDX-License-Identifier: Apache-2.0

import HTML

/// A message about the last action, with an undo button; it stays until the next page.
package struct FlashBar: PagePart {
  private let text: String
  private let undo: FormButton?

  /// Creates a message such as "Metoprolol taken 08:04", with an undo button if there is one.
  package init(_ text: String, undo: FormButton? = nil) {
    self.text = text
    self.undo = undo
  }

  /// The message, which takes the focus: otherwise a reload after a press would leave keyboard users
  /// at the top of the page and a screen reader silent.
  package var markup: Markup {
    "<div class=\"flash\"><p role=\"status\" tabindex=\"-1\" autofocus>\(text)</p>\(undo)</div>"
  }
}

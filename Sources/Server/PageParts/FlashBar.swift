// SPDX-License-Identifier: Apache-2.0

import HTML

/// What was just done, with the way to take it back; it stays until the next page.
package struct FlashBar: PagePart {
  private let text: String
  private let undo: FormButton?

  /// Makes a message such as "Metoprolol taken 08:04", with an undo button where there is one.
  package init(_ text: String, undo: FormButton? = nil) {
    self.text = text
    self.undo = undo
  }

  /// The message; a script has it announced once more after loading.
  package var markup: Markup {
    "<div class=\"flash\"><p role=\"status\" data-announce>\(text)</p>\(undo)</div>"
  }
}

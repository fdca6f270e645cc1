// SPDX-License-Identifier: Apache-2.0

import HTML

/// Collapsed content for those who want more; it works without a script.
package struct Disclosure: PagePart {
  private let summary: String
  private let object: String?
  private let isOpen: Bool
  private let content: Markup

  /// Creates a collapsed part; the object is read out after the summary ("More" + "Metoprolol").
  package init(
    _ summary: String, object: String? = nil, isOpen: Bool = false, _ content: Markup
  ) {
    self.summary = summary
    self.object = object
    self.isOpen = isOpen
    self.content = content
  }

  /// The collapsed part.
  package var markup: Markup {
    let label = ButtonLabel(text: summary, icon: .chevron, object: object)
    return """
      <details class="disclosure"\(Markup.attribute("open", isOpen))>\
      <summary>\(label.markup)</summary>\
      <div class="disclosure-content stack">\(content)</div></details>
      """
  }
}

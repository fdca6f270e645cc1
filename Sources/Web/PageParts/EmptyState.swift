// SPDX-License-Identifier: Apache-2.0

import HTML

/// The content of an empty list: one sentence and a way to begin.
package struct EmptyState: PagePart {
  private let icon: Icon
  private let text: String
  private let action: Markup

  /// Creates an empty state with its action, if there is one.
  package init(icon: Icon, text: String, action: Markup = Markup()) {
    self.icon = icon
    self.text = text
    self.action = action
  }

  /// The empty state.
  package var markup: Markup {
    """
    <div class="empty-state"><span class="empty-state-icon">\(icon)</span><p>\(text)</p>\
    \(action)</div>
    """
  }
}

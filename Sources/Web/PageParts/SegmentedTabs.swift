// SPDX-License-Identifier: Apache-2.0

import HTML

/// A few views of the same content, each with its own address.
package struct SegmentedTabs: PagePart {
  /// One of the views.
  package struct Tab: Sendable {
    let label: String
    let address: String
    let isCurrent: Bool

    /// Creates a tab.
    package init(_ label: String, address: String, isCurrent: Bool = false) {
      self.label = label
      self.address = address
      self.isCurrent = isCurrent
    }
  }

  private let label: String
  private let tabs: [Tab]

  /// Creates tabs; the label names them for screen readers.
  package init(label: String, _ tabs: [Tab]) {
    self.label = label
    self.tabs = tabs
  }

  /// The tabs.
  package var markup: Markup {
    """
    <nav class="tabs" aria-label="\(label)"><ul class="tab-list" role="list">\(each: tabs, link)\
    </ul></nav>
    """
  }

  private func link(_ tab: Tab) -> Markup {
    """
    <li><a href="\(tab.address)"\(if: tab.isCurrent, " aria-current=\"page\"")>\(tab.label)</a></li>
    """
  }
}

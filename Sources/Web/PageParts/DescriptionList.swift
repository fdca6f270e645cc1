// SPDX-License-Identifier: Apache-2.0

import HTML

/// Facts with their names, one under the other.
package struct DescriptionList: PagePart {
  /// A fact and its name.
  package struct Item: Sendable {
    let term: String
    let description: Markup

    /// Creates a fact of text.
    package init(_ term: String, _ text: String) {
      self.term = term
      description = Markup(text: text)
    }

    /// Creates a fact of markup.
    package init(_ term: String, markup: Markup) {
      self.term = term
      description = markup
    }
  }

  private let items: [Item]

  /// Creates a list of facts.
  package init(_ items: [Item]) {
    self.items = items
  }

  /// The list.
  package var markup: Markup {
    """
    <dl class="facts">\
    \(each: items, { "<div><dt>\($0.term)</dt><dd>\($0.description)</dd></div>" })</dl>
    """
  }
}

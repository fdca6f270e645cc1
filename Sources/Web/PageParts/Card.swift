// SPDX-License-Identifier: Apache-2.0

import HTML

/// The level of a heading below the page's only h1.
package enum HeadingLevel: Int, Sendable {
  case second = 2
  case third = 3

  /// Returns a heading with a class and optionally an id.
  package func heading(_ content: Markup, style: Markup? = nil, id: String? = nil) -> Markup {
    """
    <h\(rawValue)\(style.map { " class=\"\($0)\"" as Markup })\(Markup.attribute("id", id))>\
    \(content)</h\(rawValue)>
    """
  }
}

/// A part of a page under its own heading.
package struct Section: PagePart {
  private let title: String
  private let id: String?
  private let content: Markup

  /// Creates a section; with an id it can be linked to.
  package init(_ title: String, id: String? = nil, _ content: Markup) {
    self.title = title
    self.id = id
    self.content = content
  }

  /// The section.
  package var markup: Markup {
    """
    <section class="section"\(Markup.attribute("id", id))>\
    \(HeadingLevel.second.heading(Markup(text: title)))\(content)</section>
    """
  }
}

/// A box that groups related content.
package struct Card: PagePart {
  private let title: String?
  private let address: String?
  private let level: HeadingLevel
  private let isQuiet: Bool
  private let content: Markup

  /// Creates a card; with an address its title is a link.
  package init(
    title: String? = nil, address: String? = nil, level: HeadingLevel = .second,
    isQuiet: Bool = false, _ content: Markup
  ) {
    self.title = title
    self.address = address
    self.level = level
    self.isQuiet = isQuiet
    self.content = content
  }

  /// The card.
  package var markup: Markup {
    """
    <div class="card\(if: isQuiet, " card-quiet")">\(title.map(heading))\(content)</div>
    """
  }

  private func heading(_ title: String) -> Markup {
    let words: Markup = address.map { "<a href=\"\($0)\">\(title)</a>" } ?? Markup(text: title)
    return level.heading(words, style: "card-title")
  }
}

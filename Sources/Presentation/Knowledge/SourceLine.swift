// SPDX-License-Identifier: Apache-2.0

import HTML
import Knowledge
import Localization
import Web

/// A source by its own name and its links, without the id of its row.
package struct SourceLine: PagePart {
  package let source: Source
  package let localizer: Localizer

  package init(source: Source, localizer: Localizer) {
    self.source = source
    self.localizer = localizer
  }

  package var markup: Markup {
    """
    <span lang="en">\(source.name)</span>\
    \(if: source.facts == .named, " · \(localizer.text("knowledge.not-read"))" as Markup)\
    \(each: source.links, link)
    """
  }

  /// A link by its host: the whole address would be wider than a phone.
  private func link(_ link: String) -> Markup {
    let host = link.split(separator: "/").prefix(2).joined(separator: "//")
    return """
      <br><a class="source-link" href="\(link)" rel="noreferrer noopener nofollow">\(host)</a>
      """
  }
}

/// The sources of a statement, folded under their number.
package struct SourceDisclosure: PagePart {
  package let sources: [Source]
  /// The medicine or table that the statement is about: read out after the number.
  package var object: String?
  package let localizer: Localizer

  package init(sources: [Source], object: String? = nil, localizer: Localizer) {
    self.sources = sources
    self.object = object
    self.localizer = localizer
  }

  package var markup: Markup {
    Disclosure(
      localizer.text("knowledge.sources-count", ["count": .number(sources.count)]), object: object,
      """
      <ul>\(each: sources, { "<li>\(SourceLine(source: $0, localizer: localizer))</li>" })</ul>
      """
    ).markup
  }
}

// SPDX-License-Identifier: Apache-2.0

import HTML
import Knowledge
import Localization
import Web

/// A source with its own name and its links, without the identifier of its row.
package struct SourceLine: PagePart {
  /// The source to name.
  package let source: Source
  /// The language of the note about sources that were not read.
  package let localizer: Localizer

  /// Creates the line of a source.
  package init(source: Source, localizer: Localizer) {
    self.source = source
    self.localizer = localizer
  }

  /// The name in English, with one link per line.
  package var markup: Markup {
    """
    <span lang="en">\(source.name)</span>\
    \(if: source.facts == .named, " · \(localizer.text("knowledge.not-read"))" as Markup)\
    \(each: source.links, link)
    """
  }

  /// Returns a link labelled with its host: the full address is wider than a phone.
  private func link(_ link: String) -> Markup {
    let host = link.split(separator: "/").prefix(2).joined(separator: "//")
    return """
      <br><a class="source-link" href="\(link)" rel="noreferrer noopener nofollow">\(host)</a>
      """
  }
}

/// The sources of a statement, collapsed under their number.
package struct SourceDisclosure: PagePart {
  /// The sources to list.
  package let sources: [Source]
  /// The medicine or table that the statement is about, read out after the number; nil if it is
  /// clear.
  package var object: String?
  /// The language of the heading.
  package let localizer: Localizer

  /// Creates the list of sources.
  package init(sources: [Source], object: String? = nil, localizer: Localizer) {
    self.sources = sources
    self.object = object
    self.localizer = localizer
  }

  /// The collapsed list.
  package var markup: Markup {
    Disclosure(
      localizer.text("knowledge.sources-count", ["count": .number(sources.count)]), object: object,
      """
      <ul>\(each: sources, { "<li>\(SourceLine(source: $0, localizer: localizer))</li>" })</ul>
      """
    ).markup
  }
}

// SPDX-License-Identifier: Apache-2.0

import HTML
import Knowledge
import Localization

/// A source by its own name and its links, without the id of its row.
struct SourceLine: PagePart {
  let source: Source
  let localizer: Localizer

  var markup: Markup {
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
struct SourceDisclosure: PagePart {
  let sources: [Source]
  /// The medicine or table that the statement is about: read out after the number.
  var object: String?
  let localizer: Localizer

  var markup: Markup {
    Disclosure(
      localizer.text("knowledge.sources-count", ["count": .number(sources.count)]), object: object,
      """
      <ul>\(each: sources, { "<li>\(SourceLine(source: $0, localizer: localizer))</li>" })</ul>
      """
    ).markup
  }
}

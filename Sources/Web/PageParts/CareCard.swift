// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// Advice on when to get help, in three levels with names and colours.
package struct CareCard: PagePart {
  /// The urgency of getting help.
  package enum Urgency: String, CaseIterable, Sendable {
    case advice, urgent, emergency
  }

  private let urgency: Urgency
  private let title: String
  private let level: HeadingLevel
  private let content: Markup
  private let localizer: Localizer

  /// Creates a care card; use only a few on one page.
  package init(
    _ urgency: Urgency, title: String, level: HeadingLevel = .second, localizer: Localizer,
    _ content: Markup
  ) {
    self.urgency = urgency
    self.title = title
    self.level = level
    self.localizer = localizer
    self.content = content
  }

  /// The card.
  package var markup: Markup {
    let name = localizer.text("parts.care", ["urgency": .text(urgency.rawValue)])
    let heading: Markup = """
      \(urgency == .advice ? Icon.info : Icon.warning)<span><span class="care-card-urgency">\
      \(name) </span>\(title)</span>
      """
    return """
      <div class="care-card care-card-\(urgency.rawValue)">\
      \(level.heading(heading, style: "care-card-title"))\
      <div class="care-card-body">\(content)</div></div>
      """
  }
}

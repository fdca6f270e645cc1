// SPDX-License-Identifier: Apache-2.0

import HTML
import Knowledge
import Localization
import Web

/// The notice that messages may not be read soon, with emergency numbers if the country is known.
struct ChatEmergency: PagePart {
  /// The country; nil if none was chosen, because another country's number is worse than none.
  let region: Region?
  let localizer: Localizer

  var markup: Markup {
    let numbers = region.map { region -> Markup in
      let lines = Self.numbers(in: region).map { statement -> Markup in
        "<li>\(statement.text(in: localizer.language))</li>"
      }
      return "<ul>\(lines)</ul>"
    }
    let unknown: Markup = "<p>\(localizer.text("chat.emergency.unknown"))</p>"
    return Notice(
      .warning, title: localizer.text("chat.emergency.title"),
      "<p>\(localizer.text("chat.emergency.help"))</p>\(numbers ?? unknown)"
    ).markup
  }

  private static func numbers(in region: Region) -> [Statement] {
    let handbook = Handbook.shipped
    guard let topic = handbook.topics.first else { return [] }
    return handbook.emergencyCard(for: topic, region: region)
      .filter { $0.id.hasPrefix(Handbook.numbersPrefix) }
  }
}

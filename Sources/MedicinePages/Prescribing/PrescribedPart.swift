// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Web

/// The prescriber of a medicine, and the note that it continues although their care has ended.
struct PrescribedPart: PagePart {
  let found: (prescriber: Prescriber, lasts: Bool)?
  let hasEnded: Bool
  let localizer: Localizer

  var markup: Markup {
    guard let found else { return Markup() }
    let name = MessageArgument.text(found.prescriber.name)
    if found.lasts || hasEnded {
      return "<p class=\"muted\">\(localizer.text("care-team.prescribed", ["name": name]))</p>"
    }
    return Notice(
      .information, title: localizer.text("care-team.care-ended", ["name": name]),
      "<p>\(localizer.text("care-team.care-ended-help"))</p>"
    ).markup
  }
}

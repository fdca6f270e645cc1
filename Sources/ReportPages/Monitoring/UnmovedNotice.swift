// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Web

/// The notice that this person's heart rate says little about their doses.
struct UnmovedNotice: PagePart {
  let localizer: Localizer

  var markup: Markup {
    Notice(
      .information, title: localizer.text("heart-rate-monitoring.unmoved"),
      "<p>\(localizer.text("heart-rate-monitoring.unmoved-help"))</p>"
    ).markup
  }
}

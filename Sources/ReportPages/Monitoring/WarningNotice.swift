// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HTML
import Identifiers
import Localization
import Web

/// The notice that a question about the heart rate is open and why, on pages that the person is likely to
/// visit.
struct WarningNotice: PagePart {
  let warning: Warning
  let localizer: Localizer

  var markup: Markup {
    Notice(
      .warning, title: localizer.text("heart-rate-monitoring.open"),
      """
      <p>\(WarningText(localizer: localizer).seen(warning))</p>\(LinkButton(
        localizer.text("heart-rate-monitoring.answer-it"),
        address: WarningRoutes.address(of: warning.id.text), kind: .primary))
      """
    ).markup
  }
}

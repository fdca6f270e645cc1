// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Scheduling
import Storage
import Web

/// The additions of the bedside page to the alarm page: a clock, and a test each evening.
struct NightStandView: PagePart {
  let words: DoseFormatter
  let now: Timestamp

  /// The local hour at which the page tests itself.
  static let testHour = 20

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    """
    <p class="night-clock" data-night="clock" data-zone="\(words.zone.identifier)" \
    data-now="\(String(now.milliseconds))" data-test-hour="\(Self.testHour)">\(words.time(now))</p>\
    <p class="night-test" role="status" data-night="test" data-ok="\(text("test-ok"))" \
    data-bad="\(text("test-bad"))" data-sound="\(text("bad-sound"))" \
    data-awake="\(text("bad-awake"))" data-live="\(text("bad-live"))">\(hint)</p>\
    <button type="button" class="button button-quiet" data-night="now" data-script hidden>\
    \(Icon.bell)<span>\(text("test-now"))</span></button>
    """
  }

  private var hint: String {
    localizer.text(
      "night.test-hint", ["time": .text(localizer.time(hour: Self.testHour, minute: 0))])
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("night.text.\(name)"))
  }
}

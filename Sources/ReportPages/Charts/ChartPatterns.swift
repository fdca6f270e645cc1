// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Web

/// The grounds of all drawings of a page, where it has several: an id stands on a page once.
struct ChartPatterns: PagePart {
  let localizer: Localizer

  var markup: Markup {
    """
    <svg class="chart-patterns" width="0" height="0" aria-hidden="true" focusable="false">\
    \(ChartSeries.patterns)\(PausedBand.pattern)\(DayMark.symbols(localizer))</svg>
    """
  }
}

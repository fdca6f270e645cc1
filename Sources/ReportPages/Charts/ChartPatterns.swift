// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Web

/// The fill patterns of all drawings on a page that has several, since an id may occur only once.
struct ChartPatterns: PagePart {
  let localizer: Localizer

  var markup: Markup {
    """
    <svg class="chart-patterns" width="0" height="0" aria-hidden="true" focusable="false">\
    \(ChartSeries.patterns)\(PausedBand.pattern)\(DayMark.symbols(localizer))</svg>
    """
  }
}

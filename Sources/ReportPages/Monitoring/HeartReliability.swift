// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import HTML
import Localization
import Web

/// A table for professionals: how often questions with a given probability were right in simulated people.
struct HeartReliability: PagePart {
  let localizer: Localizer

  var markup: Markup {
    let title = localizer.text("heart-rate-monitoring.reliability.title")
    let rows = QuestionReliability.bands.map { band -> Markup in
      let range = localizer.text(
        "heart-rate-monitoring.reliability.range",
        ["from": .number(band.from), "to": .number(band.to)])
      return """
        <tr><th scope="row">\(range)</th><td>\(localizer.number(band.real))</td></tr>
        """
    }
    return Disclosure(
      title,
      """
      <div class="table-scroll" role="region" aria-label="\(title)" tabindex="0">\
      <table class="table"><caption>\(title)</caption><thead><tr>\
      <th scope="col">\(localizer.text("heart-rate-monitoring.reliability.given"))</th>\
      <th scope="col">\(localizer.text("heart-rate-monitoring.reliability.real"))</th></tr></thead>\
      <tbody>\(rows)</tbody></table></div>\
      <p class="muted">\(localizer.text("heart-rate-monitoring.reliability.note"))</p>
      """
    ).markup
  }
}

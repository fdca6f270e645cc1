// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import SiteMap
import Supply
import Web

/// A summary of one supply, with a link to its page.
struct StockCard: Sendable {
  let summary: StockSummary
  let words: StockFormatter

  var markup: Markup {
    let waiting =
      summary.offers.isEmpty
      ? []
      : [
        words.localizer.text(
          "stock.dispense.waits", ["count": .number(summary.offers.count)])
      ]
    let remarks = waiting + words.remarks(summary)
    return """
      <section class="card stack-small">\
      <h2 class="card-title"><a href="\(StockRoutes.address(of: summary.stock))">\
      \(summary.stock.title(words.localizer))</a></h2>\(AppearancePart(summary.look, words.localizer))\
      <p>\(words.line(summary))</p>\
      \(if: !remarks.isEmpty, "<ul>\(each: remarks, { "<li>\($0)</li>" })</ul>")</section>
      """
  }
}

/// The part of Today about supplies that are running low.
struct StockToday: Sendable {
  let low: [StockSummary]
  let localizer: Localizer

  var markup: Markup {
    guard !low.isEmpty else { return Markup() }
    let lines = low.map { summary -> Markup in
      let words = StockFormatter(localizer, today: summary.today)
      return """
        <li><a href="\(StockRoutes.address(of: summary.stock))">\
        \(summary.stock.title(localizer))</a>: \
        \(words.line(summary))</li>
        """
    }
    return Notice(
      .warning, title: localizer.text("stock.today", ["count": .number(low.count)]),
      "<ul>\(lines)</ul>"
    ).markup
  }
}

/// The part of a medicine's page about its supply.
struct StockOfMedicine: Sendable {
  let summary: StockSummary
  let plan: Plan
  let localizer: Localizer

  var markup: Markup {
    let words = StockFormatter(localizer, today: summary.today)
    let link = LinkButton(
      localizer.text("stock.open"), address: StockRoutes.address(of: summary.stock),
      icon: .box, object: plan.medicineName)
    return Section(
      localizer.text("stock.section"), id: "stock",
      "<div class=\"stack\"><p>\(words.line(summary))</p>\(ButtonRow("\(link)"))</div>"
    ).markup
  }
}

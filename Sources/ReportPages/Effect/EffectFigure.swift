// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Localization
import Presentation
import Scheduling
import Statistics
import Web

/// The drawing with its sentences, the numbered changes, and a table of the same numbers.
struct EffectFigure: PagePart {
  let content: EffectContent
  let words: EffectText

  private var localizer: Localizer { words.localizer }
  private var chart: ChartFormatter { ChartFormatter(localizer: localizer) }

  var markup: Markup {
    """
    <figure class="chart-figure"><figcaption id="effect-figure">\
    \(each: sentences, { "<p>\($0)</p>" as Markup })</figcaption>\
    \(EffectChart(content: content, words: words, labelledBy: "effect-figure"))\(changes)</figure>\
    \(Disclosure(localizer.text("effect.table"), table))
    """
  }

  private var sentences: [String] {
    let rate = MessageArgument.text(chart.rate(content.doses.total))
    var sentences = [localizer.text("effect.doses-sentence", ["rate": rate])]
    for series in content.series {
      sentences.append(sentence(series))
      guard series.leftOut > 0 else { continue }
      sentences.append(
        localizer.text(
          "effect.left-out",
          ["name": .text(words.name(series.measure)), "count": .number(series.leftOut)]))
    }
    return sentences
  }

  private func sentence(_ series: EffectSeries) -> String {
    let values = content.means(of: series).compactMap(\.self)
    let name = MessageArgument.text(words.name(series.measure))
    guard let low = values.min(), let high = values.max() else {
      return localizer.text("effect.no-values", ["name": name])
    }
    let top = words.amount(words.number(high), series.measure, series.unit)
    return localizer.text(
      "effect.sentence", ["name": name, "low": .text(words.number(low)), "high": .text(top)])
  }

  private var changes: Markup {
    guard !content.changes.isEmpty else {
      return "<p class=\"muted\">\(localizer.text("effect.no-changes"))</p>"
    }
    return """
      <ol class="stack-small" role="list">\(each: content.changes, { change in
        "<li>\(words.name(change.kind)), \(words.day(change.day))</li>" as Markup
      })</ol>
      """
  }

  // MARK: Table

  private var table: Markup {
    let caption = localizer.text("effect.table")
    var heads = [
      localizer.text("effect.column", ["column": "period"]), localizer.text("effect.doses"),
    ]
    for series in content.series { heads.append(words.name(series.measure)) }
    heads.append(localizer.text("effect.column", ["column": "change"]))
    let means = content.series.map { content.means(of: $0) }
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\(each: heads, { head in
        "<th scope=\"col\">\(head)</th>" as Markup
      })</tr></thead><tbody>\(each: content.doses.columns.indices.reversed(), { index in
        row(index, means.map { $0[index] })
      })</tbody></table></div>
      """
  }

  private func row(_ index: Int, _ values: [Double?]) -> Markup {
    let column = content.doses.columns[index]
    let changes = content.changes.filter {
      content.range.period.start(of: $0.day) == column.start
    }.map { words.name($0.kind) }
    let none = localizer.text("chart.no-doses-short")
    return """
      <tr><th scope="row">\(chart.name(of: column.start, content.range.period))</th>\
      <td>\(chart.rate(column.counts))</td>\(each: values, { value in
        "<td>\(value.map(words.number) ?? none)</td>" as Markup
      })<td>\(changes.isEmpty ? none : localizer.list(changes))</td></tr>
      """
  }
}

// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Presentation
import Scheduling
import Statistics

/// The statistics of a report as a table for spreadsheets: a line for each medicine, and one for
/// the total.
struct ReportCSV: Sendable {
  let content: ReportContent
  let localizer: Localizer

  var text: String {
    let columns = [
      "medicine", "sentence", "planned", "taken", "late", "skipped", "refused", "missed",
      "withheld", "percent", "days-planned", "days-covered", "percent-covered", "late-minutes",
      "longest-late", "from", "until",
    ]
    var lines = [
      CSVText.line(
        columns.map { localizer.text("report.csv-column", ["column": .text($0)]) })
    ]
    for plan in content.plans {
      lines.append(
        line(
          plan.medicineName,
          DosageFormatter(plan.request, language: localizer.language).sentence,
          content.statistics.plans[plan.id] ?? PlanStatistics()))
    }
    lines.append(line(localizer.text("report.total"), "", content.statistics.total, hasDays: false))
    return "\u{FEFF}" + lines.joined()
  }

  /// - Parameter hasDays: False for several medicines together, whose days are not calendar days.
  private func line(
    _ name: String, _ sentence: String, _ statistics: PlanStatistics, hasDays: Bool = true
  ) -> String {
    let counts = statistics.counts
    func number(_ value: Int?) -> String { value.map(String.init) ?? "" }
    return CSVText.line([
      name, sentence, number(counts.planned), number(counts[.taken]), number(counts[.late]),
      number(counts[.skipped]), number(counts[.refused]), number(counts[.missed]),
      number(counts[.withheld]), number(counts.percentTaken),
      number(hasDays ? statistics.plannedDays : nil),
      number(hasDays ? statistics.coveredDays : nil),
      number(hasDays ? statistics.percentOfDaysCovered : nil),
      number(statistics.averageLateMinutes),
      counts[.late] > 0 ? number(statistics.longestLateMinutes) : "", content.first.text,
      content.last.text,
    ])
  }
}

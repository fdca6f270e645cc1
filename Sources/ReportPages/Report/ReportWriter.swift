// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeartRate
import Localization
import Observations
import People
import Plans
import Presentation
import Scheduling
import Statistics

/// Formats a report: page, PDF and link use the same text.
struct ReportWriter: Sendable {
  let content: ReportContent
  let localizer: Localizer
  /// The comparisons of medicines with measures.
  var effects: [ReportEffect] = []

  private var clock: MedicineClock { MedicineClock(zone: content.zone, localizer: localizer) }
  private var chart: ChartFormatter { ChartFormatter(localizer: localizer) }

  var document: ReportDocument {
    var parts = [medicines, whenNeeded, times, reasons, heart, health].compactMap(\.self)
    parts += effects.map { $0.part(localizer) }
    parts.append(meanings)
    return ReportDocument(title: localizer.text("report.title"), lines: lines, parts: parts)
  }

  // MARK: Head

  private var lines: [String] {
    var who = content.details.displayName
    if let birth = content.details.birthDate {
      who = localizer.text(
        "report.born", ["name": .text(who), "day": .text(clock.text(birth, .medium))])
    }
    return [
      who, chart.range(content.first, content.last),
      localizer.text("report.made", ["when": .text(clock.text(content.now))]),
    ]
  }

  // MARK: Medicines

  private var medicines: ReportDocument.Part {
    let title = localizer.text("report.plan")
    guard !content.plans.isEmpty else {
      return .init(title: title, blocks: [.text(localizer.text("report.no-plan"))])
    }
    let columns = ["medicine", "sentence", "taken", "late", "covered"]
    let total = content.statistics.total
    let table = ReportDocument.Table(
      header: columns.map { localizer.text("report.column", ["column": .text($0)]) },
      rows: content.plans.map(row),
      total: content.plans.count > 1
        ? [
          localizer.text("report.total"), "", chart.rate(total.counts), late(total), "",
        ]
        : nil, wordColumns: 2, shares: [22, 36, 16, 14, 14],
      appearances: content.plans.map { content.appearances[$0.id] })
    return .init(title: title, blocks: [.table(table)])
  }

  private func row(_ plan: Plan) -> [String] {
    let statistics = content.statistics.plans[plan.id] ?? PlanStatistics()
    let words = DosageFormatter(plan.request, language: localizer.language)
    let quotes = words.quotes.map { "“\($0)”" }
    let look =
      content.appearances[plan.id].map {
        ["(\(AppearanceFormatter(localizer: localizer).text($0)))"]
      } ?? []
    let name = state(plan).map { "\(plan.medicineName) (\($0))" } ?? plan.medicineName
    return [
      name, ([words.sentence] + quotes + look).joined(separator: " "),
      chart.rate(statistics.counts),
      late(statistics), covered(statistics),
    ]
  }

  private func state(_ plan: Plan) -> String? {
    let state: String
    switch plan.unplanned {
    case nil: return nil
    case .asNeeded: state = "as-needed"
    case .status(let status): state = status == "on-hold" ? "paused" : "ended"
    case .ended: state = "ended"
    default: state = "unplanned"
    }
    return localizer.text("report.state", ["state": .text(state)])
  }

  private func late(_ statistics: PlanStatistics) -> String {
    guard let minutes = statistics.averageLateMinutes else {
      return statistics.counts.planned > 0
        ? localizer.number(0) : localizer.text("chart.no-doses-short")
    }
    return localizer.text(
      "report.late",
      ["count": .number(statistics.counts[.late]), "minutes": .number(minutes)])
  }

  private func covered(_ statistics: PlanStatistics) -> String {
    guard let percent = statistics.percentOfDaysCovered else {
      return localizer.text("chart.no-doses-short")
    }
    return localizer.text(
      "chart.rate",
      [
        "taken": .number(statistics.coveredDays), "planned": .number(statistics.plannedDays),
        "percent": .number(percent),
      ])
  }

  private var whenNeeded: ReportDocument.Part? {
    guard !content.whenNeeded.isEmpty else { return nil }
    let table = ReportDocument.Table(
      header: ["medicine", "days", "times", "last"].map {
        localizer.text("report.column", ["column": .text($0)])
      },
      rows: content.whenNeeded.map { medicine in
        [
          medicine.name, localizer.number(medicine.days), localizer.number(medicine.times),
          clock.text(medicine.last),
        ]
      }, shares: [46, 12, 12, 30])
    return .init(title: localizer.text("report.when-needed"), blocks: [.table(table)])
  }

  // MARK: When and why

  private var times: ReportDocument.Part? {
    let statistics = content.statistics.total
    guard statistics.counts.planned > 0 else { return nil }
    let outcomes: [DoseOutcome] = [.late, .skipped, .refused, .missed].filter {
      $0 == .missed || $0 == .late || statistics.counts[$0] > 0
    }
    func row(_ name: String, _ counts: DoseCounts) -> [String]? {
      guard counts.planned > 0 else { return nil }
      return [name, chart.rate(counts)] + outcomes.map { localizer.number(counts[$0]) }
    }
    let parts = DayPart.allCases.compactMap { part in
      row(
        localizer.text("report.part", ["part": .text(part.rawValue)]), statistics.counts(in: part))
    }
    let days = (1...7).compactMap(Weekday.init(rawValue:)).compactMap { day in
      row(
        localizer.capitalized(localizer.weekday(day.rawValue)), statistics.counts(on: day))
    }
    let header =
      ["when", "taken"].map { localizer.text("report.column", ["column": .text($0)]) }
      + outcomes.map(chart.name(of:))
    let shares = [30.0, 26] + outcomes.map { _ in 44 / Double(outcomes.count) }
    return .init(
      title: localizer.text("report.times"),
      blocks: [.table(.init(header: header, rows: parts + days, shares: shares))], side: .left)
  }

  private var reasons: ReportDocument.Part? {
    guard !content.reasons.isEmpty else { return nil }
    return .init(
      title: localizer.text("report.reasons"),
      blocks: [
        .list(
          content.reasons.map { reason in
            localizer.text(
              "report.reason",
              [
                "words": .text(reason.words),
                "outcome": .text(
                  chart.name(of: reason.isRefusal ? .refused : .skipped)),
                "count": .number(reason.count),
              ])
          })
      ], side: .left)
  }

  // MARK: Heart and health

  private var heart: ReportDocument.Part? {
    guard let vitals = content.vitals, !vitals.weeks.isEmpty || !vitals.warnings.isEmpty else {
      return nil
    }
    var blocks: [ReportDocument.Block] = []
    if !vitals.weeks.isEmpty {
      blocks.append(
        .table(
          .init(
            header: ["week", "average", "measured"].map {
              localizer.text("report.column", ["column": .text($0)])
            },
            rows: vitals.weeks.map { week in
              [
                clock.text(week.monday, .medium),
                localizer.text("report.rate", ["bpm": .number(week.average)]),
                localizer.number(week.days),
              ]
            }, shares: [40, 34, 26])))
    }
    if let limit = vitals.limit {
      blocks.append(.text(localizer.text("report.limit", ["bpm": .number(limit)])))
    }
    if !vitals.warnings.isEmpty { blocks.append(.text(asked(vitals.warnings))) }
    return .init(title: localizer.text("report.heart"), blocks: blocks, side: .right)
  }

  private func asked(_ warnings: [Warning]) -> String {
    let answers: [(String, Warning.Answer?)] = [
      ("yes", .yes), ("no", .no), ("unwell", .unwell), ("closed", .closed), ("none", nil),
    ]
    let counts = answers.compactMap { name, answer -> String? in
      let count = warnings.count { $0.answer == answer }
      guard count > 0 else { return nil }
      let label = localizer.text("heart-rate-monitoring.log.count", ["which": .text(name)])
      return "\(label) \(localizer.number(count))"
    }
    return localizer.text(
      "report.asked",
      ["count": .number(warnings.count), "answers": .text(localizer.list(counts))])
  }

  private var health: ReportDocument.Part? {
    var lines: [String] = []
    if let allergies = content.allergies {
      let names = allergies.map { allergy in
        allergy.reaction.map { "\(allergy.name) (\($0))" } ?? allergy.name
      }
      lines.append(
        names.isEmpty
          ? localizer.text("report.no-allergies")
          : localizer.text("report.allergies", ["list": .text(localizer.list(names))]))
    }
    if let weight = content.vitals?.weight, let value = Decimal(string: weight.kilograms) {
      lines.append(
        localizer.text(
          "report.weight",
          [
            "weight": .text(localizer.number(value)),
            "day": .text(clock.text(weight.date, .medium)),
          ]))
    }
    guard !lines.isEmpty else { return nil }
    return .init(title: localizer.text("report.health"), blocks: [.list(lines)], side: .right)
  }

  // MARK: What the numbers mean

  private var meanings: ReportDocument.Part {
    .init(
      title: localizer.text("report.meanings"),
      blocks: [
        .list(
          ["taken", "late", "covered", "not-counted"].map {
            localizer.text("report.meaning", ["term": .text($0)])
          })
      ])
  }
}

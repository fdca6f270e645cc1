// SPDX-License-Identifier: Apache-2.0

import HealthData
import HTML
import Hummingbird
import Localization
import Observations
import Presentation
import SiteMap
import Web

/// The page that asks for the meaning of a table's columns and shows a dry run.
struct HeartColumnsPage: Sendable {
  let job: HealthImportJob
  let table: HealthImportJob.Table
  /// The question whose answer is missing or invalid.
  let mistake: TableMapping.Question?

  private static let mostColumns = 60
  private static let mostLetters = 40

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("columns.title")
    frame.lead = localizer.text("columns.lead", ["file": .text(job.fileName)])
    frame.place = .progress
    frame.back = PageFrame.BackLink(
      localizer.text("heart-rate.import.title"), address: Address.heartRateImport)
    let errors = mistake.map {
      [FieldError(field: HeartColumnsInput.field($0), message: error($0, localizer))]
    }
    return call.formPage(
      frame, errors: errors ?? [],
      """
      \(table.trial.map { trial($0, localizer) })\
      \(Section(localizer.text("columns.sample"), sample(localizer)))\
      \(Form(
        action: "\(Address.heartRateImport)/\(job.id)/columns", token: call.formToken,
        fields: "\(each: TableMapping.Question.allCases, { field($0, localizer).markup })",
        buttons: """
          \(Button(
            localizer.text("columns.look"), kind: .secondary, icon: .list, name: "action",
            value: "look"))\
          \(if: table.trial != nil, Button(
            localizer.text("heart-rate.import.start"), icon: .download, name: "action", value: "take",
            person: call.formToken.personName).markup)
          """))\
      \(FormButton(
        localizer.text("columns.discard"), action: "\(Address.heartRateImport)/\(job.id)/stop",
        token: call.formToken, kind: .quiet))
      """)
  }

  // MARK: Questions

  private func field(_ question: TableMapping.Question, _ localizer: Localizer) -> FormField {
    let none = FieldChoice("", localizer.text("columns.none", name(question)))
    let columns = table.file.header.prefix(Self.mostColumns).enumerated().map { index, title in
      FieldChoice(
        String(index + 1),
        localizer.text("columns.column", ["name": .text(Self.short(title))]))
    }
    let chosen = table.mapping[question]
    let fixed = HeartColumnsInput.fixed(question, chosen: chosen).map {
      FieldChoice(
        "=\($0)",
        question == .metric
          ? localizer.text("heart-rate.kind", ["kind": .text($0)])
          : localizer.text("columns.fixed", ["text": .text($0)]))
    }
    return FormField(
      HeartColumnsInput.field(question), label: localizer.text("columns.question", name(question)),
      kind: .select([none] + columns + fixed), value: table.mapping.answers[question] ?? "",
      hint: question == .zone ? localizer.text("columns.zone-hint") : nil,
      error: mistake == question ? error(question, localizer) : nil,
      isRequired: question.isRequired, localizer: localizer)
  }

  private func name(_ question: TableMapping.Question) -> MessageArguments {
    ["question": .text(question.rawValue)]
  }

  private func error(_ question: TableMapping.Question, _ localizer: Localizer) -> String {
    localizer.text("columns.mistake", name(question))
  }

  private static func short(_ text: String) -> String {
    text.count > mostLetters ? "\(text.prefix(mostLetters))…" : text
  }

  // MARK: Content and dry run

  private func sample(_ localizer: Localizer) -> Markup {
    let columns = table.file.header.prefix(12)
    let caption = localizer.text("columns.sample")
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\(each: Array(columns), {
        "<th scope=\"col\">\(Self.short($0))</th>"
      })</tr></thead><tbody>\(each: table.file.sample, { row($0, columns.count) })</tbody></table></div>
      """
  }

  private func row(_ fields: [String], _ count: Int) -> Markup {
    "<tr>\(each: Array(fields.prefix(count)), { "<td>\(Self.short($0))</td>" })</tr>"
  }

  private func trial(_ report: HealthImportReport, _ localizer: Localizer) -> Markup {
    let count = report.read.values.values.reduce(0, +)
    let leftOut = report.read.faults.values.reduce(0, +)
    return Notice(
      .information,
      title: localizer.text(
        "columns.would",
        ["count": .number(count), "left": .number(leftOut + report.read.otherKinds)]),
      """
      <ul>\(each: report.examples, { reading in
        "<li>\(example(reading, localizer))</li>"
      })</ul>\(if: !report.read.leftOut.isEmpty, """
        <p>\(localizer.text("heart-rate.import.skipped"))</p>\
        <ul>\(each: report.read.leftOut, { entry in
          "<li>\(leftOutLine(entry, localizer))</li>"
        })</ul>
        """ as Markup)
      """
    ).markup
  }

  private func leftOutLine(_ entry: LeftOut, _ localizer: Localizer) -> String {
    let fault = localizer.text(
      "heart-rate.import.fault", ["fault": .text(entry.fault.rawValue), "count": .number(1)])
    return localizer.text(
      "columns.left-out", ["line": .number(entry.line ?? 0), "fault": .text(fault)])
  }

  private func example(_ reading: VitalReading, _ localizer: Localizer) -> String {
    let clock = ClockText.text(minuteOfDay: reading.start.secondOfDay / 60)
    let metric = VitalMetric(rawValue: reading.kind.rawValue) ?? .restingHeartRate
    return localizer.text(
      "columns.example",
      [
        "kind": .text(reading.kind.rawValue),
        "value": .text(HeartRateFormatter.amount(reading.thousandths, metric, localizer)),
        "when": .text("\(CivilDays.text(reading.start.dayNumber)) \(clock)"),
        "source": .text(reading.source),
      ])
  }
}

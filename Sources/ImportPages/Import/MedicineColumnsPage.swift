// SPDX-License-Identifier: Apache-2.0

import HealthData
import HTML
import Hummingbird
import Localization
import Plans
import Scheduling
import SiteMap
import Web

/// The page that asks for the meaning of a medicine table's columns and shows a dry run.
struct MedicineColumnsPage: Sendable {
  let upload: String
  let name: String
  let table: TableText
  let mapping: MedicineTableMapping
  /// The result of the dry run; nil before one.
  var read: MedicineTable?
  /// True if no column names the medicine.
  var isUnmapped = false

  private static let mostColumns = 60
  private static let mostLetters = 40
  private static let mostLines = 50
  private static let mostExamples = 20

  static func header(_ table: TableText) -> [String] { table.rows.first?.fields ?? [] }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("import.table.title")
    frame.lead = localizer.text("columns.lead", ["file": .text(name)])
    frame.place = .medicines
    frame.back = PageFrame.BackLink(
      localizer.text("import.another"), address: Address.medicineImport)
    let problem = localizer.text("import.table.choose-name")
    let errors =
      isUnmapped
      ? [FieldError(field: MedicineTableMapping.field(.name), message: problem)] : []
    return call.formPage(
      frame, errors: errors,
      """
      \(read.map { trial($0, localizer) })\
      \(Section(localizer.text("columns.sample"), sample(localizer)))\
      \(Form(
        action: MedicineColumns.address(upload), token: call.formToken,
        fields: fields(localizer, problem), buttons: buttons(call)))
      """)
  }

  private func buttons(_ call: Call) -> Markup {
    let localizer = call.localizer
    let mayTake = read.map { !$0.drafts.isEmpty || !$0.taken.isEmpty } ?? false
    let take = Button(
      localizer.text("import.table.go-on"), icon: .check, name: "action", value: "take",
      person: call.formToken.personName)
    return """
      \(Button(
        localizer.text("columns.look"), kind: .secondary, icon: .list, name: "action",
        value: "look"))\(if: mayTake, take.markup)\
      \(Button(
        localizer.text("columns.discard"), kind: .quiet, name: "action", value: "discard"))
      """
  }

  // MARK: Questions

  private func fields(_ localizer: Localizer, _ problem: String) -> Markup {
    let columns = Self.header(table).prefix(Self.mostColumns).enumerated().map { index, title in
      FieldChoice(
        String(index + 1),
        localizer.text("columns.column", ["name": .text(Self.short(title))]))
    }
    let questions = MedicineTableMapping.Question.allCases.map { question in
      FormField(
        MedicineTableMapping.field(question),
        label: localizer.text(
          "import.table.question", ["question": .text(question.rawValue)]),
        kind: .select([FieldChoice("", localizer.text("import.table.no-column"))] + columns),
        value: mapping[question].map { String($0 + 1) } ?? "",
        hint: question == .taken ? localizer.text("import.table.taken-hint") : nil,
        error: question == .name && isUnmapped ? problem : nil,
        isRequired: question == .name, localizer: localizer)
    }
    let choices = MedicineTableMapping.WithoutTimes.allCases.map { choice in
      FieldChoice(
        choice.rawValue,
        localizer.text("import.table.without-times", ["choice": .text(choice.rawValue)]))
    }
    return """
      \(each: questions, { $0.markup })\
      \(FormField(
        MedicineTableMapping.withoutTimesField,
        label: localizer.text("import.table.without-times-question"), kind: .radios(choices),
        value: mapping.withoutTimes.rawValue, localizer: localizer))
      """
  }

  private static func short(_ text: String) -> String {
    text.count > mostLetters ? "\(text.prefix(mostLetters))…" : text
  }

  // MARK: Content

  private func sample(_ localizer: Localizer) -> Markup {
    let columns = Array(Self.header(table).prefix(12))
    let caption = localizer.text("columns.sample")
    let rows = Array(table.rows.dropFirst().prefix(5))
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\(each: columns, {
        "<th scope=\"col\">\(Self.short($0))</th>"
      })</tr></thead><tbody>\(each: rows, { row($0.fields, columns.count) })</tbody></table></div>
      """
  }

  private func row(_ fields: [String], _ count: Int) -> Markup {
    "<tr>\(each: Array(fields.prefix(count)), { "<td>\(Self.short($0))</td>" })</tr>"
  }

  // MARK: Dry run

  private func trial(_ read: MedicineTable, _ localizer: Localizer) -> Markup {
    let examples =
      read.drafts.prefix(Self.mostExamples).map { example($0.draft, localizer) }
    var problems = read.leftOut.prefix(Self.mostLines).map { line($0, localizer) }
    let more = read.leftOut.count - problems.count
    if more > 0 {
      problems.append(localizer.text("import.more-problems", ["count": .number(more)]))
    }
    let left = localizer.text(
      "import.table.left-out", ["count": .number(read.leftOut.count)])
    return Notice(
      .information,
      title: localizer.text(
        "import.table.would",
        ["plans": .number(read.drafts.count), "taken": .number(read.taken.count)]),
      """
      \(if: !examples.isEmpty, "<ul>\(each: examples, { "<li>\($0)</li>" })</ul>" as Markup)\
      \(if: !problems.isEmpty, """
        <p>\(left)</p><ul>\(each: problems, { "<li>\($0)</li>" })</ul>
        """ as Markup)
      """
    ).markup
  }

  private func example(_ draft: PlanDraft, _ localizer: Localizer) -> String {
    let strength = draft.strengthValue.map { "\($0) \(draft.strengthUnit ?? "")" }
    let name = [draft.medicineName, strength].compactMap(\.self).joined(separator: " ")
    guard case .times(let times, _) = draft.schedule else {
      return localizer.text("import.table.example-needed", ["name": .text(name)])
    }
    return localizer.text(
      "import.table.example",
      [
        "name": .text(name),
        "times": .text(times.map { String($0.time.text.prefix(5)) }.joined(separator: ", ")),
      ])
  }

  private func line(_ left: MedicineTable.LeftOut, _ localizer: Localizer) -> String {
    let reason =
      left.issue.map { $0.text(localizer) }
      ?? localizer.text("import.table.problem", ["problem": .text(left.problem.rawValue)])
    return localizer.text(
      "columns.left-out", ["line": .number(left.line), "fault": .text(reason)])
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Hummingbird
import Knowledge
import Localization
import Plans
import Prescriptions
import Presentation
import SiteMap
import Storage
import Web

/// The content of an uploaded file, with a preview of each prescription.
struct ImportReviewPage: Sendable {
  let content: ImportReview.Content
  let previews: [ImportPreview]
  let checks: ImportChecks
  let list: InteractionList
  let clock: MedicineClock
  let now: Timestamp
  /// The last action: `accepted` or `declined`.
  var done: String?

  private static let mostProblems = 50

  private var localizer: Localizer { clock.localizer }
  private var file: ImportFile { content.file }
  private var address: String { "\(Address.medicineImport)/\(content.upload)" }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    let isTable = TableImports.isTable(file)
    frame.title = localizer.text(isTable ? "import.table.title" : "import.review")
    let name = isTable ? MedicineColumns.tableName(content.name) : content.name
    frame.lead = name.isEmpty ? nil : name
    frame.place = .medicines
    frame.back = .init(localizer.text("import.another"), address: Address.medicineImport)
    if let done, ["accepted", "declined"].contains(done) {
      frame.flash = FlashBar(localizer.text("import.done", ["what": .text(done)]))
    }
    let token = call.formToken
    return call.page(
      frame,
      """
      <div class="stack-large">\(person)\(pages)\(warned)\(together(token))\
      \(section("import.prescriptions", "\(each: previews, { card($0, token) })"))\
      \(more)\(problems)\(ignored)</div>
      """)
  }

  private func section(_ title: MessageKey, _ content: Markup) -> Markup {
    if previews.isEmpty { return Markup() }
    return Section(localizer.text(title), "<div class=\"stack\">\(content)</div>").markup
  }

  // MARK: The file

  private var person: Markup {
    let isEmpty = !hasSomething
    if content.subjects.isEmpty && isEmpty {
      return Notice(.warning, title: localizer.text("import.nobody")).markup
    }
    let names = content.subjects.compactMap(\.name)
    let whose =
      names.isEmpty
      ? localizer.text("import.of-unnamed")
      : localizer.text("import.of", ["name": .text(localizer.list(names))])
    let counts = localizer.text(
      "import.counts",
      [
        "prescriptions": .number(file.prescriptions.count),
        "administrations": .number(file.administrationCount),
      ])
    let dispenses = localizer.text(
      "import.dispenses", ["count": .number(file.dispenses.count)])
    let measurements = localizer.text(
      "import.measurements", ["count": .number(file.measurements.count)])
    return Notice(
      .information, title: whose,
      """
      <p>\(counts)</p>\(if: !file.dispenses.isEmpty, "<p>\(dispenses)</p>")\
      \(if: !file.measurements.isEmpty, "<p>\(measurements)</p>")
      """
    ).markup
  }

  private var hasSomething: Bool {
    !file.prescriptions.isEmpty || file.administrationCount > 0 || !file.dispenses.isEmpty
      || !file.measurements.isEmpty
  }

  private var pages: Markup? {
    file.hasFurtherPages
      ? Notice(.warning, title: localizer.text("import.further-pages")).markup : nil
  }

  /// The number of warnings below, shown before everything is accepted at once.
  private var warned: Markup? {
    guard checks.count > 0 || checks.rest > 0 else { return nil }
    let rest = localizer.text("interactions.file-rest", ["count": .number(checks.rest)])
    return Notice(
      .warning,
      title: localizer.text("interactions.file-warnings", ["count": .number(checks.count)]),
      "\(if: checks.rest > 0, "<p>\(rest)</p>" as Markup)"
    ).markup
  }

  /// Returns the findings about a prescription, shown above the button that accepts it.
  private func findings(_ preview: ImportPreview) -> Markup? {
    guard preview.isOpen, let check = preview.check else { return nil }
    return findings(check)
  }

  private func findings(_ check: MedicineCheck) -> Markup {
    MedicineFindings(
      check, list: list, words: DoseFormatter(localizer: localizer, zone: clock.zone, now: now)
    ).markup
  }

  private func together(_ token: FormToken) -> Markup {
    let discard = button("import.discard", "discard", token, kind: .quiet)
    guard hasSomething else {
      return ButtonRow("\(discard)").markup
    }
    return ButtonRow(
      """
      \(button("import.accept-all", "accept-all", token, kind: .primary, icon: .check))\
      \(button("import.keep", "keep", token, kind: .secondary, icon: .clock))\(discard)
      """
    ).markup
  }

  private func button(
    _ key: MessageKey, _ action: String, _ token: FormToken, kind: ButtonKind,
    icon: Icon? = nil, entry: Int? = nil, object: String? = nil
  ) -> FormButton {
    var fields: [(name: String, value: String)] = [("action", action)]
    if let entry { fields.append(("entry", String(entry))) }
    return FormButton(
      localizer.text(key, ["kind": .text("new")]), action: address, token: token,
      fields: fields, kind: kind, icon: icon, object: object)
  }

  // MARK: Prescriptions

  private func card(_ preview: ImportPreview, _ token: FormToken) -> Markup {
    let name = preview.medicineName(in: localizer.language)
    let words = preview.request.map { DosageFormatter($0, language: localizer.language) }
    let quotes = words?.quotes ?? []
    let content: Markup = """
      \(standing(preview))\(sentence(preview, words))\
      \(each: quotes, { "<blockquote>\($0)</blockquote>" })\(times(preview))\
      \(unusualAmounts(preview))\(notes(preview))\(findings(preview))\
      \(actions(preview, token, name))
      """
    return Card(
      title: name
        ?? localizer.text("import.entry", ["number": .number(preview.prescription.number)]),
      level: .third, content
    ).markup
  }

  private func standing(_ preview: ImportPreview) -> Markup {
    switch preview.standing {
    case .new: return Markup()
    case .changes: return text("import.standing-changes")
    case .known(let plan):
      let link = LinkButton(
        localizer.text("import.standing-known"), address: "/medicines/\(plan)", kind: .quiet,
        icon: .check)
      return ButtonRow("\(link)").markup
    case .declined: return text("import.standing-declined")
    case .needsConfirmation:
      guard let question = preview.supply(clock, now: now) else {
        return Notice(.warning, title: localizer.text("questions.waits")).markup
      }
      return Notice(
        .information, title: QuestionText(localizer: localizer).text(.supply(question)),
        "<p>\(localizer.text("questions.supply-waits"))</p>"
      ).markup
    case .refused(let reason):
      return Notice(.error, title: reason.text(localizer)).markup
    }
  }

  private func text(_ key: MessageKey) -> Markup { "<p class=\"muted\">\(localizer.text(key))</p>" }

  private func sentence(_ preview: ImportPreview, _ words: DosageFormatter?) -> Markup {
    guard let words else { return Markup() }
    guard case .changes(let before) = preview.standing else {
      return "<p>\(words.sentence)</p>"
    }
    let old = DosageFormatter(before.request, language: localizer.language)
    return DescriptionList([
      .init(localizer.text("import.before"), old.sentence),
      .init(localizer.text("import.after"), words.sentence),
    ]).markup
  }

  private func times(_ preview: ImportPreview) -> Markup {
    guard let plan = preview.plan else { return Markup() }
    if let reason = plan.unplanned {
      let title = localizer.text(
        "medicines.no-reminders", ["reason": .text(reason.text(localizer))])
      return reason.standsOnToday
        ? Notice(reason == .asNeeded ? .information : .warning, title: title).markup
        : "<p class=\"muted\">\(reason.text(localizer))</p>"
    }
    if !preview.doses.isEmpty {
      return DosesByDay(doses: preview.doses, clock: clock, areStored: false).markup
    }
    guard let first = preview.firstDue else { return Markup() }
    return """
      <p>\(localizer.text("medicines.preview.none-yet", ["when": .text(clock.text(first))]))</p>
      """
  }

  /// Returns warnings about amounts that look like a typing error.
  private func unusualAmounts(_ preview: ImportPreview) -> Markup {
    let words = QuestionText(localizer: localizer)
    let found = preview.request.map { AmountFinding.all(in: $0) } ?? []
    return "\(each: found, { Notice(.warning, title: words.text(.amount($0))).markup })"
  }

  private func notes(_ preview: ImportPreview) -> Markup? {
    let elements = preview.prescription.notes.map(\.element)
    guard !elements.isEmpty else { return nil }
    let list = localizer.text(
      "import.notes", ["elements": .text(localizer.list(Array(elements.prefix(10))))])
    return "<p class=\"small muted\">\(list)</p>"
  }

  private func actions(_ preview: ImportPreview, _ token: FormToken, _ name: String?) -> Markup {
    switch preview.standing {
    case .known, .declined, .refused: return Markup()
    case .new, .changes, .needsConfirmation:
      let entry = preview.prescription.number
      let decline = button(
        "import.decline", "decline", token, kind: .quiet, entry: entry, object: name)
      if let question = preview.supply(clock, now: now) {
        return ButtonRow("\(answers(question, entry, token, name))\(decline)").markup
      }
      let accept = button(
        "import.accept", "accept", token, kind: .secondary, icon: .check, entry: entry,
        object: name)
      return ButtonRow("\(accept)\(decline)").markup
    }
  }

  /// Returns the buttons that accept a prescription with an answer about its supply.
  private func answers(
    _ question: SupplyQuestion, _ entry: Int, _ token: FormToken, _ name: String?
  ) -> Markup {
    let text = QuestionText(localizer: localizer)
    let buttons = SupplyQuestion.Answer.allCases.map { answer in
      FormButton(
        text.text(answer, question), action: address, token: token,
        fields: [
          ("action", "accept"), ("entry", String(entry)),
          (SafetyQuestionFields.supplyField, answer.rawValue),
        ], kind: .secondary, icon: .check, object: name
      ).markup
    }
    return "\(buttons)"
  }

  private var more: Markup? {
    let rest = file.prescriptions.count - previews.count
    guard rest > 0 else { return nil }
    let shown = Set(previews.map(\.prescription.number))
    let behind = file.prescriptions.filter { !shown.contains($0.number) }
      .compactMap { checks.checks[$0.number] }.filter { !$0.isQuiet }
    return """
      <p>\(localizer.text("import.more", ["count": .number(rest)]))</p>\
      <div class="stack">\(each: behind, { findings($0) })</div>
      """
  }

  // MARK: Parts that are not imported

  private var problems: Markup? {
    guard file.problemCount > 0 else { return nil }
    let rows = file.problems.prefix(Self.mostProblems).map { problem -> Markup in
      let entry = localizer.text("import.entry", ["number": .number(problem.number)])
      return "<li><strong>\(entry)</strong> \(problem.reason.text(localizer))</li>"
    }
    let rest = file.problemCount - rows.count
    let more: Markup? =
      rest > 0
      ? "<p>\(localizer.text("import.more-problems", ["count": .number(rest)]))</p>" : nil
    return Section(
      localizer.text("import.problems", ["count": .number(file.problemCount)]),
      "<ul>\(rows)</ul>\(more)"
    ).markup
  }

  private var ignored: Markup? {
    guard !file.ignored.isEmpty else { return nil }
    let types = localizer.list(
      file.ignored.sorted { $0.key < $1.key }.prefix(20).map { "\($0.key) (\($0.value))" })
    return """
      <p class="small muted">\(localizer.text("import.ignored", ["types": .text(types)]))</p>
      """
  }
}

extension ImportFile {
  /// All administrations, including those of its prescriptions.
  var administrationCount: Int {
    prescriptions.reduce(administrations.count) { $0 + $1.administrations.count }
  }
}

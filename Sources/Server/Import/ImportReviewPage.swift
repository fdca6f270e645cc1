// SPDX-License-Identifier: Apache-2.0

import Adherence
import FHIR
import HTML
import Hummingbird
import Localization
import Storage

/// What an uploaded file holds, each prescription as it would be.
struct ImportReviewPage: Sendable {
  let content: ImportReview.Content
  let previews: [ImportPreview]
  let clock: MedicineClock
  /// What was just done: `accepted` or `declined`.
  var done: String?

  private static let mostProblems = 50

  private var localizer: Localizer { clock.localizer }
  private var file: ImportFile { content.file }
  private var address: String { "\(ImportRoutes.path)/\(content.upload)" }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("import.review")
    frame.lead = content.name.isEmpty ? nil : content.name
    frame.place = .medicines
    frame.back = .init(localizer.text("import.another"), address: ImportRoutes.path)
    if let done, ["accepted", "declined"].contains(done) {
      frame.flash = FlashBar(localizer.text("import.done", ["what": .text(done)]))
    }
    let token = call.formToken
    return call.page(
      frame,
      """
      <div class="stack-large">\(person)\(pages)\(together(token))\
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
    return Notice(
      .information, title: whose,
      "<p>\(counts)</p>\(if: !file.dispenses.isEmpty, "<p>\(dispenses)</p>")"
    ).markup
  }

  private var hasSomething: Bool {
    !file.prescriptions.isEmpty || file.administrationCount > 0 || !file.dispenses.isEmpty
  }

  private var pages: Markup? {
    file.hasFurtherPages
      ? Notice(.warning, title: localizer.text("import.further-pages")).markup : nil
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
    let name = preview.plan?.medicineName
    let words = preview.plan.map { DosageWords($0.request, language: localizer.language) }
    let quotes = words?.quotes ?? []
    let content: Markup = """
      \(standing(preview))\(sentence(preview, words))\
      \(each: quotes, { "<blockquote>\($0)</blockquote>" })\(times(preview))\(notes(preview))\
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
    case .refused(let reason):
      return Notice(.error, title: reason.text(localizer)).markup
    }
  }

  private func text(_ key: MessageKey) -> Markup { "<p class=\"muted\">\(localizer.text(key))</p>" }

  private func sentence(_ preview: ImportPreview, _ words: DosageWords?) -> Markup {
    guard let words else { return Markup() }
    guard case .changes(let before) = preview.standing else {
      return "<p>\(words.sentence)</p>"
    }
    let old = DosageWords(before.request, language: localizer.language)
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
    case .new, .changes:
      let entry = preview.prescription.number
      let accept = button(
        "import.accept", "accept", token, kind: .secondary, icon: .check, entry: entry,
        object: name)
      let decline = button(
        "import.decline", "decline", token, kind: .quiet, entry: entry, object: name)
      return ButtonRow("\(accept)\(decline)").markup
    }
  }

  private var more: Markup? {
    let rest = file.prescriptions.count - previews.count
    guard rest > 0 else { return nil }
    return "<p>\(localizer.text("import.more", ["count": .number(rest)]))</p>"
  }

  // MARK: What is not taken over

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
  /// All administrations, those of its prescriptions too.
  var administrationCount: Int {
    prescriptions.reduce(administrations.count) { $0 + $1.administrations.count }
  }
}

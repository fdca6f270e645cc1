// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import HTML
import Hummingbird
import Knowledge
import Localization
import Scheduling
import Storage

/// What speaks against a medicine, in a person's words and with where that comes from.
struct BarLine: Sendable {
  let key: String
  let text: String
  let sources: [Source]
  let mayBeSetAside: Bool

  init(_ bar: PlanBar, _ localizer: Localizer) {
    let handbook = Handbook.shipped
    key = bar.key
    mayBeSetAside = bar.mayBeSetAside
    func statement(_ id: String) -> (text: String, sources: [Source])? {
      handbook.statement(id).map { ($0.text(in: localizer.language), handbook.sources(of: [$0])) }
    }
    switch bar {
    case .age(let bar):
      let found = statement(bar.statement)
      text = found?.text ?? bar.ingredients.joined(separator: ", ")
      sources = found?.sources ?? []
    case .twoProducts(_, let name, let ingredients):
      text = localizer.text(
        "bars.two-products",
        ["name": .text(name), "ingredients": .text(localizer.list(ingredients))])
      sources = statement(PlanBar.twoProductsStatement)?.sources ?? []
    case .strengthWithoutVolume:
      text = localizer.text("bars.strength")
      sources = statement("fever.bottles")?.sources ?? []
    case .dose(let bar):
      let amount = [
        bar.mostVolume.map { ChildWords.millilitres($0.millilitresText, localizer) },
        bar.most.map { ChildWords.milligrams($0.milligramsText, localizer) },
      ].compactMap(\.self).joined(separator: " = ")
      text = localizer.text(
        "bars.table",
        [
          "kind": .text(bar.kind.rawValue), "amount": .text(amount),
          "hours": .number(bar.table.hours), "count": .number(bar.doses),
        ])
      sources = (bar.table.sources + bar.table.daySources).compactMap(handbook.source)
    }
  }

  /// The reason with its sources, as a notice.
  func notice(_ localizer: Localizer) -> Markup {
    let names = sources.map { source in
      let mark = source.facts == .named ? " (\(localizer.text("knowledge.not-read")))" : ""
      return "\(source.id)\(mark)"
    }
    guard !sources.isEmpty else { return Notice(.error, title: text).markup }
    let from = localizer.text(
      "knowledge.from", ["sources": .text(names.joined(separator: ", "))])
    return Notice(
      .error, title: text,
      """
      <p>\(from)</p>\(Disclosure(
        localizer.text("knowledge.sources-count", ["count": .number(sources.count)]), object: text,
        "<ul>\(each: sources, SourceName.line)</ul>"))
      """
    ).markup
  }
}

/// A source by its number and its own name.
enum SourceName {
  static func line(_ source: Source) -> Markup {
    """
    <li><strong>\(source.id)</strong> <span lang="en">\(source.name)</span></li>
    """
  }
}

/// What speaks against what stands in a form, and the note that sets it aside where that may be done.
struct BarFields: PagePart, Sendable {
  static let field = "bar-note"

  let lines: [BarLine]
  let note: String
  let localizer: Localizer

  private var mayBeSetAside: Bool { lines.allSatisfy(\.mayBeSetAside) }

  var markup: Markup {
    """
    \(each: lines, { $0.notice(localizer) })\
    \(if: mayBeSetAside, FormField(
      Self.field, label: localizer.text("bars.note"), kind: .lines(2), value: note,
      hint: localizer.text("bars.note-hint"), error: localizer.text("bars.note-missing"),
      maximumLength: 500, localizer: localizer).markup)\
    \(if: !mayBeSetAside, "<p><strong>\(localizer.text("bars.never"))</strong></p>")
    """
  }

  /// For the summary above the form.
  var errors: [FieldError] {
    lines.map { FieldError(field: mayBeSetAside ? Self.field : "name", message: $0.text) }
  }
}

/// Looks at every medicine that a form would save.
enum MedicineBars {
  /// The draft with what was noted about it, or what must be said before it is saved.
  static func read(
    _ draft: PlanDraft, _ form: FormBody, _ call: Call, patient: String, plan: String?
  ) async throws -> (draft: PlanDraft, bars: BarFields?) {
    let (region, now, zones) = (call.region, call.now, call.environment.zones)
    let found = try await call.environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: now.milliseconds))
      return try PlanBars.of(
        draft, plan: plan, patient: patient,
        subject: try BarSubject.of(patient, region: region, today: today, in: reader),
        today: today, in: reader)
    }
    guard !found.isEmpty else { return (draft, nil) }
    let typed = form.text(BarFields.field) ?? ""
    guard found.allSatisfy(\.mayBeSetAside), (3...500).contains(typed.count) else {
      let localizer = call.localizer
      return (
        draft,
        BarFields(
          lines: found.map { BarLine($0, localizer) }, note: typed, localizer: localizer)
      )
    }
    var noted = draft
    let name = call.signedIn?.account.displayName ?? ""
    noted.barNotes = found.map { BarNote(bar: $0.key, text: typed, by: name, at: now) }
    return (noted, nil)
  }
}

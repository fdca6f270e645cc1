// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import HTML
import Knowledge
import Localization
import Scheduling
import Storage

/// What one medicine does not go with, on its own page.
struct InteractionPart: PagePart {
  let plan: String
  let said: InteractionWords
  let token: FormToken

  private var localizer: Localizer { said.words.localizer }

  var markup: Markup {
    let report = said.checked.report.about(plan)
    var gaps = report
    gaps.silentPairs = 0
    gaps.unlistedAllergies = []
    let none: Markup? =
      report.warnings.isEmpty && report.unlisted.isEmpty
      ? "<p>\(localizer.text("interactions.none"))</p>" : nil
    return Section(
      localizer.text("interactions.heading"), id: "interactions",
      """
      <div class="stack">\(none)\
      \(InteractionCards(
        report: report, said: said, token: token, back: "/medicines/\(plan)#interactions"))\
      \(InteractionGaps(report: gaps, said: said))\
      \(ButtonRow(LinkButton(
        localizer.text("interactions.link"), address: InteractionRoutes.path, icon: .list
      ).markup))</div>
      """
    ).markup
  }

  /// Reads what the page of a medicine shows.
  static func read(
    _ plan: Plan, _ words: DoseWords, _ call: Call, _ signedIn: SignedIn,
    in reader: any SQLReader
  ) throws -> InteractionPart? {
    guard plan.unplanned?.standsOnToday ?? true else { return nil }
    let list = call.environment.interactions.list
    let checked = try InteractionReading.check(
      list, patient: plan.patient, actor: signedIn.actor, now: call.now, zone: words.zone,
      in: reader)
    guard checked.medicines.contains(where: { $0.id == plan.id }) else { return nil }
    return InteractionPart(
      plan: plan.id, said: InteractionWords(checked: checked, list: list, words: words),
      token: call.formToken)
  }
}

/// What to mind when a medicine is stopped.
struct StopAdvice: PagePart {
  let said: InteractionWords
  let plan: String

  var markup: Markup {
    var report = said.checked.report.about(plan)
    report.warnings.removeAll { $0.kind != .advice }
    return InteractionCards(report: report, said: said).markup
  }
}

/// What is shown before a medicine is saved: its warnings, and the question whether they are known.
struct InteractionStep: PagePart, Sendable {
  static let seenField = "warned"
  static let knownField = "doctor-knows"

  let plan: String
  let said: InteractionWords
  /// What the medicine was warned of before it was changed.
  let before: Set<String>
  var person: String?

  private var localizer: Localizer { said.words.localizer }
  private var report: InteractionReport { said.checked.report.about(plan) }

  /// What has to be seen before the medicine is saved.
  var first: [InteractionWarning] {
    report.warnings.filter {
      $0.comesFirst && !before.contains($0.key) && said.checked.notes[$0.key] == nil
    }
  }

  /// Whether all that has to be seen was shown with the form that was sent.
  func isSeen(_ form: FormBody) -> Bool {
    Set(form.all(Self.seenField)).isSuperset(of: first.map(\.key))
  }

  /// The warnings that are said to be known, where the box is ticked.
  func known(_ form: FormBody) -> [String] {
    form.isChecked(Self.knownField) ? first.map(\.key) : []
  }

  var markup: Markup {
    var gaps = report
    gaps.silentPairs = 0
    gaps.unlistedAllergies = []
    guard !report.warnings.isEmpty || !report.unlisted.isEmpty else {
      return "<p>\(localizer.text("interactions.none"))</p>"
    }
    let asks: Markup? =
      first.isEmpty
      ? nil
      : """
      \(each: first, {
        "<input type=\"hidden\" name=\"\(Self.seenField)\" value=\"\($0.key)\">"
      })\
      <p>\(localizer.text("interactions.before-saving"))</p>\
      \(FormField(
        Self.knownField, label: localizer.text("interactions.known-question"),
        kind: .checkboxes([FieldChoice("yes", localizer.text("interactions.i-know"))]),
        isRequired: false, localizer: localizer))\
      \(ButtonRow(Button(
        localizer.text("interactions.save-anyway"), icon: .check, person: person).markup))
      """
    return """
      <section aria-labelledby="interactions-title" class="card stack"><h2 class="card-title" \
      id="interactions-title" tabindex="-1">\(localizer.text("interactions.heading"))</h2>\
      \(InteractionCards(report: report, said: said))\(InteractionGaps(report: gaps, said: said))\
      \(asks)</section>
      """
  }

  /// Checks a medicine as a form has it.
  ///
  /// - Parameter stored: the plan that is changed; nil for a new one.
  static func check(
    _ draft: PlanDraft, plan: String, stored: String?, patient: String, clock: MedicineClock,
    context: CommandContext, list: InteractionList, in database: Database
  ) async throws -> InteractionStep {
    let (now, actor) = (context.now, context.actor)
    let (checked, before) = try await database.read { reader in
      let old =
        stored == nil
        ? nil
        : try InteractionReading.check(
          list, patient: patient, actor: actor, now: now, zone: clock.zone, in: reader)
      // Codes hold as long as the name does.
      let kept = old?.medicines.first { $0.id == plan && $0.name == draft.medicineName }
      let checked = try InteractionReading.check(
        list, patient: patient,
        replacing: kept ?? TakenMedicines.substance(plan: plan, name: draft.medicineName),
        actor: actor, now: now, zone: clock.zone, in: reader)
      return (checked, Set(old?.report.about(plan).warnings.map(\.key) ?? []))
    }
    return InteractionStep(
      plan: plan,
      said: InteractionWords(
        checked: checked, list: list,
        words: DoseWords(localizer: clock.localizer, zone: clock.zone, now: now)),
      before: before)
  }
}

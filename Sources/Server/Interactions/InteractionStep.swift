// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import HTML
import Knowledge
import Localization
import Scheduling
import Storage

/// The warnings that are shown before a medicine is saved or sent, and the question whether they were seen.
struct InteractionStep: PagePart, Sendable {
  /// Whoever decides.
  enum Audience: Sendable {
    /// The person or a guardian, who saves it.
    case person
    /// A practitioner, who sends it and confirms what is severe.
    case prescriber
  }

  static let seenField = "warned"
  static let knownField = "doctor-knows"
  static let confirmedField = "findings-confirmed"

  let check: MedicineCheck
  let said: InteractionWords
  var audience = Audience.person
  var person: String?
  /// Kinds of warnings that the form asked about in another way.
  var asked: Set<InteractionWarning.Kind> = []
  /// True if the form came back without the confirmation.
  var isUnconfirmed = false

  private var localizer: Localizer { said.words.localizer }
  private var report: InteractionReport { check.report }

  /// The warnings that have to be seen first.
  var first: [InteractionWarning] {
    check.questions.filter {
      !asked.contains($0.kind)
        // What the person said of a warning is no word of the practitioner.
        && (audience == .prescriber || said.checked.notes[$0.key] == nil)
    }
  }

  private var asksToConfirm: Bool { audience == .prescriber && !check.severe.isEmpty }

  /// Returns true if everything that has to be seen was shown with the form that was sent.
  func isShown(_ form: FormBody) -> Bool {
    Set(form.all(Self.seenField)).isSuperset(of: first.map(\.key))
  }

  /// Returns true if everything was shown, and confirmed where that is asked.
  func isSeen(_ form: FormBody) -> Bool {
    isShown(form) && (!asksToConfirm || form.isChecked(Self.confirmedField))
  }

  /// The warnings that are said to be known, where the box is ticked.
  func known(_ form: FormBody) -> [String] {
    form.isChecked(Self.knownField) ? first.map(\.key) : []
  }

  var errors: [FieldError] {
    isUnconfirmed && asksToConfirm ? [FieldError(field: Self.confirmedField, message: missing)] : []
  }

  private var missing: String { localizer.text("interactions.confirm-missing") }

  var markup: Markup {
    var gaps = report
    gaps.silentPairs = 0
    gaps.unlistedAllergies = []
    let isQuiet = report.warnings.isEmpty && report.unlisted.isEmpty
    if isQuiet && audience == .person {
      return "<p>\(localizer.text("interactions.none"))</p>"
    }
    let none: Markup? = isQuiet ? "<p>\(localizer.text("interactions.none"))</p>" : nil
    return """
      <section aria-labelledby="interactions-title" class="card stack"><h2 class="card-title" \
      id="interactions-title" tabindex="-1">\(localizer.text("interactions.heading"))</h2>\(none)\
      \(InteractionCards(report: report, said: said))\(InteractionGaps(report: gaps, said: said))\
      \(first.isEmpty ? nil : asks)</section>
      """
  }

  private var asks: Markup {
    """
    \(each: first, {
      "<input type=\"hidden\" name=\"\(Self.seenField)\" value=\"\($0.key)\">"
    })\(audience == .person ? personAsks : prescriberAsks)
    """
  }

  private var personAsks: Markup {
    """
    <p>\(localizer.text("interactions.before-saving"))</p>\
    \(FormField(
      Self.knownField, label: localizer.text("interactions.known-question"),
      kind: .checkboxes([FieldChoice("yes", localizer.text("interactions.i-know"))]),
      isRequired: false, localizer: localizer))\
    \(ButtonRow(Button(
      localizer.text("interactions.save-anyway"), icon: .check, person: person).markup))
    """
  }

  private var prescriberAsks: Markup {
    """
    <p>\(localizer.text("interactions.before-sending"))</p>\
    \(if: asksToConfirm, FormField(
      Self.confirmedField, label: localizer.text("interactions.confirm-question"),
      kind: .checkboxes([
        FieldChoice(
          "yes",
          localizer.text("interactions.confirm", ["count": .number(check.severe.count)]))
      ]),
      error: isUnconfirmed ? missing : nil, localizer: localizer).markup)\
    \(ButtonRow(Button(localizer.text("interactions.send-anyway"), icon: .check).markup))
    """
  }

  /// Checks a medicine as a form has it.
  ///
  /// - Parameter stored: the plan that is changed; nil for a new one.
  static func check(
    _ draft: PlanDraft, plan: String, stored: String?, clock: MedicineClock,
    checker: MedicineChecker, now: Timestamp, in database: Database
  ) async throws -> InteractionStep {
    let check = try await database.read { reader in
      try checker.check(
        IncomingMedicine(id: plan, name: draft.medicineName, isChange: stored != nil), in: reader)
    }
    return InteractionStep(
      check: check,
      said: InteractionWords(
        checked: check.checked, list: checker.list,
        words: DoseWords(localizer: clock.localizer, zone: clock.zone, now: now)))
  }
}

extension Call {
  /// The check of medicines on their way in, for whoever is signed in.
  func medicineChecker(patient: String, actor: Actor, zone: Zone) -> MedicineChecker {
    MedicineChecker(
      list: environment.interactions.list, patient: patient, actor: actor, region: region, now: now,
      zone: zone)
  }
}

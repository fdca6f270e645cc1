// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Identifiers
import Knowledge
import Localization
import Plans
import Prescriptions
import Scheduling
import Storage
import Web

/// The warnings shown before a medicine is saved or sent, with the confirmation that they were
/// seen.
package struct InteractionStep: PagePart, Sendable {
  /// The person who decides about the warnings.
  package enum Audience: Sendable {
    /// The patient or a guardian, who saves it.
    case person
    /// A practitioner, who sends it and confirms severe warnings.
    case prescriber
  }

  /// The form field that holds the keys of the warnings shown.
  package static let seenField = "warned"
  static let knownField = "doctor-knows"
  /// The form field in which a prescriber confirms severe warnings.
  package static let confirmedField = "findings-confirmed"

  /// The check of the medicine against everything else that the person takes.
  package let check: MedicineCheck
  /// The words for the warnings.
  package let said: InteractionText
  /// The person who decides.
  package var audience = Audience.person
  /// The name of the patient for the button; nil if it is not shown.
  package var person: String?
  /// The kinds of warnings that the form has already asked about elsewhere.
  package var asked: Set<InteractionWarning.Kind> = []
  /// True if the form came back without the required confirmation.
  package var isUnconfirmed = false

  /// Creates the step for a checked medicine.
  package init(
    check: MedicineCheck, said: InteractionText, audience: Audience = Audience.person,
    person: String? = nil, asked: Set<InteractionWarning.Kind> = [], isUnconfirmed: Bool = false
  ) {
    self.check = check
    self.said = said
    self.audience = audience
    self.person = person
    self.asked = asked
    self.isUnconfirmed = isUnconfirmed
  }

  private var localizer: Localizer { said.words.localizer }
  private var report: InteractionReport { check.report }

  /// The warnings that must be shown first.
  var first: [InteractionWarning] {
    check.questions.filter {
      !asked.contains($0.kind)
        // A note by the person does not replace the practitioner's confirmation.
        && (audience == .prescriber || said.checked.notes[$0.key] == nil)
    }
  }

  /// True if the section has the button that saves or sends the medicine all the same.
  package var hasButton: Bool { !first.isEmpty }

  private var asksToConfirm: Bool { audience == .prescriber && !check.severe.isEmpty }

  /// Returns true if all warnings were shown with the form that was sent.
  package func isShown(_ form: FormBody) -> Bool {
    Set(form.all(Self.seenField)).isSuperset(of: first.map(\.key))
  }

  /// Returns true if all warnings were shown, and confirmed if that is required.
  package func isSeen(_ form: FormBody) -> Bool {
    isShown(form) && (!asksToConfirm || form.isChecked(Self.confirmedField))
  }

  /// Returns the keys of the warnings marked as known, if the box is ticked.
  package func known(_ form: FormBody) -> [String] {
    form.isChecked(Self.knownField) ? first.map(\.key) : []
  }

  /// The error that the confirmation is missing; empty unless it is required.
  package var errors: [FieldError] {
    isUnconfirmed && asksToConfirm ? [FieldError(field: Self.confirmedField, message: missing)] : []
  }

  private var missing: String { localizer.text("interactions.confirm-missing") }

  /// The section with the warnings and the questions; one sentence for a person if there is nothing
  /// to warn about.
  package var markup: Markup {
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
      \(hasButton ? asks : nil)</section>
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
    \(SaveBar(Button(
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
    \(SaveBar(Button(localizer.text("interactions.send-anyway"), icon: .check).markup))
    """
  }

  /// Checks a medicine as entered in a form.
  ///
  /// - Parameter stored: The plan to change; nil for a new one.
  package static func check(
    _ draft: PlanDraft, plan: PlanID, stored: String?, clock: MedicineClock,
    checker: MedicineChecker, now: Timestamp, in database: Database
  ) async throws -> InteractionStep {
    let check = try await database.read { reader in
      try checker.check(
        IncomingMedicine(id: plan.text, draft: draft, isChange: stored != nil), in: reader)
    }
    return InteractionStep(
      check: check,
      said: InteractionText(
        checked: check.checked, list: checker.list,
        words: DoseFormatter(localizer: clock.localizer, zone: clock.zone, now: now)))
  }
}

extension Call {
  /// Returns the check of incoming medicines for the signed-in account.
  package func medicineChecker(patient: PatientID, actor: Actor, zone: Zone) -> MedicineChecker {
    MedicineChecker(
      list: environment.interactions.list, patient: patient, actor: actor, region: region, now: now,
      zone: zone)
  }
}

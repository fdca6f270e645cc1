// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTML
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Scheduling
import Storage
import Web

/// The confirmation that is required before a proposal with an unusual schedule or amount becomes a
/// plan.
package struct ProposalConfirmation: Sendable {
  /// The questions that the person confirmed; empty if there were none.
  package var confirmed: [PlanConfirmation] = []
  /// The page with the questions; nil once all are answered.
  package var page: Response?

  /// Reads the questions about a proposal and the form's answers.
  ///
  /// - Parameter isAccepting: False for a refusal, which needs no confirmation.
  package static func read(
    _ id: ProposalID, isAccepting: Bool, patient: PatientID, _ form: FormBody, _ call: Call
  ) async throws -> ProposalConfirmation {
    guard isAccepting else { return ProposalConfirmation() }
    let (zones, now) = (call.environment.zones, call.now)
    let found = try await call.environment.database.read { reader in
      guard
        let proposal = try ProposalQueries.open(patient: patient, in: reader)
          .first(where: { $0.id == id })
      else { return nil as (Proposal, [PlanQuestion], SupplyQuestion?)? }
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: now.milliseconds))
      let questions = try PlanQuestion.all(
        proposal.request, subjects: [proposal.plan?.text, proposal.id.text].compactMap(\.self),
        patient: patient, zone: zone,
        rhythm: try PeopleQueries.rhythm(patient, in: reader),
        today: today, in: reader)
      let supply = SupplyQuestion.of(proposal.request, zone: zone, today: today)
      return (proposal, questions, supply)
    }
    guard let (proposal, questions, supply) = found else { return ProposalConfirmation() }
    // A button with an answer counts before what was said earlier.
    let said = form.text(SafetyQuestionFields.supplyField)
      .flatMap(SupplyQuestion.Answer.init(rawValue:))
      .flatMap { answer in supply.map { $0.confirmed(by: answer) } }
    guard !questions.isEmpty else {
      return ProposalConfirmation(confirmed: [said].compactMap(\.self))
    }
    let localizer = call.localizer
    let lines = questions.map { SafetyFinding($0, localizer) }
    if lines.allSatisfy({ SafetyQuestionFields.isAnswered($0, form, localizer) }) {
      return ProposalConfirmation(
        confirmed: [said].compactMap(\.self)
          + questions.map { $0.confirmed(by: QuestionText.answer($0, form)) })
    }
    return ProposalConfirmation(
      page: page(proposal, SafetyQuestionFields(lines, form, localizer), call))
  }

  private static func page(
    _ proposal: Proposal, _ contraindications: SafetyQuestionFields, _ call: Call
  )
    -> Response
  {
    let localizer = call.localizer
    let words = DosageFormatter(proposal.request, language: localizer.language)
    var frame = call.frame()
    frame.title = localizer.text("questions.title")
    frame.lead = proposal.shownName(in: localizer.language)
    frame.place = .today
    frame.hasErrors = true
    let fields: Markup = """
      <p>\(words.sentence)</p><input type="hidden" name="action" value="accept">\(contraindications)
      """
    return call.formPage(
      frame, errors: contraindications.errors, status: .unprocessableContent,
      """
      \(Form(
        action: "/proposals/\(proposal.id)", token: call.formToken, fields: fields,
        buttons: """
          \(Button(
            localizer.text("import.accept", ["kind": .text(proposal.kind.rawValue)]),
            icon: .check, person: call.formToken.personName))\
          \(LinkButton(localizer.text("medicines.form.cancel"), address: "/", kind: .quiet))
          """))
      """)
  }
}

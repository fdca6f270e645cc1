// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Knowledge
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Scheduling
import Storage

/// A preview of a prescription in a file; nothing is saved.
struct ImportPreview: Sendable {
  /// The decision that is needed.
  enum Standing: Sendable, Hashable {
    /// It can be accepted.
    case new
    /// It would change this plan.
    case changes(Plan)
    /// It was accepted before.
    case known(plan: PlanID)
    case declined
    /// It waits on Today for confirmation, since its schedule or amount is unusual.
    case needsConfirmation
    /// It would be refused.
    case refused(ImportProblemReason)
  }

  let prescription: ImportPrescription
  let standing: Standing
  /// The resulting plan; nil if there would be none.
  let plan: Plan?
  /// The first future doses.
  let doses: [Dose]
  let firstDue: Timestamp?
  /// The interaction check of the medicine; nil if there is nothing to decide.
  var check: MedicineCheck?
  /// The prescription as received, if it waits for confirmation.
  var waiting: MedicationRequestView?

  /// Accepts the prescription in a transaction that is then rolled back.
  static func make(
    _ prescription: ImportPrescription, patient: PatientID, clock: MedicineClock,
    context: CommandContext, in database: Database
  ) async throws -> ImportPreview {
    let (known, before) = try await database.read { reader in
      let known = try ProposalQueries.known(prescription, patient: patient, in: reader)
      let before = try ProposalQueries.plan(of: prescription, patient: patient, in: reader)
        .flatMap { try PlanQueries.plan($0, patient: patient, in: reader) }
      return (known, before)
    }
    func decided(_ standing: Standing, _ plan: Plan?) -> ImportPreview {
      ImportPreview(
        prescription: prescription, standing: standing, plan: plan, doses: [], firstDue: nil)
    }
    if let known, known.state == .declined { return decided(.declined, nil) }
    if let known, known.state == .accepted, let before {
      return decided(.known(plan: before.id), before)
    }
    do {
      let trial = try await MedicineTrial.run(
        for: patient, clock: clock, context: context, in: database
      ) { writer in
        let outcome = try ProposalCommands.propose(
          prescription, patient: patient, source: "", accept: true, context: context, in: writer)
        if case .proposed(_, let kind) = outcome, kind != .stopped { throw WaitsForConfirmation() }
        guard let id = outcome.plan,
          let plan = try PlanQueries.plan(id, patient: patient, in: writer)
        else { throw ImportError.notFound }
        return plan
      }
      return ImportPreview(
        prescription: prescription, standing: before.map { .changes($0) } ?? .new,
        plan: trial.plan, doses: trial.doses, firstDue: trial.firstDue)
    } catch is WaitsForConfirmation {
      var preview = decided(.needsConfirmation, nil)
      preview.waiting = (try? prescription.resource(of: patient)).map { MedicationRequestView($0) }
      return preview
    } catch ImportError.problem(let reason) {
      return decided(.refused(reason), nil)
    } catch ImportError.plan(.invalidResource(let issues)) {
      return decided(
        .refused(
          .invalid(
            expression: issues.first?.expression ?? "",
            diagnostics: issues.first?.diagnostics ?? "")), nil)
    } catch ImportError.notFound {
      return decided(before.map { .known(plan: $0.id) } ?? .refused(.refused), before)
    }
  }

  /// Returns the question if the doses end with the supply; nil if there is none, or nothing to decide.
  func supply(_ clock: MedicineClock, now: Timestamp) -> SupplyQuestion? {
    guard standing == .needsConfirmation, let waiting else { return nil }
    return SupplyQuestion.of(waiting, zone: clock.zone, today: clock.day(of: now))
  }

  /// True if it can still be accepted.
  var isOpen: Bool {
    switch standing {
    case .new, .changes, .needsConfirmation: true
    case .known, .declined, .refused: false
    }
  }

  /// The resulting or waiting request; nil if there is nothing to show.
  var request: MedicationRequestView? { plan?.request ?? waiting }

  func medicineName(in language: Language) -> String? {
    plan?.medicineName ?? waiting.map { ShownName.of($0, in: language) }
  }

  /// Rolls back the dry run of a prescription that does not become a plan at once.
  private struct WaitsForConfirmation: Error {}

  /// Returns the preview as JSON, with the sentence in a language.
  func json(_ clock: MedicineClock, list: InteractionList, now: Timestamp) -> JSONValue {
    var json = json(clock)
    PreviewJSON.supply(supply(clock, now: now), clock.localizer, in: &json)
    if isOpen, let check {
      MedicineFindings(
        check, list: list,
        words: DoseFormatter(localizer: clock.localizer, zone: clock.zone, now: now)
      ).write(into: &json)
    }
    return json
  }

  private func json(_ clock: MedicineClock) -> JSONValue {
    var json: JSONValue = ["entry": .number(JSONNumber(prescription.number))]
    switch standing {
    case .new: json["standing"] = "new"
    case .changes(let plan):
      json["standing"] = "changes"
      json["plan"] = .string(plan.id.text)
    case .known(let plan):
      json["standing"] = "known"
      json["plan"] = .string(plan.text)
    case .declined: json["standing"] = "declined"
    case .needsConfirmation: json["standing"] = "needs-confirmation"
    case .refused(let reason):
      json["standing"] = "refused"
      json["reason"] = .string(reason.code)
    }
    guard let request, let name = medicineName(in: clock.localizer.language) else { return json }
    PreviewJSON.name(name, request, clock, in: &json)
    if let plan { PreviewJSON.ring(plan, doses: doses, firstDue: firstDue, clock, in: &json) }
    PreviewJSON.unusualAmounts(AmountFinding.all(in: request), clock.localizer, in: &json)
    return json
  }
}

/// The members that all previews share in the JSON API.
package enum PreviewJSON {
  /// Returns the medicine and its sentence in the clock's language, with the sender's text.
  static func name(
    _ medicine: String, _ request: MedicationRequestView, _ clock: MedicineClock,
    in json: inout JSONValue
  ) {
    let words = DosageFormatter(request, language: clock.localizer.language)
    json["medicine"] = .string(medicine)
    json["sentence"] = .string(words.sentence)
    if !words.quotes.isEmpty { json["text"] = .array(words.quotes.map { .string($0) }) }
  }

  /// Adds the sentences about unusual amounts as `unusualAmounts`; adds nothing if there are none.
  package static func unusualAmounts(
    _ found: [AmountFinding], _ localizer: Localizer, in json: inout JSONValue
  ) {
    if found.isEmpty { return }
    let words = QuestionText(localizer: localizer)
    json["unusualAmounts"] = .array(found.map { .string(words.text(.amount($0))) })
  }

  /// Adds the question if the doses end with the supply as `supply`; adds nothing if there is none.
  static func supply(
    _ question: SupplyQuestion?, _ localizer: Localizer, in json: inout JSONValue
  ) {
    guard let question else { return }
    json["supply"] = [
      "question": .string(QuestionText(localizer: localizer).text(.supply(question))),
      "lastDay": .string(question.lastDay.text),
      "answers": .array(SupplyQuestion.Answer.allCases.map { .string($0.rawValue) }),
    ]
  }

  /// Returns the next times, or the reason that it has no reminders.
  static func ring(
    _ plan: Plan, doses: [Dose], firstDue: Timestamp?, _ clock: MedicineClock,
    in json: inout JSONValue
  ) {
    if let reason = plan.unplanned { json["unplanned"] = .string(reason.code) }
    let next = doses.prefix(3).map(\.due) + (doses.isEmpty ? [firstDue].compactMap(\.self) : [])
    if next.isEmpty { return }
    let writer = DoseJSON(zone: clock.zone)
    json["next"] = .array(next.map { .string(writer.text($0)) })
  }
}

extension ImportOutcome {
  /// The plan that it became or changed.
  var plan: PlanID? {
    switch self {
    case .accepted(let plan), .stopped(let plan), .ended(let plan): plan
    case .proposed, .unchanged, .ignored: nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Adherence
import FHIR
import Localization
import Scheduling
import Storage

/// A prescription of a file as it would be here; nothing of it is kept.
struct ImportPreview: Sendable {
  /// What there is to decide.
  enum Standing: Sendable, Hashable {
    /// It can be taken over.
    case new
    /// It would change this plan.
    case changes(Plan)
    /// It was taken over before.
    case known(plan: String)
    case declined
    /// It would be refused.
    case refused(ImportProblemReason)
  }

  let prescription: ImportPrescription
  let standing: Standing
  /// The plan that it would be; nil where it would be none.
  let plan: Plan?
  /// The first doses to come.
  let doses: [Dose]
  let firstDue: Timestamp?

  private struct Trial: Error {
    let plan: Plan
    let doses: [Dose]
    let firstDue: Timestamp?
  }

  /// Takes the prescription over in a transaction that is then given up.
  static func make(
    _ prescription: ImportPrescription, patient: String, clock: MedicineClock,
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
      try await database.write { (writer) throws -> Void in
        let outcome = try ProposalCommands.propose(
          prescription, patient: patient, source: "", accept: true, context: context, in: writer)
        guard let id = outcome.plan,
          let plan = try PlanQueries.plan(id, patient: patient, in: writer)
        else { throw ImportError.notFound }
        let upcoming = try MedicineReading.upcoming(
          plan, patient: patient, days: 3, clock: clock, now: context.now, zones: context.zones,
          in: writer)
        throw Trial(plan: plan, doses: upcoming.doses, firstDue: upcoming.firstDue)
      }
    } catch let trial as Trial {
      return ImportPreview(
        prescription: prescription, standing: before.map { .changes($0) } ?? .new,
        plan: trial.plan, doses: trial.doses, firstDue: trial.firstDue)
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
    return decided(.refused(.refused), nil)
  }

  /// The preview as a program reads it, with the sentence in a language.
  func json(_ clock: MedicineClock) -> JSONValue {
    var json: JSONValue = ["entry": .number(JSONNumber(prescription.number))]
    switch standing {
    case .new: json["standing"] = "new"
    case .changes(let plan):
      json["standing"] = "changes"
      json["plan"] = .string(plan.id)
    case .known(let plan):
      json["standing"] = "known"
      json["plan"] = .string(plan)
    case .declined: json["standing"] = "declined"
    case .refused(let reason):
      json["standing"] = "refused"
      json["reason"] = .string(reason.code)
    }
    guard let plan else { return json }
    let words = DosageWords(plan.request, language: clock.localizer.language)
    json["medicine"] = .string(plan.medicineName)
    json["sentence"] = .string(words.sentence)
    if !words.quotes.isEmpty { json["text"] = .array(words.quotes.map { .string($0) }) }
    if let reason = plan.unplanned { json["unplanned"] = .string(reason.code) }
    let next = doses.prefix(3).map(\.due) + (doses.isEmpty ? [firstDue].compactMap(\.self) : [])
    if !next.isEmpty {
      json["next"] = .array(
        next.map { due in
          .string(
            FHIRDateTime.instantText(
              milliseconds: due.milliseconds,
              offsetMinutes: clock.zone.offsetSeconds(
                at: .init(milliseconds: due.milliseconds)) / 60))
        })
    }
    return json
  }
}

extension ImportOutcome {
  /// The plan that it became or changed.
  var plan: String? {
    switch self {
    case .accepted(let plan), .stopped(let plan), .ended(let plan): plan
    case .proposed, .unchanged, .ignored: nil
    }
  }
}

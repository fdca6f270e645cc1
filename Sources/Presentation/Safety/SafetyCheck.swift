// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Identifiers
import Knowledge
import Localization
import People
import Plans
import Prescriptions
import Scheduling
import Storage
import Web

/// Checks every medicine before a form saves it.
package enum SafetyCheck {
  /// Returns the draft with its notes and confirmations, or the fields for the answers still
  /// missing.
  ///
  /// - Parameter plan: The plan to change; nil for a new one.
  package static func read(
    _ draft: PlanDraft, _ form: FormBody, _ call: Call, patient: PatientID, plan: PlanID?
  ) async throws -> (draft: PlanDraft, contraindications: SafetyQuestionFields?) {
    let (region, now, zones) = (call.region, call.now, call.environment.zones)
    let (contraindications, questions) = try await call.environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: now.milliseconds))
      let contraindications = try PlanContraindications.of(
        draft, plan: plan, patient: patient,
        subject: try ContraindicationSubject.of(patient, region: region, today: today, in: reader),
        today: today, in: reader)
      let questions = try PlanQuestion.all(
        draft, plan: plan, patient: patient, zone: zone,
        rhythm: try PeopleQueries.rhythm(patient, in: reader), today: today, in: reader)
      return (contraindications, questions)
    }
    guard !contraindications.isEmpty || !questions.isEmpty else { return (draft, nil) }
    let localizer = call.localizer
    let lines =
      questions.map { SafetyFinding($0, localizer) }
      + contraindications.map { SafetyFinding($0, localizer) }
    guard lines.allSatisfy({ SafetyQuestionFields.isAnswered($0, form, localizer) }) else {
      return (draft, SafetyQuestionFields(lines, form, localizer))
    }
    var noted = draft
    let name = call.signedIn?.account.displayName ?? ""
    let typed = form.text(SafetyQuestionFields.field) ?? ""
    noted.contraindicationNotes = contraindications.map {
      ContraindicationNote(contraindication: $0.key, text: typed, by: name, at: now)
    }
    noted.confirmations = questions.map { $0.confirmed(by: QuestionText.answer($0, form)) }
    return (noted, nil)
  }
}

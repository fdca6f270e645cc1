// SPDX-License-Identifier: Apache-2.0

import Accounts
import Dosing
import Encodings
import HealthData
import Identifiers
import People
import Storage
import Web

/// Records the taken and skipped medicines that a phone reports.
package struct PostedMedicines: Sendable {
  /// The server whose database is written.
  package let environment: ServerEnvironment
  /// The patient who took or skipped the medicines.
  package let patient: PatientID
  /// The account on whose behalf they are recorded, and the current time.
  package let context: CommandContext

  /// Creates a recorder for one patient.
  package init(environment: ServerEnvironment, patient: PatientID, context: CommandContext) {
    self.environment = environment
    self.patient = patient
    self.context = context
  }

  /// Records one medicine; returns nil, or the code of the problem that prevented it.
  ///
  /// The same dose reported again changes nothing: its event identifier is derived from the
  /// patient, the name of the medicine and the time.
  package func take(_ medication: PostedMedication) async throws -> String? {
    guard let taken = medication.taken else { return "status" }
    guard let at = medication.at else { return VitalProblem.date.rawValue }
    guard !medication.name.isEmpty else { return "medicine" }
    let time = Timestamp(milliseconds: at.seconds * 1_000)
    if time > context.now { return VitalProblem.future.rawValue }
    let request = AdministrationRequest(
      patient: patient, medicine: medication.name, at: time, taken: taken,
      event: event(medication.name, at.seconds), confirm: true)
    let context = context
    do {
      _ = try await environment.database.write { writer in
        try IntakeCommands.record(request, context: context, in: writer)
      }
      return nil
    } catch let error as AnswerError {
      if case .storage = error { throw error }
      return "refused"
    }
  }

  /// Returns an event identifier that is the same for each report of a dose.
  private func event(_ name: String, _ seconds: Int64) -> String {
    let digest = Fingerprint.digest(of: Array("\(patient)\n\(name)\n\(seconds)".utf8))
    let digits = Hexadecimal.encode(digest.prefix(16))
    let parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)].map { start, end in
      String(Array(digits)[start..<end])
    }
    return parts.joined(separator: "-")
  }
}

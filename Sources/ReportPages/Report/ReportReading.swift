// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Observations
import Records
import Scheduling
import Statistics
import Storage
import Web

/// Reads a report for those who may see it, and audits each part.
struct ReportReading: Sendable {
  private let actor: Actor
  private let patient: PatientID
  private let doses: Authorization
  private let vitals: Authorization?
  /// The permission to compare medicines with measures, of which those of the heart rate or of the diary may be hidden.
  private let measures: Authorization?
  private let allergies: SearchAuthorization?

  /// Checks what may be seen.
  ///
  /// A report is made to leave the server, so it requires the right to export.
  /// - Throws: The reason that doses and medicines cannot be seen or exported.
  init(_ actor: Actor, patient: PatientID, purpose: Purpose) throws {
    self.actor = actor
    self.patient = patient
    func reading(_ resource: String, _ action: Access.Action = .read) -> Decision {
      decide(
        actor: actor, action: action, patient: patient, resource: resource, purpose: purpose)
    }
    if case .deny(let reason) = reading("Dose", .export) { throw reason }
    if case .deny(let reason) = reading("MedicationRequest") { throw reason }
    switch reading("Dose") {
    case .allow(let authorization): doses = authorization
    case .deny(let reason): throw reason
    }
    if case .allow(let authorization) = reading(VitalCommands.resource) {
      vitals = authorization
    } else {
      vitals = nil
    }
    let comparing = decide(
      actor: actor, action: .read, patient: patient, resource: VitalCommands.resource,
      purpose: purpose, part: .either)
    if case .allow(let authorization) = comparing {
      measures = authorization
    } else {
      measures = nil
    }
    let searching = decideSearch(
      actor: actor, resource: "AllergyIntolerance", patient: patient, purpose: purpose)
    if case .allow(let authorization) = searching {
      allergies = authorization
    } else {
      allergies = nil
    }
  }

  func content(
    from first: CivilDate, to last: CivilDate, _ environment: ServerEnvironment, now: Timestamp,
    in reader: any SQLReader
  ) throws -> ReportContent {
    try ReportContent.load(
      patient, from: first, to: last,
      reach: .init(
        vitals: vitals == nil ? nil : actor.observations(of: patient), allergies: allergies),
      now: now,
      zones: environment.zones, in: reader)
  }

  /// Returns the chosen comparisons of medicines with measures; none if measures may not be seen.
  func effects(
    _ choices: [ReportEffectChoice], of content: ReportContent, in reader: any SQLReader
  ) throws -> [ReportEffect] {
    guard measures != nil, let part = actor.observations(of: patient), !choices.isEmpty else {
      return []
    }
    return try ReportEffect.load(choices, of: content, patient: patient, part: part, in: reader)
  }

  /// Audits the view.
  func note(_ content: ReportContent, _ environment: ServerEnvironment) async throws {
    try await environment.audit(
      doses, count: max(1, content.statistics.total.counts.planned), at: content.now)
    if let vitals {
      try await environment.audit(
        vitals, count: max(1, content.vitals?.weeks.count ?? 0), at: content.now)
    }
    if vitals == nil, let measures {
      try await environment.audit(measures, count: 1, at: content.now)
    }
    if let allergies {
      try await environment.readAudit.note(
        allergies, patients: [patient], count: max(1, content.allergies?.count ?? 0),
        at: content.now, in: environment.database)
    }
  }

  /// Audits the export, before any of it is sent.
  func noteExport(_ environment: ServerEnvironment, at now: Timestamp) async throws {
    let entry = AuditEntry(
      at: now, actor: actor.accountID, kind: .export, patient: patient, resource: "Dose",
      purpose: doses.purpose.rawValue)
    try await environment.database.write { $0.audit(entry) }
  }
}

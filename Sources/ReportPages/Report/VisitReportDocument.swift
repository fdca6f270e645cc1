// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Identifiers
import Localization
import People
import Statistics
import Storage
import Web

/// The report for a visit as a FHIR document, for the FHIR API.
package enum VisitReportDocument {
  /// Returns the Bundle with the report of the given days in the patient's language; nil if the days are no dates in
  /// order, at most ten years apart.
  ///
  /// Access is checked, and the export is audited before this returns.
  ///
  /// - Parameters:
  ///   - id: The id of the Composition; nil for none.
  ///   - first: The first day, such as `2026-03-01`; nil for the earliest possible or, if there is no last day, for 30
  ///     days.
  ///   - last: The last day; nil for today.
  package static func json(
    of patient: PatientID, id: String?, first: String?, last: String?, _ call: Call,
    _ signedIn: SignedIn
  ) async throws -> JSONValue? {
    let reading = try ReportReading(
      signedIn.actor, patient: patient, purpose: signedIn.actor.purpose(with: patient))
    var fields: [FormPair] = []
    if let first { fields.append(FormPair(name: "from", value: first)) }
    if let last { fields.append(FormPair(name: "until", value: last)) }
    let days = fields
    let environment = call.environment
    let now = call.now
    let found = try await environment.database.read { reader -> (ReportContent, Language?)? in
      let period = try ReportRoutes.period(
        days, patient: patient, environment, now: now, in: reader)
      guard period.mistakes.isEmpty else { return nil }
      return (
        try reading.content(
          from: period.first, to: period.last, environment, now: now, in: reader),
        try PeopleQueries.language(patient, in: reader)
      )
    }
    guard let (content, language) = found else { return nil }
    try await reading.noteExport(environment, at: now)
    let localizer = language.map { Localizer.of($0) } ?? call.localizer
    return ReportBundle(
      content: content, patient: patient,
      document: ReportWriter(content: content, localizer: localizer).document,
      localizer: localizer, baseURL: call.baseURL, newIdentifier: environment.newIdentifier,
      id: id
    ).json
  }
}

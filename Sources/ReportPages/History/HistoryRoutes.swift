// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Hummingbird
import Identifiers
import Localization
import People
import Plans
import Presentation
import Scheduling
import Statistics
import Storage
import Web

/// The history over all medicines, as a page and as files.
package enum HistoryRoutes {
  /// The routes of the page, the CSV file and the FHIR Bundle.
  package static let all: [Route] = [
    .page(.get, "/history", page),
    .page(.get, "/history.csv", spreadsheet),
    .page(.get, "/history.json", bundle),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "Dose", of: patient)
    let environment = call.environment
    let (now, localizer) = (call.now, call.localizer)
    let fields = call.queryFields
    let page = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let words = DoseFormatter(localizer: localizer, zone: zone, now: now)
      let input = HistoryInput(fields, today: words.today)
      let (range, mistakes) = input.read(today: words.today)
      let end = fields.first { $0.name == "to" }.flatMap { CivilDate(text: $0.value) }
      let skipped = HistoryPlace.skipped(fields.first { $0.name == "skip" }?.value)
      let part = try HistoryReading.part(
        range.filter, patient: patient, from: range.first, until: range.last, end: end,
        skipped: skipped, zone: zone, now: now, in: reader)
      let bounds = instants(of: range, zone: zone)
      let counts = try HistoryQueries.counts(
        HistoryFilter(plan: range.filter.plan), patient: patient, from: bounds.from,
        until: bounds.until, now: now, in: reader)
      let earliest = try HistoryQueries.moment(
        1, from: bounds.from, until: bounds.until, HistoryFilter(plan: range.filter.plan),
        patient: patient, now: now, in: reader)
      return HistoryPage(
        input: input, mistakes: mistakes, range: range,
        medicines: try PlanQueries.names(patient: patient, in: reader).map {
          FieldChoice($0.plan.text, $0.name)
        },
        counts: counts,
        first: range.first ?? earliest.map { words.local($0).date } ?? range.last, part: part,
        words: words, reader: signedIn.account.displayName,
        mayExport: (try? call.authorizeExport("Dose", of: patient)) != nil)
    }
    try await environment.audit(authorization, count: page.part.entries.count, at: now)
    return page.response(call)
  }

  private static func spreadsheet(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    let export = try await export(call, signedIn, of: "Dose")
    return HistoryCSV(export: export, localizer: call.localizer).response
  }

  private static func bundle(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let export = try await export(call, signedIn, of: "MedicationAdministration")
    let requests = try call.authorizeExport("MedicationRequest", of: export.patient)
    return HistoryBundle(
      export: export, requests: requests, baseURL: call.baseURL
    ).response
  }

  /// Reads the requested part and audits the export before any of it is sent.
  private static func export(
    _ call: Call, _ signedIn: SignedIn, of resource: String
  ) async throws -> HistoryExport {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorizeExport(resource, of: patient)
    let environment = call.environment
    let now = call.now
    let zone = try await environment.database.read { reader in
      try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
    }
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    let (range, mistakes) = HistoryInput(call.queryFields, today: today).read(today: today)
    guard mistakes.isEmpty else {
      throw Failure.badRequest("value", "from and until must be dates such as 2026-03-01.")
    }
    let bounds = instants(of: range, zone: zone)
    try await environment.database.write { writer in
      writer.audit(
        AuditEntry(
          at: now, actor: authorization.actor.accountID, kind: .export, patient: patient,
          resource: resource, purpose: authorization.purpose.rawValue))
    }
    return HistoryExport(
      filter: range.filter, patient: patient, from: bounds.from, until: bounds.until, now: now,
      zone: zone, authorization: authorization, environment: environment)
  }

  private static func instants(
    of range: HistoryRange, zone: Zone
  ) -> (from: Timestamp, until: Timestamp) {
    (
      range.first.map { Timestamp(milliseconds: zone.startOfDay($0).milliseconds) }
        ?? Timestamp(milliseconds: .min),
      Timestamp(milliseconds: zone.startOfDay(range.last.adding(days: 1)).milliseconds)
    )
  }
}

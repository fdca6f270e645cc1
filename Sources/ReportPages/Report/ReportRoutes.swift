// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import NIOCore
import People
import Presentation
import Scheduling
import SiteMap
import Statistics
import Storage
import Web

/// The report for a visit, as a page and as files.
package enum ReportRoutes {
  /// The routes of the person's own report, and of those that a practitioner sees.
  package static let all: [Route] =
    [
      .page(.get, Address.report, page),
      .page(.get, "\(Address.report).pdf", paper),
      .page(.get, "\(Address.report).csv", table),
      .page(.get, "\(Address.report).json", bundle),
    ] + PatientReportRoutes.all

  static let wrongDays = Failure.badRequest(
    "value", "from and until must be dates such as 2026-03-01, at most ten years apart.")

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let reading = try reading(call, signedIn)
    let patient = call.patient(of: signedIn)
    let mayShare =
      call.formToken.mayAct
      && (try? call.authorize(.create, ReportLinkRoutes.resource, of: patient)) != nil
    let environment = call.environment
    let (now, fields) = (call.now, call.queryFields)
    let (content, period, effects, links, makers) = try await environment.database.read { reader in
      let period = try Self.period(fields, patient: patient, environment, now: now, in: reader)
      let links =
        mayShare ? try ReportLinks.all(of: patient, at: now, in: reader) : []
      let content = try reading.content(
        from: period.first, to: period.last, environment, now: now, in: reader)
      return (
        content, period, try reading.effects(period.effects, of: content, in: reader), links,
        try environment.accounts.displayNames(of: Set(links.map(\.account)), in: reader)
      )
    }
    try await reading.note(content, environment)
    return ReportPage(
      content: content, period: period, links: links, makers: makers, mayShare: mayShare,
      effects: effects
    ).response(call)
  }

  private static func paper(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let exported = try await export(call, signedIn)
    return try await file(exported.content, effects: exported.effects, call.localizer)
  }

  private static func table(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let content = try await export(call, signedIn).content
    let text = ReportCSV(content: content, localizer: call.localizer).text
    let name = "report.csv"  // not a message
    return HistoryExport.file(name, mediaType: "text/csv; charset=utf-8; header=present") { sink in
      try await sink.write(ByteBuffer(string: text))
    }
  }

  private static func bundle(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (content, effects, patient) = try await export(call, signedIn)
    let bundle = ReportBundle(
      content: content, patient: patient,
      document: ReportWriter(
        content: content, localizer: call.localizer, effects: effects
      ).document,
      localizer: call.localizer, baseURL: call.baseURL,
      newIdentifier: call.environment.newIdentifier)
    let bytes = bundle.json.bytes
    let name = "report.json"  // not a message
    return HistoryExport.file(name, mediaType: "application/fhir+json; charset=utf-8") { sink in
      try await sink.write(ByteBuffer(bytes: bytes))
    }
  }

  /// Reads the requested report and audits the export before any of it is sent.
  private static func export(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> (content: ReportContent, effects: [ReportEffect], patient: PatientID) {
    let reading = try reading(call, signedIn)
    let patient = call.patient(of: signedIn)
    let environment = call.environment
    let (now, fields) = (call.now, call.queryFields)
    let (content, effects) = try await environment.database.read { reader in
      let period = try Self.period(fields, patient: patient, environment, now: now, in: reader)
      guard period.mistakes.isEmpty else { throw wrongDays }
      let content = try reading.content(
        from: period.first, to: period.last, environment, now: now, in: reader)
      return (content, try reading.effects(period.effects, of: content, in: reader))
    }
    try await reading.noteExport(environment, at: now)
    return (content, effects, patient)
  }

  /// Typesetting takes a while, so it runs on its own thread.
  static func file(
    _ content: ReportContent, effects: [ReportEffect] = [], _ localizer: Localizer
  ) async throws -> Response {
    let paper = ReportPaper(
      document: ReportWriter(
        content: content, localizer: localizer, effects: effects
      ).document,
      localizer: localizer,
      created: FHIRDateTime.instantText(
        milliseconds: content.now.milliseconds, offsetMinutes: 0))
    let bytes = try await offThePool { try paper.bytes() }
    let name = "report.pdf"  // not a message
    return HistoryExport.file(name, mediaType: "application/pdf") { sink in
      try await sink.write(ByteBuffer(bytes: bytes))
    }
  }

  private static func reading(_ call: Call, _ signedIn: SignedIn) throws -> ReportReading {
    let patient = call.patient(of: signedIn)
    return try ReportReading(
      signedIn.actor, patient: patient, purpose: signedIn.actor.purpose(with: patient))
  }

  static func period(
    _ fields: [FormPair], patient: PatientID, _ environment: ServerEnvironment, now: Timestamp,
    in reader: any SQLReader
  ) throws -> ReportPeriod {
    let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
    var fields = fields
    if !fields.contains(where: { $0.name == "effect" }) {
      fields += try ReportEffectChoice.kept(of: patient, in: reader)
    }
    return ReportPeriod(fields, today: zone.date(at: Instant(milliseconds: now.milliseconds)))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Localization
import Presentation
import SiteMap
import Statistics
import Storage
import Web

/// A patient's report for a practitioner who cares for the patient.
package enum PatientReportRoutes {
  static let all: [Route] = [
    .page(.get, "\(Address.careTeam)/:patient/report", page),
    .page(.get, "\(Address.careTeam)/:patient/report.pdf", paper),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.open(call, signedIn)
    let (content, effects, period, reading) = try await read(call, access)
    try await reading.note(content, call.environment)
    var frame = call.careFrame(signedIn)
    frame.lead = access.name
    frame.back = .init(access.name, address: access.address)
    return ReportPage(
      content: content, period: period, links: [], mayShare: false,
      effects: effects, charts: "\(access.address)/charts", path: "\(access.address)/report",
      files: [("report.pdf", "pdf")]
    ).response(call, frame)
  }

  private static func paper(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.open(call, signedIn)
    let (content, effects, period, reading) = try await read(call, access)
    guard period.mistakes.isEmpty else { throw ReportRoutes.wrongDays }
    try await reading.noteExport(call.environment, at: call.now)
    return try await ReportRoutes.file(content, effects: effects, call.localizer)
  }

  private static func read(
    _ call: Call, _ access: PractitionerAccess
  ) async throws -> (ReportContent, [ReportEffect], ReportPeriod, ReportReading) {
    let reading = try ReportReading(
      access.authorize(.read, "Patient").actor, patient: access.patient, purpose: .care)
    let environment = call.environment
    let (now, fields) = (call.now, call.queryFields)
    let (content, effects, period) = try await environment.database.read { reader in
      let period = try ReportRoutes.period(
        fields, patient: access.patient, environment, now: now, in: reader)
      let content = try reading.content(
        from: period.first, to: period.last, environment, now: now, in: reader)
      return (content, try reading.effects(period.effects, of: content, in: reader), period)
    }
    return (content, effects, period, reading)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import People
import Presentation
import SiteMap
import Storage
import Web

/// The pages about a person's rights to their data: the access log, a copy of everything, and
/// erasure.
package enum PrivacyRoutes {
  /// The routes of these pages.
  package static let all: [Route] =
    [
      .page(.get, Address.privacy, overview),
      .page(.get, accessLogPath, accessLog),
      .form(exportPath, ExportCommands.download).after(.recent, from: Address.privacy),
    ] + ErasureRoutes.all

  static let accessLogPath = "/privacy/access-log"
  static let exportPath = "/privacy/export"
  static let erasePath = "/privacy/erase"
  private static let linesOnPage = 40

  private static func overview(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard call.person?.mayAct ?? true else { return call.redirect(to: Address.people) }
    _ = try call.authorize(.read, "AuditEvent", of: call.patient(of: signedIn))
    return PrivacyPage().response(call)
  }

  private static func accessLog(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "AuditEvent", of: patient)
    let environment = call.environment
    let (now, localizer) = (call.now, call.localizer)
    let before = call.queryValue("before").flatMap(AccessLogPlace.parse)
    let page = try await environment.database.read { reader in
      var query = AuditQuery(patient: patient)
      query.after = before
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      return AccessLogPage(
        part: try AccessLogPart.read(
          query, limit: linesOnPage, accounts: environment.accounts, in: reader),
        words: DoseFormatter(localizer: localizer, zone: zone, now: now),
        reader: signedIn.account.id, isFirst: before == nil)
    }
    try await environment.audit(authorization, count: page.part.events.count, at: now)
    return page.response(call)
  }
}

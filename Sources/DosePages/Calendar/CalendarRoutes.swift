// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import Encodings
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Logging
import NIOCore
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// A person's calendar: a page, files, and feeds at secret addresses for calendar programs.
package enum CalendarRoutes {
  static let filePath = "/calendar.ics"

  /// The routes of the calendar; the feed needs no sign-in.
  package static let all: [Route] = [
    .page(.get, Address.calendar, CalendarPage.page),
    .form(Address.calendar, CalendarPage.change),
    .page(.get, filePath, download),
    .open(.get, "/calendar/:link", feed),
  ]

  /// Returns the path of a feed, from the root of the server.
  static func address(_ secret: Secret) -> String { "\(Address.calendar)/\(secret.text).ics" }

  /// Returns the feed at a secret address, while its account may see the doses.
  @Sendable private static func feed(_ call: Call) async throws -> Response {
    let link = try call.parameter("link")
    let secret = Secret(text: link.hasSuffix(".ics") ? String(link.dropLast(4)) : link)
    let environment = call.environment
    let (accounts, now) = (environment.accounts, call.now)
    let found = try await environment.database.read { reader -> Found? in
      guard
        let feed = try CalendarFeeds.feed(
          by: secret, cipher: accounts.cipher, at: now, in: reader),
        let account = try accounts.account(feed.account, in: reader)
      else { return nil }
      let rights = try accounts.rights(of: account.id, at: now, in: reader)
      guard let right = rights[feed.patient] else { return nil }
      let actor = Actor(
        accountID: account.id, kind: .token, rights: [feed.patient: right], scope: .own)
      let decision = decide(
        actor: actor, action: .read, patient: feed.patient, resource: "Dose", purpose: .care)
      guard case .allow(let authorization) = decision else { return nil }
      let calendar = try document(
        feed.patient, kind: .events, namesMedicine: feed.namesMedicine,
        isLabelled: rights.count > 1, language: account.language ?? .en, call, in: reader)
      return Found(feed: feed, authorization: authorization, calendar: calendar)
    }
    // The answer does not reveal whether a link is unknown or dead.
    guard let found else { throw Failure.notFound }
    // The last free space is for reminders.
    if CalendarFeeds.isToNote(found.feed, at: now), !environment.disk.isShort {
      do {
        try await environment.database.write { writer in
          try CalendarFeeds.note(found.feed, at: now, in: writer)
        }
      } catch StorageError.diskFull {
        // The doses matter more than the audit entry for reading them.
        environment.logger.warning("the disk is full: a calendar fetch was not recorded")
      }
    }
    try await environment.audit(
      found.authorization, count: found.calendar.events.count, at: now)
    let bytes = found.calendar.bytes
    var headers: HTTPFields = [
      .contentType: "text/calendar; charset=utf-8", .cacheControl: "no-store",
      // Calendars keep their last copy; the ETag saves fetching the same content again.
      .eTag: "\"\(Base64URL.encode(Array(Fingerprint.digest(of: bytes).prefix(18))))\"",
    ]
    let known = call.request.headers[.ifNoneMatch] ?? ""
    if known.split(separator: ",").contains(where: { tag in
      tag.drop { $0 == " " || $0 == "W" || $0 == "/" } == headers[.eTag] ?? ""
    }) {
      headers[.contentType] = nil
      return Response(status: .notModified, headers: headers)
    }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private struct Found: Sendable {
    let feed: CalendarFeed
    let authorization: Authorization
    let calendar: ICalendar
  }

  /// Returns the same content as a file: appointments or tasks.
  private static func download(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorizeExport("Dose", of: patient)
    let kind = call.queryValue("as").flatMap(ICalendar.Kind.init(rawValue:)) ?? .events
    let names = call.queryValue("names") == "yes"
    let environment = call.environment
    let now = call.now
    let calendar = try await environment.database.write { writer in
      writer.audit(
        AuditEntry(
          at: now, actor: authorization.actor.accountID, kind: .export, patient: patient,
          resource: "Dose", purpose: authorization.purpose.rawValue))
      return try document(
        patient, kind: kind, namesMedicine: names,
        isLabelled: signedIn.actor.rights.count > 1, language: call.language, call, in: writer)
    }
    let name = kind == .events ? "medicines.ics" : "medicine-tasks.ics"  // not a message
    let bytes = calendar.bytes
    return HistoryExport.file(name, mediaType: "text/calendar; charset=utf-8") { sink in
      try await sink.write(ByteBuffer(bytes: bytes))
    }
  }

  private static func document(
    _ patient: PatientID, kind: ICalendar.Kind, namesMedicine: Bool, isLabelled: Bool,
    language: Language, _ call: Call, in reader: any SQLReader
  ) throws -> ICalendar {
    let ahead = try CalendarEvents.ahead(
      patient, now: call.now, language: language, zones: call.environment.zones, in: reader)
    let named = isLabelled ? try PeopleQueries.named([patient], in: reader)[patient] : nil
    return ICalendar(
      events: ahead.events, zone: ahead.zone, kind: kind,
      label: named?.label.text(of: named?.name ?? "", .of(language)),
      namesMedicine: namesMedicine, address: call.baseURL + "/", localizer: .of(language))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import SiteMap
import Statistics
import Storage
import Web

/// Links that show a report to anyone who has them, until they expire.
package enum ReportLinkRoutes {
  /// A resource that the policy opens only to the patient and guardians.
  static let resource = "ReportLink"
  static let path = "\(Address.report)/links"
  static let sharedPath = "/shared-report"

  /// The routes that create and remove links, and those of the shared report, which need no
  /// sign-in.
  package static let all: [Route] = [
    .form(path, make).after(.recent, from: Address.report),
    .form("\(path)/:link/remove", remove),
    .open(.get, "\(sharedPath)/:secret", shared),
    .open(.get, "\(sharedPath)/:secret/report.pdf", sharedPaper),
  ]

  private static func make(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, resource)
    let days = form.text("ends").flatMap { Int($0) } ?? 0
    guard ReportLinks.days.contains(days) else {
      throw Failure.badRequest("value", "ends must be 1, 7 or 30.")
    }
    let (call, patient, language) = (form.call, form.patient, form.call.language)
    let environment = call.environment
    let ends = call.now.adding(milliseconds: Int64(days) * 86_400_000)
    let secret = Secret(prefix: ReportLinks.prefix, random: environment.random)
    let pairs = form.fields.pairs
    do {
      let zone = try await form.run { context, writer in
        let period = try ReportRoutes.period(
          pairs, patient: patient, environment, now: context.now, in: writer)
        guard period.mistakes.isEmpty else { throw ReportRoutes.wrongDays }
        try ReportLinks.make(
          secret, of: patient, from: period.first, to: period.last, language: language,
          ends: ends, context, in: writer)
        return try PeopleQueries.zone(patient, zones: environment.zones, in: writer)
      }
      return ReportLinkPage(
        address: "\(call.baseURL)\(sharedPath)/\(secret.text)",
        ends: MedicineClock(zone: zone, localizer: call.localizer).text(ends)
      ).response(call)
    } catch ReportLinks.Failure.tooMany {
      return form.redirect(to: "\(Address.report)?done=too-many#share")
    }
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.delete, resource)
    let (id, patient) = (ReportLinkID(try form.parameter("link")), form.patient)
    do {
      try await form.run { context, writer in
        try ReportLinks.remove(id, of: patient, context, in: writer)
      }
    } catch ReportLinks.Failure.notFound {
      throw Failure.notFound
    }
    return form.redirect(to: "\(Address.report)?done=removed#share")
  }

  // MARK: The shared report

  @Sendable private static func shared(_ call: Call) async throws -> Response {
    let (content, link) = try await read(call)
    let localizer = Localizer.of(link.language)
    let document = ReportWriter(content: content, localizer: localizer).document
    let clock = MedicineClock(zone: content.zone, localizer: localizer)
    var frame = call.frame()
    frame.localizer = localizer
    frame.visitor = .signedOut
    frame.people = []
    frame.person = nil
    frame.title = document.title
    let ends = localizer.text("report.shared", ["when": .text(clock.text(link.ends))])
    return call.page(
      frame,
      """
      <div class="stack-large"><p class="muted">\(ends)</p>\(ReportMarkup(document: document))\
      \(ButtonRow(LinkButton(
        localizer.text("report.pdf"), address: "\(call.request.uri.path)/report.pdf",
        icon: .download).markup))</div>
      """)
  }

  @Sendable private static func sharedPaper(_ call: Call) async throws -> Response {
    let (content, link) = try await read(call)
    return try await ReportRoutes.file(content, .of(link.language))
  }

  /// Reads the report of a link, limited to what its creator may see now; unknown, expired and
  /// withdrawn links get the same answer.
  private static func read(_ call: Call) async throws -> (ReportContent, ReportLink) {
    let secret = Secret(text: try call.parameter("secret"))
    let environment = call.environment
    let (accounts, now) = (environment.accounts, call.now)
    let found = try await environment.database.read {
      reader -> (ReportContent, ReportLink, ReportReading)? in
      guard let link = try ReportLinks.link(by: secret, at: now, in: reader),
        let account = try accounts.account(link.account, in: reader),
        let right = try accounts.rights(of: account.id, at: now, in: reader)[link.patient]
      else { return nil }
      let actor = Actor(
        accountID: account.id, kind: .token, rights: [link.patient: right], scope: .own)
      guard
        case .allow = decide(
          actor: actor, action: .create, patient: link.patient, resource: resource,
          purpose: .care),
        let reading = try? ReportReading(actor, patient: link.patient, purpose: .care)
      else { return nil }
      let content = try reading.content(
        from: link.first, to: link.last, environment, now: now, in: reader)
      return (content, link, reading)
    }
    guard let (content, link, reading) = found else { throw Failure.notFound }
    // The last free space is for reminders.
    if !environment.disk.isShort {
      try await environment.database.write { try ReportLinks.note(link, at: now, in: $0) }
    }
    try await reading.note(content, environment)
    return (content, link)
  }
}

/// The page that shows a new link once.
struct ReportLinkPage: Sendable {
  let address: String
  /// The expiry of the link, in words.
  let ends: String

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("report.share.made")
    frame.place = .progress
    frame.back = .init(localizer.text("report.title"), address: Address.report)
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("report.share.once"))</p>\
      <p class="heart-secret"><code translate="no">\(address)</code></p>\
      \(LinkPicture(address, label: localizer.text("report.share.picture")))\
      <p>\(localizer.text("report.share.scan"))</p>\
      <p>\(localizer.text("report.share.until", ["when": .text(ends)]))</p></div>
      """)
  }
}

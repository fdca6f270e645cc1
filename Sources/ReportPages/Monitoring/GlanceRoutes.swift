// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HeartRate
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import NIOCore
import Observations
import Presentation
import Scheduling
import Storage
import Web

/// Heart rate statistics for widgets and watch faces at a secret address, as JSON and as a picture.
package enum GlanceRoutes {
  static let all: [Route] = [
    .open(.get, "/glance/:secret", as: .api, json),
    .open(.get, "/glance/:secret/picture.svg", as: .api, picture),
    .form(makePath, make).after(.recent, from: HeartRateSettingsRoutes.path),
    .form("\(makePath)/:glance/remove", remove),
  ]

  static let makePath = "/heart-rate/monitoring/glance"

  @Sendable private static func json(_ call: Call) async throws -> Response {
    JSONResponse.make(GlanceValues.json(try await read(call)))
  }

  @Sendable private static func picture(_ call: Call) async throws -> Response {
    GlanceValues.picture(try await read(call))
  }

  private static func read(_ call: Call) async throws -> HeartRateFacts {
    let secret = Secret(text: try call.parameter("secret"))
    let environment = call.environment
    let now = call.now
    let accounts = environment.accounts
    let (authorization, facts) = try await environment.database.read { reader in
      guard secret.text.hasPrefix(Glances.prefix),
        let found = try Glances.patient(of: secret, at: now, in: reader)
      else { throw Failure.notFound }
      let actor = Actor(
        accountID: found.account, kind: .token,
        rights: try accounts.rights(of: found.account, at: now, in: reader)
          .filter { $0.key == found.patient }, scope: .own)
      let decision = decide(
        actor: actor, action: .read, patient: found.patient, resource: VitalCommands.resource,
        purpose: .care)
      guard case .allow(let authorization) = decision else { throw Failure.notFound }
      return (
        authorization,
        try HeartRateFacts.load(found.patient, now: now, zones: environment.zones, in: reader)
      )
    }
    try await environment.audit(authorization, count: facts.values.count, at: now)
    return facts
  }

  private static func make(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, VitalCommands.resource)
    let (call, patient) = (form.call, form.patient)
    let secret = Secret(prefix: Glances.prefix, random: call.environment.random)
    do {
      try await form.run { context, writer in
        try Glances.make(secret, of: patient, context, in: writer)
      }
    } catch let error as HeartRateError {
      throw error.failure
    }
    return GlanceMadePage(address: "\(call.baseURL)/glance/\(secret.text)").response(call)
  }

  private static func remove(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, VitalCommands.resource)
    let (id, patient) = (GlanceID(try form.parameter("glance")), form.patient)
    do {
      try await form.run { context, writer in
        try Glances.remove(id, of: patient, context, in: writer)
      }
    } catch let error as HeartRateError {
      throw error.failure
    }
    return form.redirect(to: "\(HeartRateSettingsRoutes.path)?done=glance#glances")
  }
}

/// The content of a glance: numbers without a name.
package enum GlanceValues {
  /// Returns today's value, the limit, the average of the last seven days and each of these days,
  /// in whole beats per minute; null for a missing value.
  package static func json(_ facts: HeartRateFacts) -> JSONValue {
    func rate(_ bpm: Double?) -> JSONValue {
      bpm.map { .number(JSONNumber(Int($0.rounded()))) } ?? .null
    }
    let today = facts.today.daysSinceEpoch
    return [
      "day": .string(facts.today.text), "current": rate(facts.values[today]),
      "boundary": rate(facts.outcome.boundary), "weekAverage": rate(facts.weekAverage()?.bpm),
      "unit": "/min",
      "days": .array(
        (0..<7).reversed().map { back in
          [
            "day": .string(facts.today.adding(days: -back).text),
            "value": rate(facts.values[today - back]),
          ]
        }),
    ]
  }

  /// Returns a small SVG drawing of the last seven days with the latest number, readable on light
  /// and dark backgrounds.
  package static func picture(_ facts: HeartRateFacts) -> Response {
    let today = facts.today.daysSinceEpoch
    let values = (0..<7).reversed().map { facts.values[today - $0] }
    let known = values.compactMap(\.self) + [facts.outcome.boundary].compactMap(\.self)
    let middle = ((known.min() ?? 60) + (known.max() ?? 60)) / 2
    let span = max((known.max() ?? 60) - (known.min() ?? 60), 20)
    func y(_ bpm: Double) -> Int { 30 - Int(((bpm - middle) / span * 44).rounded()) }
    let dots: [Markup] = values.enumerated().compactMap { index, value in
      value.map { "<circle cx=\"\(12 + index * 16)\" cy=\"\(y($0))\" r=\"4\"/>" as Markup }
    }
    let limit = facts.outcome.boundary.map { bpm in
      """
      <line x1="4" x2="116" y1="\(y(bpm))" y2="\(y(bpm))" stroke="#888888" stroke-width="2" \
      stroke-dasharray="4 4"/>
      """ as Markup
    }
    let number = facts.values[today].map { String(Int($0.rounded())) } ?? "–"
    let markup: Markup = """
      <svg xmlns="http://www.w3.org/2000/svg" width="200" height="60" viewBox="0 0 200 60">\
      \(limit)<g fill="#c2410c">\(dots)</g>\
      <text x="160" y="42" text-anchor="middle" font-family="sans-serif" font-size="34" \
      fill="#c2410c">\(number)</text></svg>
      """
    return Response(
      status: .ok,
      headers: [
        .contentType: "image/svg+xml", .cacheControl: "no-store",
        .contentSecurityPolicy: "default-src 'none'",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: markup.bytes)))
  }
}

/// The addresses for widgets, on the settings page.
struct GlancePart: Sendable {
  let glances: [(id: GlanceID, created: Timestamp)]
  let facts: HeartRateFacts

  func markup(_ call: Call) -> Markup {
    let localizer = call.localizer
    let clock = MedicineClock(zone: facts.zone, localizer: localizer)
    return Section(
      localizer.text("heart-rate-monitoring.glance.title"), id: "glances",
      """
      <p>\(localizer.text("heart-rate-monitoring.glance.help"))</p>\(if: !glances.isEmpty, """
        <ul class="stack" role="list">\(each: glances, { glance in
          """
          <li><p>\(clock.text(glance.created))</p>\(FormButton(
            localizer.text("heart-rate-monitoring.glance.remove"),
            action: "\(GlanceRoutes.makePath)/\(glance.id)/remove", token: call.formToken,
            kind: .quiet, object: clock.text(glance.created)))</li>
          """ as Markup
        })</ul>
        """ as Markup)\(FormButton(
        localizer.text("heart-rate-monitoring.glance.make"), action: GlanceRoutes.makePath,
        token: call.formToken, kind: .secondary))
      """
    ).markup
  }
}

/// The page that shows a new address once.
struct GlanceMadePage: Sendable {
  let address: String

  private var picture: String { address + "/picture.svg" }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("heart-rate-monitoring.glance.title")
    frame.place = .progress
    frame.back = .init(
      localizer.text("heart-rate-monitoring.settings.title"), address: HeartRateSettingsRoutes.path)
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(localizer.text("heart-rate-monitoring.glance.once"))</p>\
      <p class="heart-secret"><code translate="no">\(address)</code></p>\
      <p class="heart-secret"><code translate="no">\(picture)</code></p></div>
      """)
  }
}

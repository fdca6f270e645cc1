// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Presentation
import SiteMap
import Storage
import Web

/// The pages of heart rate, steps and weight.
package enum HeartRateRoutes {
  /// The routes of the pages.
  package static let all: [Route] = [
    .page(.get, Address.heartRate, overview),
    .form(Address.heartRate, enter),
    .form(sourcesPath, changeSource),
    .page(.get, phonePath, phone),
    .form(phonePath, makeToken).after(.recent, from: phonePath),
  ]

  static let sourcesPath = "/heart-rate/sources"
  static let phonePath = "/heart-rate/phone"

  private static func overview(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn, input: HeartInput(now: call.now), mistakes: [])
  }

  private static func page(
    _ call: Call, _ signedIn: SignedIn, input: HeartInput?, mistakes: [HeartInput.Mistake]
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient)
    let environment = call.environment
    let (now, localizer) = (call.now, call.localizer)
    let model = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let clock = MedicineClock(zone: zone, localizer: localizer)
      let today = clock.day(of: now)
      return HeartRatePageModel(
        clock: clock, today: today,
        sources: try VitalQueries.sources(patient, in: reader),
        resting: try HeartChart.values(of: patient, until: today, in: reader))
    }
    try await environment.audit(authorization, count: model.resting.count, at: now)
    return HeartPage(
      model: model, input: input ?? HeartInput(now: now), mistakes: mistakes, now: now
    ).response(call)
  }

  /// Saves a pulse that the person measured.
  private static func enter(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, VitalCommands.resource)
    let (call, patient) = (form.call, form.patient)
    let environment = call.environment
    let zone = try await environment.database.read {
      try PeopleQueries.zone(patient, zones: environment.zones, in: $0)
    }
    let input = HeartInput(form.fields)
    switch input.sample(
      zone: zone, now: call.now, source: call.localizer.text("heart-rate.by-hand"))
    {
    case .failure(let mistake):
      return try await page(call, form.signedIn, input: input, mistakes: [mistake])
    case .success(let sample):
      _ = try await form.run { context, writer in
        try VitalCommands.take(
          VitalBatch([sample]), patient: patient, isSaid: true, context: context, in: writer)
      }
      return form.redirect(to: "\(Address.heartRate)?done=entered")
    }
  }

  /// Chooses the preferred source, or removes the values of a source.
  private static func changeSource(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, VitalCommands.resource)
    guard let source = form.text("source"), !source.isEmpty else {
      throw Failure.unprocessable("required", "source must name a source.")
    }
    let isRemoval = form.text("remove") != nil
    let metric = form.text("metric").flatMap { VitalMetric(rawValue: $0) }
    guard isRemoval || metric != nil else {
      throw Failure.unprocessable("value", "metric must name a known measurement.")
    }
    let patient = form.patient
    try await form.run { context, writer in
      if isRemoval {
        _ = try VitalCommands.remove(
          source: source, patient: patient, context: context, in: writer)
      } else if let metric {
        try VitalCommands.prefer(
          source, for: metric, patient: patient, context: context, in: writer)
      }
    }
    return form.redirect(to: "\(Address.heartRate)?done=\(isRemoval ? "removed" : "preferred")")
  }

  private static func phone(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try call.authorize(.create, VitalCommands.resource, of: call.patient(of: signedIn))
    return try await phonePage(nil, call, signedIn)
  }

  private static func phonePage(_ made: String?, _ call: Call, _ signedIn: SignedIn) async throws
    -> Response
  {
    let patient = call.patient(of: signedIn)
    let (environment, now, account) = (call.environment, call.now, signedIn.account.id)
    let (zone, tokens) = try await environment.database.read { reader in
      (
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
        try environment.accounts.tokens(of: account, at: now, in: reader).filter {
          $0.scope == .vitals && $0.patient == patient
        }
      )
    }
    return HeartPhonePage(
      patient: patient, token: made, tokens: tokens,
      clock: MedicineClock(zone: zone, localizer: call.localizer)
    ).response(call)
  }

  /// Creates a token that lets the phone only send, and shows it once; or changes the expiry of an
  /// existing one.
  private static func makeToken(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, VitalCommands.resource)
    let (environment, patient) = (form.call.environment, form.patient)
    let (accounts, account, now) = (
      environment.accounts, form.signedIn.account.id, form.call.now
    )
    let end = try TokenLifetime.end(days: TokenLifetime.standardDays, at: now)
    if let renewed = form.text("renew").map(SessionID.init(_:)) {
      try await form.run { _, writer in
        guard try accounts.renewToken(id: renewed, of: account, until: end, at: now, in: writer)
        else { throw Failure.notFound }
      }
      environment.sessions.forget()
      return form.redirect(to: "\(phonePath)?done=renewed")
    }
    let secret = Secret(prefix: Secret.tokenPrefix, random: environment.random)
    try await form.run { _, writer in
      try accounts.createToken(
        secret, for: account, scope: .vitals, patient: patient, expires: end, at: now, in: writer)
    }
    return try await phonePage(secret.text, form.call, form.signedIn)
  }
}

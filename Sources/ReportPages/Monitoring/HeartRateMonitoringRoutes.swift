// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HeartRate
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The pages of heart rate monitoring.
package enum HeartRateMonitoringRoutes {
  /// The routes of all pages of heart rate monitoring.
  package static let all: [Route] =
    [
      .page(.get, Address.heartRateMonitoring, dashboard),
      .page(.get, Address.heartRateGraph, graph),
      .page(.get, startPath, start),
      .form(startPath, turnOn),
      .page(.get, newsPath, news),
      .form(newsPath, readNews),
      .page(.get, wearingPath, wearing),
      .form(wordsPath, addWords),
      .form("\(wordsPath)/:message/remove", removeWords),
    ] + HeartRateSettingsRoutes.all + LimitRoutes.all + WarningRoutes.all + GlanceRoutes.all
    + SymptomRoutes.all

  static let startPath = "/heart-rate/monitoring/start"
  static let newsPath = "/heart-rate/monitoring/new"
  static let wearingPath = "/heart-rate/monitoring/wearing"
  static let wordsPath = "/heart-rate/monitoring/words"

  /// Reads the data of a monitoring page, for someone who may see it.
  static func facts(_ call: Call, _ signedIn: SignedIn) async throws -> HeartRateFacts {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient)
    let environment = call.environment
    let facts = try await environment.database.read {
      try HeartRateFacts.load(patient, now: call.now, zones: environment.zones, in: $0)
    }
    try await environment.audit(authorization, count: facts.values.count, at: call.now)
    return facts
  }

  private static func dashboard(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let facts = try await facts(call, signedIn)
    let patient = call.patient(of: signedIn)
    let (open, warnings, words) = try await call.environment.database.read { reader in
      (
        try HeartRateQueries.open(of: patient, on: facts.today, in: reader),
        try HeartRateQueries.warnings(of: patient, from: facts.today.adding(days: -6), in: reader),
        try HeartRateQueries.words(of: patient, in: reader)
      )
    }
    return HeartRateMonitoringPage(
      facts: facts, open: open, warnings: warnings, words: words,
      showsDoses: showsDoses(call, patient),
      isProvider: HeartRateCommands.isProvider(
        patient, call.environment.commandContext(for: signedIn, now: call.now))
    ).response(call)
  }

  private static func graph(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let facts = try await facts(call, signedIn)
    let patient = call.patient(of: signedIn)
    let range = call.queryValue("range").flatMap(HeartRateSeries.Range.init(rawValue:)) ?? .quarter
    let asked = call.queryValue("to").flatMap { CivilDate(text: $0) }
    let end = range == .all ? facts.today : min(asked ?? facts.today, facts.today)
    let warnings = try await call.environment.database.read { reader in
      try HeartRateQueries.warnings(of: patient, from: end.adding(days: -range.days), in: reader)
    }
    return HeartRateGraphPage(
      series: HeartRateSeries(
        facts, range: range, end: end, warnings: warnings, showsDoses: showsDoses(call, patient)),
      range: range, end: end, today: facts.today,
      firstValue: facts.values.keys.min().map(CivilDate.init(daysSinceEpoch:))
    ).response(call, zone: facts.zone)
  }

  /// True if the viewer may know which doses were missed.
  package static func showsDoses(_ call: Call, _ patient: PatientID) -> Bool {
    (try? call.authorize(.read, "DoseState", of: patient)) != nil
  }

  // MARK: Setup

  private static func start(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    _ = try call.authorize(.update, VitalCommands.resource, of: call.patient(of: signedIn))
    return HeartRateGuidePage(kind: .start, facts: try await facts(call, signedIn)).response(call)
  }

  private static func turnOn(_ form: PostedForm) async throws -> Response {
    try await change(form) { settings in
      settings.isOn = true
      settings.news = HeartRateSettings.latestNews
    }
    form.call.environment.live.reminders.ring()
    return form.redirect(to: "\(Address.heartRateMonitoring)?done=on")
  }

  private static func news(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    HeartRateGuidePage(kind: .news, facts: try await facts(call, signedIn)).response(call)
  }

  private static func readNews(_ form: PostedForm) async throws -> Response {
    try await change(form) { $0.news = HeartRateSettings.latestNews }
    return form.redirect(to: Address.heartRateMonitoring)
  }

  private static func wearing(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    HeartRateGuidePage(kind: .wearing, facts: try await facts(call, signedIn)).response(call)
  }

  private static func change(
    _ form: PostedForm, _ edit: @escaping @Sendable (inout HeartRateSettings) -> Void
  ) async throws {
    _ = try form.authorize(.update, VitalCommands.resource)
    let patient = form.patient
    try await form.run { context, writer in
      var settings = try HeartRateQueries.settings(of: patient, in: writer)
      edit(&settings)
      try HeartRateCommands.save(settings, of: patient, context, in: writer)
    }
  }

  // MARK: Words

  private static func addWords(_ form: PostedForm) async throws -> Response {
    let (text, patient) = (form.text("words") ?? "", form.patient)
    return try await writeWords(form) { context, writer in
      try HeartRateCommands.addWords(text, of: patient, context, in: writer)
    }
  }

  private static func removeWords(_ form: PostedForm) async throws -> Response {
    let (id, patient) = (WordingID(try form.parameter("message")), form.patient)
    return try await writeWords(form) { context, writer in
      try HeartRateCommands.removeWords(id, of: patient, context, in: writer)
    }
  }

  private static func writeWords(
    _ form: PostedForm,
    _ command: @escaping @Sendable (CommandContext, any SQLWriter) throws -> Void
  ) async throws -> Response {
    _ = try form.authorize(.update, VitalCommands.resource)
    do {
      try await form.run(command)
    } catch HeartRateError.words {
      return form.redirect(to: "\(Address.heartRateMonitoring)?done=words-refused#words")
    }
    return form.redirect(to: "\(Address.heartRateMonitoring)?done=words#words")
  }
}

extension HeartRateError: FailureConvertible {
  /// The failure of a change to the monitoring, for clients that do not use the form of a page.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .setByProvider, .noProvider:
      Failure(
        .forbidden, code: "forbidden",
        detail: "A care provider set this limit. Only they may change it.")
    case .tooFewDays, .value, .gap, .window, .budget, .plans, .words:
      .unprocessable("value", "Choose one of the offered values.")
    }
  }
}

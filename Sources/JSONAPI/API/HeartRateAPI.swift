// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HeartRate
import HeartRateMonitoring
import Hummingbird
import Identifiers
import Observations
import People
import ReportPages
import Scheduling
import Storage
import Web

/// `/api/v1/heart` and below: heart-rate statistics, their chart, warnings, and the accepted number of needless
/// questions.
package enum HeartRateAPI {
  /// The routes of the statistics, the chart, the warnings and the accepted needless questions.
  package static let all: [Route] =
    [
      .api(.get, "/api/v1/heart", statistics), .api(.get, "/api/v1/heart/picture.svg", picture),
      .api(.get, "/api/v1/heart/warnings", warnings),
    ] + QuestionBudgetAPI.all

  private static func facts(_ call: Call, _ signedIn: SignedIn) async throws -> HeartRateFacts {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient)
    let environment = call.environment
    let facts = try await environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return try HeartRateFacts.load(patient, now: call.now, zones: environment.zones, in: reader)
    }
    try await environment.audit(authorization, count: facts.values.count, at: call.now)
    return facts
  }

  private static func statistics(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    JSONResponse.make(GlanceValues.json(try await facts(call, signedIn)))
  }

  private static func picture(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    GlanceValues.picture(try await facts(call, signedIn))
  }

  private static func warnings(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient)
    let environment = call.environment
    let found = try await environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: call.now.milliseconds))
      return try HeartRateQueries.warnings(of: patient, from: today.adding(days: -365), in: reader)
    }
    try await environment.audit(authorization, count: found.count, at: call.now)
    // Answers reveal intakes, which are shared separately.
    let showsAnswers = HeartRateMonitoringRoutes.showsDoses(call, patient)
    let isProvider = HeartRateCommands.isProvider(
      patient, environment.commandContext(for: signedIn, now: call.now))
    let text = WarningText(localizer: call.localizer)
    return JSONResponse.make([
      "warnings": .array(
        found.map { warning in
          var json = WarningJSON.json(
            warning, showsAnswer: showsAnswers, showsProbability: isProvider)
          json["explanation"] = .string(text.seen(warning))
          if isProvider { json["reliability"] = text.probability(warning).map { .string($0) } }
          return json
        })
    ])
  }
}

/// A warning in the JSON API.
enum WarningJSON {
  /// Returns a warning with its values, and what the reader may know of the answer and the probability.
  ///
  /// - Parameter showsProbability: True for professionals, who know how to read it.
  static func json(_ warning: Warning, showsAnswer: Bool, showsProbability: Bool) -> JSONValue {
    func rate(_ bpm: Double?) -> JSONValue {
      bpm.map { .number(JSONNumber(Int($0.rounded()))) } ?? .null
    }
    var json: JSONValue = [
      "id": .string(warning.id.text), "patient": .string(warning.patient.text),
      "kind": .string(warning.kind.rawValue), "day": .string(warning.day.text),
      "at": .string(UTC.text(warning.created)),
      "method": .string(warning.method.rawValue), "seen": rate(warning.finding.heartRate),
      "usual": rate(warning.finding.usual), "boundary": rate(warning.finding.boundary),
    ]
    if warning.kind == .heart {
      json["aboveUsual"] = warning.beatsAboveUsual.map { .number(JSONNumber($0)) }
      json["daysRaised"] = .number(JSONNumber(warning.finding.daysRaised))
      json["saysLittle"] = .bool(warning.finding.isUnmoved)
    }
    if showsProbability, let probability = warning.finding.probability {
      // In whole percent, as on the pages.
      json["probability"] = .number(JSONNumber(Int((probability * 100).rounded())))
    }
    guard showsAnswer else { return json }
    json["answer"] = warning.answer.map { .string($0.rawValue) }
    json["answered"] = warning.answered.map { .string(UTC.text($0)) }
    json["done"] = warning.done.map { .string($0.rawValue) }
    return json
  }
}

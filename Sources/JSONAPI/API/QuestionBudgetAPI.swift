// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HeartRate
import Hummingbird
import Identifiers
import Observations
import People
import Storage
import Web

/// `/api/v1/heart/budget`: how many needless questions about the heart rate a person accepts.
enum QuestionBudgetAPI {
  /// The routes that read and change the number.
  static let all: [Route] = [.api(.get, path, read), .api(.put, path, change)]

  private static let path = "/api/v1/heart/budget"

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient)
    let settings = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return try HeartRateQueries.settings(of: patient, in: reader)
    }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return JSONResponse.make(json(settings.budget))
  }

  private static func change(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let body = try JSONBody(parsing: bytes)
    let patient = try PatientChoice.patient(named: try body.text("patient"), signedIn)
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    // A provider decides without the right to change measurements.
    let mayDecide = HeartRateCommands.isProvider(patient, context)
    _ = try call.authorize(mayDecide ? .read : .update, VitalCommands.resource, of: patient)
    let wanted = try body.integer("inFourMonths")
    guard let budget = HeartRateSettings.budgets.first(where: { inFourMonths($0) == wanted }) else {
      let numbers = HeartRateSettings.budgets.map { String(inFourMonths($0)) }
      throw Failure.wrong(
        "inFourMonths", "must be one of \(numbers.joined(separator: ", "))")
    }
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      try HeartRateCommands.setBudget(budget, of: patient, context, in: writer)
      return WrittenAnswer(status: 200, json: json(budget))
    }
  }

  private static func json(_ budget: Double) -> JSONValue {
    ["inFourMonths": .number(JSONNumber(inFourMonths(budget)))]
  }

  /// Returns the questions in 120 days, which are whole numbers for every budget.
  private static func inFourMonths(_ budget: Double) -> Int { Int((budget * 4).rounded()) }
}

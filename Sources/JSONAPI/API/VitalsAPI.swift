// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HealthData
import Hummingbird
import Identifiers
import ImportPages
import Observations
import People
import Presentation
import SiteMap
import Storage
import Web

/// `POST /api/v1/vitals`: heart rate, steps and weight from a phone or a program.
package enum VitalsAPI {
  /// The route that receives measurements.
  package static let all: [Route] = [.api(.post, Address.vitalsAPI, take).takingVitals()]

  private static func take(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(
      of: call, mediaTypes: ["application/json", "application/fhir+json"])
    let body = try JSONValue(parsing: bytes)
    let environment = call.environment
    let named = try patient(of: body, call, signedIn)
    _ = try call.authorize(.create, VitalCommands.resource, of: PatientID(named))
    guard
      try await environment.database.read({ try PeopleQueries.exists(PatientID(named), in: $0) })
    else { throw Failure.notFound }
    let zone = try await VitalIntake.offsets(of: PatientID(named), in: environment)
    let now = call.now.milliseconds / 1_000
    guard let post = VitalPost.read(body, now: now, zone: zone) else {
      throw Failure.unprocessable(
        "structure",
        "Unknown format. Send {\"readings\":[{\"type\",\"at\",\"value\",\"source\"}]}."
      )
    }
    let digest = Fingerprint.digest(of: bytes + Array(named.utf8))
    return try await IdempotentWrite.performInSteps(call, signedIn, digest: digest) {
      try await answer(post, patient: PatientID(named), call, signedIn)
    }
  }

  /// Returns the patient of the body and the address, which must not differ.
  private static func patient(of body: JSONValue, _ call: Call, _ signedIn: SignedIn) throws
    -> String
  {
    let inBody = VitalPost.patient(of: body)
    let inAddress = call.queryValue("patient")
    if let inBody, let inAddress,
      try PatientChoice.patient(named: inBody, signedIn)
        != PatientChoice.patient(named: inAddress, signedIn)
    {
      throw Failure.unprocessable(
        "patient", "patient in the address and in the body differ. Send one.")
    }
    return try PatientChoice.patient(named: inAddress ?? inBody, signedIn).text
  }

  private static func answer(
    _ post: VitalPost, patient: PatientID, _ call: Call, _ signedIn: SignedIn
  ) async throws -> WrittenAnswer {
    let environment = call.environment
    let context = environment.commandContext(for: signedIn, now: call.now)
    var batch = VitalBatch()
    var skipped: [JSONValue] = []
    for item in post.items {
      switch item.result {
      // A token that may only send cannot delete.
      case .success where item.isRemoval && signedIn.actor.scope.onlySendsVitals:
        skipped.append(Self.skipped(item.index, "refused", item.place))
      case .success(let reading):
        batch.add(VitalSample(reading, isRemoval: item.isRemoval))
      case .failure(let problem):
        skipped.append(Self.skipped(item.index, problem.rawValue, item.place))
      }
    }
    // One body is one transaction: it is stored completely or not at all.
    let whole = batch
    var counts = VitalCounts()
    if !whole.isEmpty {
      counts = try await environment.database.write { writer in
        try VitalCommands.take(whole, patient: patient, context: context, in: writer)
      }
    }
    for (number, medication) in post.medications.enumerated() {
      let problem = try await PostedMedicines(
        environment: environment, patient: patient, context: context
      ).take(medication)
      if let problem {
        skipped.append(Self.skipped(post.items.count + number, problem, medication.place))
      } else {
        counts.stored += 1
      }
    }
    return WrittenAnswer(
      status: 200,
      json: [
        "stored": .number(JSONNumber(counts.stored)),
        "replaced": .number(JSONNumber(counts.replaced)),
        "unchanged": .number(JSONNumber(counts.unchanged)), "skipped": .array(skipped),
      ])
  }

  private static func skipped(_ index: Int, _ error: String, _ place: String) -> JSONValue {
    [
      "index": .number(JSONNumber(index)), "error": .string(error), "place": .string(place),
    ]
  }
}

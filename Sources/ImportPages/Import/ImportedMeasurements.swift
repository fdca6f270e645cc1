// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HealthData
import Identifiers
import Observations
import People
import Prescriptions
import Presentation
import Storage
import Web

/// Stores the measurements of a file like those that a phone posts; the same file again changes nothing.
struct ImportedMeasurements: Sendable {
  let environment: ServerEnvironment
  let patient: PatientID
  /// True to store nothing.
  let isTrial: Bool
  let context: @Sendable () -> CommandContext

  /// Stores measurements and adds them to the report, with the reasons for those that are not stored.
  func take(_ measurements: [ImportMeasurement], into report: inout ImportReport) async throws {
    if measurements.isEmpty { return }
    // A token for prescriptions may not write measurements; the rest of the file is imported.
    guard (try? VitalCommands.authorize(.create, patient: patient, context())) != nil else {
      let refused = measurements.map { measurement in
        ImportProblem(number: measurement.number, type: "Observation", .refused)
      }
      return report.add(VitalCounts(), problems: refused)
    }
    let zone = try await VitalIntake.offsets(of: patient, in: environment)
    let now = context().now.milliseconds / 1_000
    var batch = VitalBatch()
    var problems: [ImportProblem] = []
    for measurement in measurements {
      let resource = measurement.resource ?? .object(JSONObject())
      switch VitalPost.observation(resource, now: now, zone: zone) {
      case .success(let reading): batch.add(VitalSample(reading))
      case .failure(let problem):
        problems.append(
          ImportProblem(
            number: measurement.number, type: "Observation", Self.reason(problem, resource)))
      }
    }
    let counts = isTrial ? try await attempt(batch) : try await store(batch)
    report.add(counts, problems: problems)
  }

  private func store(_ batch: VitalBatch) async throws -> VitalCounts {
    try await VitalIntake(environment: environment, patient: patient, context: context).take(batch)
  }

  /// Thrown to roll a transaction back.
  private struct Trial: Error {
    let counts: VitalCounts
  }

  /// Returns the counts as they would be.
  private func attempt(_ batch: VitalBatch) async throws -> VitalCounts {
    var counts = VitalCounts()
    for part in batch.parts(samples: 5_000) {
      let (patient, context) = (patient, context())
      do {
        try await environment.database.write { (writer) throws -> Void in
          throw Trial(
            counts: try VitalCommands.take(part, patient: patient, context: context, in: writer))
        }
      } catch let trial as Trial {
        counts.add(trial.counts)
      }
    }
    return counts
  }

  static func reason(_ problem: VitalProblem, _ resource: JSONValue) -> ImportProblemReason {
    switch problem {
    case .structure: .notFinal(status: resource["status"]?.string ?? "")
    case .value: .value
    case .unit: .unit
    case .date: .noTime
    case .future: .futureTime
    case .kind, .source: .refused
    }
  }
}

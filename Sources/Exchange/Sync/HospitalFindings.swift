// SPDX-License-Identifier: Apache-2.0

import FHIR
import Observations
import People
import Storage

/// Imports allergies and heart rates: they are added, and nothing existing is changed.
struct HospitalFindings: Sendable {
  let context: HospitalContext
  let connection: HospitalConnection

  func take(
    _ resources: [JSONValue], commands: @escaping @Sendable () -> CommandContext
  ) async throws {
    let patient = connection.patient
    let allergies = resources.compactMap(Self.allergy)
    for allergy in allergies {
      try await context.database.write { writer in
        do {
          try HealthProfileCommands.addAllergy(
            allergy.name, reaction: allergy.reaction, patient: patient, commands(), in: writer)
        } catch is HealthProfileError {
          // It is already known, or the limit is reached.
        }
      }
    }
    let observations = resources.filter { $0["resourceType"]?.string == "Observation" }
    guard !observations.isEmpty else { return }
    let samples = try await context.readVitals(observations, patient)
    guard !samples.isEmpty else { return }
    try await context.database.write { writer in
      _ = try VitalCommands.take(
        VitalBatch(samples), patient: patient, context: commands(), in: writer)
    }
  }

  /// Returns an active allergy with its name.
  static func allergy(_ resource: JSONValue) -> (name: String, reaction: String)? {
    guard resource["resourceType"]?.string == "AllergyIntolerance" else { return nil }
    let clinical =
      resource["clinicalStatus"]?["coding"]?[0]?["code"]?.string ?? resource["status"]?.string
    if let clinical, ["inactive", "resolved", "refuted", "entered-in-error"].contains(clinical) {
      return nil
    }
    let verification = resource["verificationStatus"]?["coding"]?[0]?["code"]?.string
    if let verification, ["refuted", "entered-in-error"].contains(verification) { return nil }
    guard let name = text(resource["code"] ?? resource["substance"]) else { return nil }
    let manifestation = resource["reaction"]?[0]?["manifestation"]?[0]
    let limit = HealthProfileCommands.maximumName
    return (String(name.prefix(limit)), String((text(manifestation) ?? "").prefix(limit)))
  }

  private static func text(_ concept: JSONValue?) -> String? {
    let text = concept?["text"]?.string ?? concept?["coding"]?[0]?["display"]?.string
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }
}

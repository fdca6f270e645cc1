// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HealthData
import HTTPTypes
import Identifiers
import Observations
import People
import Presentation
import Records
import Storage
import Web

/// Writes the measurements of one patient as Observations, and recalculates their days.
struct VitalWriter {
  private let patient: PatientID
  private let write: FHIRWriteContext
  /// The offset of the person's zone at seconds since 1970, for times that state none.
  private let zone: @Sendable (Int64) -> Int32

  /// - Throws: "Not found" for a patient who does not exist.
  init(patient: PatientID, _ write: FHIRWriteContext, in reader: any SQLReader) throws {
    self.patient = patient
    self.write = write
    zone = VitalIntake.offsets(
      of: try PeopleQueries.zone(patient, zones: write.context.zones, in: reader))
  }

  /// Returns the patient of a measurement, even after its deletion; nil for any other id.
  static func patient(of id: String, in reader: any SQLReader) throws -> PatientID? {
    try ObservationRows.patient(of: id, in: reader)
      ?? ObservationVersions.patient(ofDeleted: id, in: reader)
  }

  /// - Parameter version: 1, or the version after the deletion that is undone.
  func create(
    _ resource: JSONValue, id: String, version: Int64, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let sample = try sample(resource)
    let kept = SentObservation(
      id: id, body: text(resource, id: id, version: version), created: write.now,
      version: version)
    _ = try VitalCommands.take(
      VitalBatch([sample]), patient: patient, isSaid: true, context: write.context, in: writer)
    try ObservationRows.keep(kept, sample, patient: patient, context: write.context, in: writer)
    return WrittenResource(
      type: .observation, id: id, version: version, lastUpdated: write.now,
      body: Array(kept.body.utf8), created: version == 1, patient: patient)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, in writer: any SQLWriter
  ) throws -> WrittenResource {
    // The stored text is read without judging it, so it is judged here.
    _ = try sample(resource)
    do {
      let made = try commands.update(
        id, ifVersion: ifVersion, to: { text(resource, id: id, version: $0) }, in: writer)
      return WrittenResource(
        type: .observation, id: id, version: made.version, lastUpdated: made.changed,
        body: Array((made.body ?? "").utf8), created: false, patient: patient)
    } catch RecordsError.gone {
      let deleted = try ObservationVersions.all(id, patient: patient, in: writer).first?.version
      guard let deleted else { throw RecordsError.gone }
      if let ifVersion, ifVersion != deleted {
        throw RecordsError.versionConflict(current: deleted)
      }
      return try create(resource, id: id, version: deleted + 1, in: writer)
    }
  }

  /// Returns the version of the deletion; nil if it was deleted before.
  func delete(_ id: String, ifVersion: Int64?, in writer: any SQLWriter) throws -> Int64? {
    do {
      try commands.delete(id, ifVersion: ifVersion, in: writer)
    } catch RecordsError.gone {
      return nil
    }
    return try ObservationVersions.all(id, patient: patient, in: writer).first?.version ?? 1
  }

  private var commands: ObservationCommands {
    let zone = zone
    return ObservationCommands(patient: patient, context: write.context) { body in
      // A stored value is not judged again.
      guard let resource = try? JSONValue(parsing: Array(body.utf8)),
        case .success(let reading) = VitalPost.observation(
          resource, now: Int64.max / 2, zone: zone)
      else { return nil }
      return VitalSample(reading)
    }
  }

  /// Returns the measurement in a resource; throws the failure 422 with the element that is wrong.
  private func sample(_ resource: JSONValue) throws -> VitalSample {
    switch VitalPost.observation(resource, now: write.now.milliseconds / 1_000, zone: zone) {
    case .success(let reading): return VitalSample(reading)
    case .failure(let problem): throw Self.refusal(problem)
    }
  }

  /// Returns the resource as stored, with its id and version.
  private func text(_ resource: JSONValue, id: String, version: Int64) -> String {
    StampedResource.text(resource, id: id, version: version, at: write.now)
  }

  private static func refusal(_ problem: VitalProblem) -> Failure {
    let (expression, text) =
      switch problem {
      case .kind:
        ("Observation.code", "The code must be LOINC 40443-4, 8867-4, 55423-8 or 29463-7.")
      case .unit: ("Observation.valueQuantity.code", "The unit does not match the code.")
      case .value: ("Observation.valueQuantity.value", "The value is outside the possible range.")
      case .date: ("Observation.effectiveDateTime", "Send the time of the measurement.")
      case .future: ("Observation.effectiveDateTime", "The time must not be in the future.")
      case .source: ("Observation.device.display", "The device's name is too long. Shorten it.")
      case .structure: ("Observation.status", "The status must be final, amended or corrected.")
      }
    return .element(.unprocessableContent, .value, expression, text)
  }
}

/// A resource as it is stored outside the store of records.
enum StampedResource {
  /// Returns the JSON text with the server's own elements.
  static func text(
    _ resource: JSONValue, id: String, version: Int64, at now: Timestamp
  ) -> String {
    var resource = resource
    resource["id"] = .string(id)
    var meta = resource["meta"] ?? .object(JSONObject())
    meta["versionId"] = .string(String(version))
    meta["lastUpdated"] = .string(
      FHIRDateTime.instantText(milliseconds: now.milliseconds, offsetMinutes: 0))
    resource["meta"] = meta
    return resource.text
  }
}

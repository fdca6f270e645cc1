// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Observations
import People
import Records
import Storage
import Web

/// Writes Observations: heart rate, steps and weight are measurements of a day, which is calculated
/// anew; all others are kept as they were sent.
struct ObservationHandler: ResourceHandler {
  let type = ResourceType.observation
  let takesID = true

  private var generic: GenericHandler { GenericHandler(type: type) }

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    guard let patient = try VitalWriter.patient(of: id, in: reader) else {
      return try generic.current(id, for: action, write, in: reader)
    }
    if action != .read { _ = try write.authorize(action, type, of: patient) }
    _ = try write.authorize(.read, type, of: patient)
    guard let found = try VitalsSource().find(id, write.caller, in: reader) else {
      throw RecordsError.gone
    }
    return CurrentResource(
      version: found.resource.version, lastUpdated: found.resource.lastUpdated,
      body: found.resource.body(), patient: patient)
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    guard Self.isVital(resource) else {
      return try generic.create(resource, id: id, write, in: writer)
    }
    let patient = try ResourceOwner.patient(named: resource, type: type)
    _ = try write.authorize(.create, type, of: patient)
    let id = id ?? write.context.newIdentifier()
    let resource = named(resource, id)
    try validate(resource)
    let vitals = try VitalWriter(patient: patient, write, in: writer)
    return try vitals.create(resource, id: id, version: 1, in: writer)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    let isVital = Self.isVital(resource)
    if let owner = try VitalWriter.patient(of: id, in: writer) {
      _ = try write.authorize(.update, type, of: owner)
      guard try ResourceOwner.patient(named: resource, type: type) == owner else {
        throw ResourceOwner.mustNotChange(type)
      }
      guard isVital else { throw Self.mustStayVital }
      try validate(resource)
      let vitals = try VitalWriter(patient: owner, write, in: writer)
      return try vitals.update(resource, id: id, ifVersion: ifVersion, in: writer)
    }
    guard let owner = try RecordStore().patient(of: type.rawValue, id: id, in: writer) else {
      guard ifVersion == nil else { throw Failure.notFound }
      return try create(resource, id: id, write, in: writer)
    }
    _ = try write.authorize(.update, type, of: owner)
    guard !isVital else { throw Self.mustNotBecomeVital }
    return try generic.update(resource, id: id, ifVersion: ifVersion, write, in: writer)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    guard let patient = try VitalWriter.patient(of: id, in: writer) else {
      return try generic.delete(id, ifVersion: ifVersion, write, in: writer)
    }
    _ = try write.authorize(.delete, type, of: patient)
    let vitals = try VitalWriter(patient: patient, write, in: writer)
    return try vitals.delete(id, ifVersion: ifVersion, in: writer)
  }

  /// Returns true for the measurements that this server understands, by their LOINC codes.
  static func isVital(_ resource: JSONValue) -> Bool {
    (resource["code"]?["coding"]?.array ?? []).contains { coding in
      coding["system"]?.string == FHIRObservation.loinc
        && coding["code"]?.string.flatMap { VitalMetric.of(code: $0) } != nil
    }
  }

  private static let mustStayVital = Failure.element(
    .unprocessableContent, .businessRule, "Observation.code",
    "The code must stay 40443-4, 8867-4, 55423-8 or 29463-7. Create a new Observation.")

  private static let mustNotBecomeVital = Failure.element(
    .unprocessableContent, .businessRule, "Observation.code",
    "The code must not become that of a heart rate, steps or a weight. Create a new Observation.")
}

// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Records
import Storage
import Web

/// Writes the resources of a patient that nothing else on this server depends on, as they were sent.
struct GenericHandler: ResourceHandler {
  let type: ResourceType
  let takesID = true

  private var records: RecordStore { RecordStore() }

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    let patient = try owner(of: id, in: reader)
    if action != .read { _ = try write.authorize(action, type, of: patient) }
    let authorization = try write.authorize(.read, type, of: patient)
    return CurrentResource(
      try records.read(type.rawValue, id, authorization: authorization, in: reader))
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let id = id ?? write.context.newIdentifier()
    let resource = named(resource, id)
    let patient = try ResourceOwner.patient(of: resource, type: type, id: id, in: writer)
    let authorization = try write.authorize(.create, type, of: patient)
    guard try PeopleQueries.exists(patient, in: writer) else {
      throw ResourceOwner.unknown(type)
    }
    let record = try records.create(
      resource, type: type.rawValue, id: id, authorization: authorization, at: write.now,
      in: writer)
    return WrittenResource(record, type: type, created: true)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    guard let patient = try records.patient(of: type.rawValue, id: id, in: writer) else {
      guard ifVersion == nil else { throw Failure.notFound }
      return try create(resource, id: id, write, in: writer)
    }
    let authorization = try write.authorize(.update, type, of: patient)
    let stated = try ResourceOwner.patient(of: resource, type: type, id: id, in: writer)
    guard stated == patient else { throw ResourceOwner.mustNotChange(type) }
    let record = try records.update(
      resource, type: type.rawValue, id: id, ifVersion: ifVersion, authorization: authorization,
      at: write.now, in: writer)
    return WrittenResource(record, type: type, created: false)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    let patient = try owner(of: id, in: writer)
    let authorization = try write.authorize(.delete, type, of: patient)
    do {
      return try records.delete(
        type.rawValue, id, ifVersion: ifVersion, authorization: authorization, at: write.now,
        in: writer
      ).version
    } catch RecordsError.gone {
      return nil
    }
  }

  /// Returns the patient of a stored resource, even after its deletion.
  private func owner(of id: String, in reader: any SQLReader) throws -> PatientID {
    guard let patient = try records.patient(of: type.rawValue, id: id, in: reader) else {
      throw Failure.notFound
    }
    return patient
  }
}

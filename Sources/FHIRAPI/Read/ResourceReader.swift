// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Records
import Storage
import Web

/// Reads single resources, wherever they are kept; every call decides access first.
struct ResourceReader: Sendable {
  let caller: FHIRCaller

  /// A resource with the permission to read it, which is nil for a shared one.
  struct Result: Sendable {
    let resource: FoundResource
    let authorization: Authorization?
  }

  private var records: RecordStore { caller.environment.records }

  /// Returns the current version.
  ///
  /// - Throws: ``RecordsError/gone`` for a deleted resource, and "not found" for one that does not exist or that the
  ///   caller may not know of.
  func current(_ type: FHIRType, _ id: String, in reader: any SQLReader) throws -> Result {
    try limited(type, id, in: reader) { try unlimited(type, id, in: reader) }
  }

  /// Returns what a read finds, if it is within the limits of the caller; anything else does not exist for the caller.
  private func limited(
    _ type: FHIRType, _ id: String, in reader: any SQLReader, _ read: () throws -> Result
  ) throws -> Result {
    let filter = AccessFilter(type, .read, caller)
    try filter.requirePermission()
    let result: Result
    do {
      result = try read()
    } catch RecordsError.gone {
      let owner =
        try filter.isLimited
        ? records.patient(of: type.rawValue, id: id, in: reader) : nil
      if filter.isLimited(for: owner) { throw Failure.notFound }
      throw RecordsError.gone
    }
    guard filter.admits(result.resource) else { throw Failure.notFound }
    return result
  }

  private func unlimited(
    _ type: FHIRType, _ id: String, in reader: any SQLReader
  ) throws -> Result {
    try Self.check(id)
    let name = type.rawValue
    if type.ownership == .shared {
      let record = try SharedRecordStore().read(
        try stored(type), id, authorization: caller.readShared(type), in: reader)
      return Result(resource: FoundResource(record, type), authorization: nil)
    }
    if type.isStoredByPatient, let patient = try records.patient(of: name, id: id, in: reader) {
      let authorization = try caller.authorize(.read, name, of: patient)
      let record = try records.read(name, id, authorization: authorization, in: reader)
      return Result(resource: FoundResource(record, type), authorization: authorization)
    }
    guard let source = ProjectedSources.source(of: type) else { throw Failure.notFound }
    if let found = try source.find(id, caller, in: reader) {
      let authorization = try caller.authorize(.read, name, of: found.patient)
      return Result(
        resource: FoundResource(found.resource, type, patient: found.patient),
        authorization: authorization)
    }
    guard let former = try source.versions(of: id, caller, in: reader) else {
      throw Failure.notFound
    }
    _ = try caller.authorize(.read, name, of: former.patient)
    throw RecordsError.gone
  }

  /// Returns one version, even of a resource that was changed or deleted since.
  func version(
    _ type: FHIRType, _ id: String, _ version: Int64, in reader: any SQLReader
  ) throws -> Result {
    try limited(type, id, in: reader) { try unlimited(type, id, version, in: reader) }
  }

  private func unlimited(
    _ type: FHIRType, _ id: String, _ version: Int64, in reader: any SQLReader
  ) throws -> Result {
    try Self.check(id)
    let name = type.rawValue
    if type.ownership == .shared {
      let record = try SharedRecordStore().read(
        try stored(type), id, version: version, authorization: caller.readShared(type),
        in: reader)
      return Result(resource: FoundResource(record, type), authorization: nil)
    }
    if type.isStoredByPatient, let patient = try records.patient(of: name, id: id, in: reader) {
      let authorization = try caller.authorize(.read, name, of: patient)
      let record = try records.read(
        name, id, version: version, authorization: authorization, in: reader)
      return Result(resource: FoundResource(record, type), authorization: authorization)
    }
    guard let known = try ProjectedSources.source(of: type)?.versions(of: id, caller, in: reader)
    else { throw Failure.notFound }
    let authorization = try caller.authorize(.read, name, of: known.patient)
    guard let found = known.versions.first(where: { $0.version == version }) else {
      throw Failure.notFound
    }
    if found.operation == .delete { throw RecordsError.gone }
    return Result(
      resource: FoundResource(found, type, patient: known.patient), authorization: authorization)
  }

  /// Returns the current version of a resource to which another one refers; nil if the caller may not see it, or if
  /// it does not exist.
  func visible(
    _ key: FoundResource.Key, in reader: any SQLReader
  ) throws -> FoundResource? {
    do {
      return try current(key.type, key.id, in: reader).resource
    } catch let failure as Failure where failure.status == .notFound {
      return nil
    } catch is DenialReason {
      return nil
    } catch RecordsError.gone {
      return nil
    } catch RecordsError.notFound {
      return nil
    }
  }

  private func stored(_ type: FHIRType) throws -> ResourceType {
    guard let type = type.resourceType else { throw Failure.notFound }
    return type
  }

  /// Throws "not found" for a text that cannot be an id.
  static func check(_ id: String) throws {
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage

/// The store of FHIR resources that belong to no patient, such as professionals and medicines.
///
/// It works like ``RecordStore``: every call takes an authorization, whose patient is ``PatientID/shared``, and every
/// change keeps the previous version and writes its audit entry in the same transaction.
package struct SharedRecordStore: Sendable {
  /// Creates a store, which has no state of its own.
  package init() {}

  /// Returns the current version of a resource.
  ///
  /// - Throws: ``RecordsError/notFound``, or ``RecordsError/gone`` after its deletion.
  package func read(
    _ type: ResourceType, _ id: String, authorization: Authorization, in reader: any SQLReader
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .read, type)
    if let record = try currentRecord(type, id, in: reader) { return record }
    throw try lastDeletion(type, id, in: reader) == nil ? .notFound : .gone
  }

  /// Returns true if the id is in use, or was before a deletion.
  package func isTaken(
    _ type: ResourceType, _ id: String, in reader: any SQLReader
  ) throws(RecordsError) -> Bool {
    if try currentRecord(type, id, in: reader) != nil { return true }
    return try lastDeletion(type, id, in: reader) != nil
  }

  /// Stores a new resource under an id that was never used before; its version is 1.
  package func create(
    _ resource: JSONValue, type: ResourceType, id: String, authorization: Authorization,
    at: Timestamp, in writer: any SQLWriter
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .create, type)
    let content = try RecordContent(shared: resource, type: type, id: id, version: 1, at: at)
    guard try lastDeletion(type, id, in: writer) == nil else { throw .idTaken }
    let record = StoredRecord(
      type: type.rawValue, id: id, patient: .shared, version: 1, lastUpdated: at,
      operation: .create, body: content.body)
    guard try insert(record, content, authorization, in: writer) else { throw .idTaken }
    return record
  }

  /// Stores a new version of a resource; a deleted one is restored by it.
  ///
  /// With `ifVersion`, the resource must still have that version, otherwise
  /// ``RecordsError/versionConflict(current:)`` is thrown.
  package func update(
    _ resource: JSONValue, type: ResourceType, id: String, ifVersion: Int64?,
    authorization: Authorization, at: Timestamp, in writer: any SQLWriter
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .update, type)
    let inForce = try currentRecord(type, id, in: writer)
    let deleted = inForce == nil ? try lastDeletion(type, id, in: writer) : nil
    guard let current = inForce?.version ?? deleted else { throw .notFound }
    if let ifVersion, ifVersion != current { throw .versionConflict(current: current) }
    let content = try RecordContent(
      shared: resource, type: type, id: id, version: current + 1, at: at)
    let record = StoredRecord(
      type: type.rawValue, id: id, patient: .shared, version: current + 1, lastUpdated: at,
      operation: .update, body: content.body)
    guard let inForce else {
      guard try insert(record, content, authorization, in: writer) else {
        throw .versionConflict(current: current)
      }
      return record
    }
    try supersede(record, in: writer)
    guard try replace(inForce, by: record, content, authorization, in: writer) else {
      throw .versionConflict(current: current)
    }
    audit(record, .update, authorization, in: writer)
    return record
  }

  /// Deletes a resource; its versions stay, and only an update can use its id again.
  ///
  /// Returns the deletion as a version.
  package func delete(
    _ type: ResourceType, _ id: String, ifVersion: Int64?, authorization: Authorization,
    at: Timestamp, in writer: any SQLWriter
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .delete, type)
    guard let current = try currentRecord(type, id, in: writer) else {
      throw try lastDeletion(type, id, in: writer) == nil ? .notFound : .gone
    }
    if let ifVersion, ifVersion != current.version {
      throw .versionConflict(current: current.version)
    }
    let record = StoredRecord(
      type: type.rawValue, id: id, patient: .shared, version: current.version + 1,
      lastUpdated: at, operation: .delete, body: "")
    try supersede(record, in: writer)
    try remove(current, by: record, authorization, in: writer)
    audit(record, .delete, authorization, in: writer)
    return record
  }

  /// Returns one page of the matching current resources.
  package func search(
    _ search: RecordSearch, authorization: SearchAuthorization, in reader: any SQLReader
  ) throws(RecordsError) -> RecordPage {
    guard authorization.resource == search.type.rawValue, RecordSubject.isShared(search.type)
    else { throw .notAuthorized }
    let scope = RecordScope(type: search.type, patients: .all)
    return try RecordSearchRun(search: search, scope: scope).page(in: reader)
  }

  /// Throws unless an authorization is for the action on this shared type.
  func check(
    _ authorization: Authorization, _ action: Action, _ type: ResourceType
  ) throws(RecordsError) {
    guard authorization.action == action, authorization.resource == type.rawValue,
      authorization.patient == .shared, RecordSubject.isShared(type)
    else { throw .notAuthorized }
  }

  func audit(
    _ record: StoredRecord, _ kind: AuditEntry.Kind, _ authorization: Authorization,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: record.lastUpdated, actor: authorization.actor.accountID, kind: kind, patient: nil,
        resource: record.type, resourceID: record.id, version: record.version,
        purpose: authorization.purpose.rawValue,
        content: record.operation == .delete ? nil : record.body))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Diary
import FHIR
import Identifiers
import People
import Records
import Storage
import Web

/// Writes the resources that belong to no patient, such as practitioners and medicines: everyone who
/// is signed in reads them, and only credentials for the whole system change them.
struct SharedHandler: ResourceHandler {
  let type: ResourceType
  let takesID = true

  private var records: SharedRecordStore { SharedRecordStore() }

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    if action != .read { _ = try authorize(action, write) }
    return CurrentResource(
      try records.read(type, id, authorization: try authorize(.read, write), in: reader))
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let authorization = try authorize(.create, write)
    try checkQuestionnaire(resource)
    let id = id ?? write.context.newIdentifier()
    let record = try records.create(
      named(resource, id), type: type, id: id, authorization: authorization, at: write.now,
      in: writer)
    return WrittenResource(record, type: type, created: true)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    let authorization = try authorize(.update, write)
    guard try records.isTaken(type, id, in: writer) else {
      guard ifVersion == nil else { throw Failure.notFound }
      return try create(resource, id: id, write, in: writer)
    }
    try checkQuestionnaire(resource)
    let record = try records.update(
      resource, type: type, id: id, ifVersion: ifVersion, authorization: authorization,
      at: write.now, in: writer)
    return WrittenResource(record, type: type, created: false)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    let authorization = try authorize(.delete, write)
    do {
      return try records.delete(
        type, id, ifVersion: ifVersion, authorization: authorization, at: write.now, in: writer
      ).version
    } catch RecordsError.gone {
      return nil
    }
  }

  /// Throws the failure 422 with every rule that a questionnaire breaks; one that is valid but cannot be asked on a
  /// page is stored.
  private func checkQuestionnaire(_ resource: JSONValue) throws {
    guard type == .questionnaire else { return }
    let broken = QuestionnaireReader.read(resource).findings
      .filter { $0.rule != .fhir && !$0.rule.onlyPreventsAsking }
    // The rules of FHIR itself are checked where the resource is stored.
    if !broken.isEmpty { throw RecordsError.invalid(broken.map(\.issue)) }
  }

  private func authorize(_ action: Action, _ write: FHIRWriteContext) throws -> Authorization {
    let decision = decideShared(
      actor: write.actor, action: action, resource: type.rawValue, purpose: write.context.purpose)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }
}

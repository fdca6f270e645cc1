// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import FHIR
import HTTPTypes
import Identifiers
import People
import Records
import Storage
import Web

/// Writes Patients: the resource is stored as it was sent, and the person's name, zone and language
/// follow it.
struct PatientHandler: ResourceHandler {
  let type = ResourceType.patient
  let takesID = true

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    let patient = PatientID(id)
    if action != .read { _ = try write.authorize(action, type, of: patient) }
    let authorization = try write.authorize(.read, type, of: patient)
    return CurrentResource(
      try RecordStore().read(type.rawValue, id, authorization: authorization, in: reader))
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let id = id ?? write.context.newIdentifier()
    try Self.requireSystem(write)
    let resource = named(resource, id)
    try validate(resource)
    let record = try locating {
      try PeopleCommands.receive(
        new: resource, patient: PatientID(id), zone: write.environment.settings.homeZone,
        context: write.context, in: writer)
    }
    return WrittenResource(record, type: type, created: true)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    let patient = PatientID(id)
    guard try PeopleQueries.exists(patient, in: writer) else {
      // Only a system may learn that the id is free.
      guard ifVersion == nil, write.actor.isSystem else { throw Failure.notFound }
      return try create(resource, id: id, write, in: writer)
    }
    _ = try write.authorize(.update, type, of: patient)
    let resource = named(resource, id)
    try validate(resource)
    let record = try locating {
      try PeopleCommands.receive(
        resource, patient: patient, ifVersion: ifVersion, context: write.context, in: writer)
    }
    return WrittenResource(record, type: type, created: false)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    _ = try write.authorize(.delete, type, of: PatientID(id))
    throw Failure.notSupported(
      """
      A person is not deleted over FHIR. Erase the person with all data on the page Privacy, or with \
      regimen erase on the host.
      """, allowed: "GET, HEAD, PATCH, PUT")
  }

  /// Only credentials for the whole system add people; everyone else adds them on their own pages.
  private static func requireSystem(_ write: FHIRWriteContext) throws {
    guard write.actor.isWithinApp(.create, FHIRType.patient.rawValue) else {
      throw DenialReason.scopeNotAllowed
    }
    guard write.actor.isSystem else {
      throw Failure(
        .forbidden, code: FHIRIssueCode.forbidden.rawValue,
        detail: "Only a token of the system scope adds a Patient.")
    }
  }

  /// Reports what a person's row cannot take over at its element.
  private func locating<Value>(_ steps: () throws -> Value) throws -> Value {
    do {
      return try steps()
    } catch PeopleError.invalid(let issues) {
      throw RecordsError.invalid(
        issues.map { issue in
          let (element, rule) = Self.rule(issue)
          return FHIRIssue(
            code: .businessRule, expression: "Patient.\(element)", diagnostics: rule)
        })
    }
  }

  private static func rule(_ issue: PatientDetailsIssue) -> (element: String, rule: String) {
    switch (issue.field, issue.reason) {
    case (.birthDate, .inTheFuture): ("birthDate", "The date of birth must not be in the future.")
    case (.birthDate, _): ("birthDate", "The date of birth must be at most 150 years ago.")
    case (.zone, _): ("extension", "This server does not know the time zone.")
    case (_, .tooLong): ("name", "A name may have at most 100 characters.")
    default: ("name", "Send a name.")
    }
  }
}

extension Actor {
  /// True for credentials of the whole system: never a browser session, whatever its scope says.
  var isSystem: Bool { scope.systemWide && kind != .session }
}

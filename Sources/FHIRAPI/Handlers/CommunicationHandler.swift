// SPDX-License-Identifier: Apache-2.0

import Access
import CareTeam
import FHIR
import HTTPTypes
import Identifiers
import People
import Records
import Storage
import Web

/// Stores Communications of other systems, encrypted and as they were sent.
///
/// They are not messages: no one here is notified, and only those who act for the patient see them.
struct CommunicationHandler: ResourceHandler {
  let type = ResourceType.communication
  let takesID = true

  /// The codes of `event-status`.
  private static let states: Set<String> = [
    "preparation", "in-progress", "not-done", "on-hold", "stopped", "completed",
    "entered-in-error", "unknown",
  ]

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    guard let found = try CommunicationSource().find(id, write.caller, in: reader) else {
      throw Failure.notFound
    }
    _ = try write.authorize(action, type, of: found.patient)
    return CurrentResource(
      version: found.resource.version, lastUpdated: found.resource.lastUpdated,
      body: found.resource.body(), patient: found.patient)
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let patient = try ResourceOwner.patient(named: resource, type: type)
    // Members write messages, so they can't post here.
    switch ChatStanding.of(write.actor, patient: patient) {
    case .acting, .observer: break
    case .member, nil: throw Failure.notFound
    }
    let authorization = try write.authorize(.create, type, of: patient)
    guard try PeopleQueries.exists(patient, in: writer) else {
      throw ResourceOwner.unknown(type)
    }
    let id = id ?? write.context.newIdentifier()
    let communications = Communications(accounts: write.environment.accounts)
    guard try communications.patient(of: id, in: writer) == nil else { throw RecordsError.idTaken }
    let resource = named(resource, id)
    let (status, sent) = try check(resource, at: write.now)
    try validate(resource)
    let body = StampedResource.text(resource, id: id, version: 1, at: write.now)
    try communications.keep(
      body, id: id, status: status, sent: sent, authorization, at: write.now, in: writer)
    return WrittenResource(
      type: type, id: id, version: 1, lastUpdated: write.now, body: Array(body.utf8),
      created: true, patient: patient)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    throw Self.refusal
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    throw Self.refusal
  }

  private static let refusal = Failure.notSupported(
    "A Communication is kept as it was sent. It can be neither changed nor deleted.",
    allowed: "GET, HEAD, POST")

  /// Checks the status and the time sent; a mistake is reported with its element.
  private func check(_ resource: JSONValue, at now: Timestamp) throws -> (String, Timestamp) {
    guard let status = resource["status"]?.string, Self.states.contains(status) else {
      throw Failure.element(
        .unprocessableContent, .value, "Communication.status",
        "The status must be a code from event-status.")
    }
    for part in resource["payload"]?.array ?? [] {
      let contents = ["contentString", "contentAttachment", "contentReference"]
        .compactMap { part[$0] }
      guard contents.count == 1 else {
        throw Failure.element(
          .unprocessableContent, .value, "Communication.payload",
          "Each payload must have exactly one content.")
      }
    }
    guard let text = resource["sent"] else { return (status, now) }
    guard let date = text.string.flatMap(FHIRDateTime.init), let sent = date.epochMilliseconds
    else {
      throw Failure.element(
        .unprocessableContent, .value, "Communication.sent",
        "sent must be a date and time with an offset.")
    }
    return (status, Timestamp(milliseconds: sent))
  }
}

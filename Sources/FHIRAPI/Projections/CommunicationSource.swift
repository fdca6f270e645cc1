// SPDX-License-Identifier: Apache-2.0

import Accounts
import CareTeam
import FHIR
import Identifiers
import Records
import Storage
import Web

/// The Communications of a patient: messages of conversations, and resources from other systems.
///
/// People who act for the patient see all of them; a member sees only their own conversation.
struct CommunicationSource: ProjectedSource {
  func page(
    _ request: ProjectedRequest, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> ProjectedPage {
    guard var query = query(request.patient, caller) else { return .empty }
    var isExact = true
    for criterion in request.criteria where !Self.add(criterion, to: &query) { isExact = false }
    guard query.states?.isEmpty != true else { return .empty }
    let communications = Communications(accounts: caller.environment.accounts)
    if let window = request.window, isExact {
      let (until, exact) = (query.until, query)
      let resources = try NewestFirst(window: window, patient: request.patient)
        .read { limit, before in
          var part = exact
          part.limit = limit
          part.until = min(until, before)
          return try communications.search(part, in: reader).found.map { resource($0, caller) }
        }
      query.limit = 0
      let total = try communications.search(query, in: reader).total
      return ProjectedPage(resources: resources, total: total)
    }
    query.limit = Int(Int32.max)
    let resources = try communications.search(query, in: reader).found
      .map { resource($0, caller) }
      .filter { $0.matches(request.criteria, of: request.patient) }
    return ProjectedPage(resources: resources, total: resources.count)
  }

  func find(
    _ id: String, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> (patient: PatientID, resource: ProjectedResource)? {
    let communications = Communications(accounts: caller.environment.accounts)
    guard let patient = try communications.patient(of: id, in: reader),
      var query = query(patient, caller)
    else { return nil }
    query.id = id
    query.limit = 1
    guard let found = try communications.search(query, in: reader).found.first else { return nil }
    return (patient, resource(found, caller))
  }

  /// Returns the query of an account for a patient's messages; nil if it may see none.
  private func query(_ patient: PatientID, _ caller: FHIRCaller) -> CommunicationQuery? {
    guard let standing = ChatStanding.of(caller.actor, patient: patient) else { return nil }
    return CommunicationQuery(
      patient: patient, member: standing.side == .member ? caller.signedIn.account.id : nil)
  }

  // MARK: Criteria

  private static let statusSystem = "http://hl7.org/fhir/event-status"

  /// Narrows the query to a condition; false if the found resources must be compared with it.
  private static func add(
    _ criterion: SearchCriterion, to query: inout CommunicationQuery
  ) -> Bool {
    switch (criterion.parameter, criterion.test) {
    case ("_id", .ids(let ids)) where ids.count == 1 && query.id == nil:
      query.id = ids[0]
    case ("patient", .reference(let references)), ("subject", .reference(let references)):
      return references.contains { reference in
        guard case .local(let type, let id) = reference else { return false }
        return id == query.patient.text && (type == nil || type == "Patient")
      }
    case ("status", .token(let tokens)) where query.states == nil:
      guard tokens.allSatisfy({ $0.code != nil }) else { return false }
      query.states = Set(
        tokens.filter { [nil, statusSystem].contains($0.system) }.compactMap(\.code))
    case ("sent", .date(let dates)) where dates.count == 1:
      let bounds = dates[0].instantBounds
      guard !bounds.isExcluded else { return false }
      query.from = max(query.from, bounds.atLeast ?? .min)
      query.until = min(query.until, bounds.before ?? .max)
    default: return false
    }
    return true
  }

  // MARK: Resources

  private func resource(_ found: FoundCommunication, _ caller: FHIRCaller) -> ProjectedResource {
    switch found {
    case .message(let message):
      let communication = FHIRCommunication(message: message, baseURL: caller.baseURL)
      return ProjectedResource(
        id: message.id.text, version: communication.version, lastUpdated: communication.changed,
        status: message.withdrawn == nil ? "completed" : "entered-in-error",
        operation: message.withdrawn == nil ? .create : .update,
        order: [.integer(message.sent.milliseconds)],
        index: { SearchIndex(of: communication.json, type: .communication) },
        body: { communication.json.bytes })
    case .sent(let id, let text, let created):
      let body = Array(text.utf8)
      let json = (try? JSONValue(parsing: body)) ?? .object(JSONObject())
      let sent = json["sent"]?.string.flatMap { FHIRDateTime($0) }?.epochMilliseconds
      return ProjectedResource(
        id: id, version: 1, lastUpdated: created, status: json["status"]?.string,
        order: [.integer(sent ?? created.milliseconds)],
        index: { SearchIndex(of: json, type: .communication) }, body: { body })
    }
  }
}

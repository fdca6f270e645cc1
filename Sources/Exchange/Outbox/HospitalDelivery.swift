// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Logging
import Storage

/// Delivers answers to hospitals: at least once, and stored there only once.
///
/// An answer is created on the condition that none has its identifier yet. After a failure, the server is
/// searched for it before it is sent again. An existing answer is updated, which is idempotent.
package struct HospitalDelivery: Sendable {
  let context: HospitalContext

  /// Creates a delivery.
  package init(_ context: HospitalContext) {
    self.context = context
  }

  /// Sends one answer and records the result; trouble with the hospital's server is recorded, not thrown.
  package func perform(_ claim: ClaimedAdministration) async throws {
    var result: SendingResult
    do {
      result = try await send(claim)
    } catch let trouble as HospitalTrouble {
      result = .failed(trouble)
      context.logger.notice(
        "An answer did not reach a hospital",
        metadata: [
          "connection": .string(claim.connection.id.text), "trouble": .string(trouble.code),
        ])
    }
    let (now, outcome) = (context.now(), result)
    try await context.database.write { writer in
      try claim.finish(outcome, now: now, in: writer)
    }
  }

  private func send(_ claim: ClaimedAdministration) async throws -> SendingResult {
    let session = HospitalSession(context: context, connection: claim.connection)
    let token = try await session.token(claim.credentials)
    do throws(HospitalTrouble) {
      return try await send(claim, token)
    } catch {
      guard error == .expired, claim.credentials?.refresh != nil else { throw error }
      return try await send(claim, try await session.renewed(insteadOf: token))
    }
  }

  private func send(_ claim: ClaimedAdministration, _ token: String?)
    async throws(HospitalTrouble) -> SendingResult
  {
    let connection = claim.connection
    let client = HospitalClient(
      network: context.network, base: connection.base, token: token, version: connection.version)
    let form = claim.form
    var known = claim.remoteID
    if known == nil, claim.tries > 0 { known = try await find(form, client) }
    // A request that outlives the lease could overtake the one of the next node.
    guard claim.mayStillSend(at: context.now()) else { throw .unreachable }
    if let id = known {
      _ = try await client.send(
        "PUT", client.base.url("MedicationAdministration/\(id)"),
        form.resource(connection.version, remoteID: id))
      return .reached(remoteID: id)
    }
    let answer = try await client.send(
      "POST", client.base.url("MedicationAdministration"), form.resource(connection.version),
      headers: ["If-None-Exist": form.condition])
    guard let id = try await id(of: answer, form, client) else { throw .unexpected }
    return answer.status == 201 ? .reached(remoteID: id) : .known(remoteID: id)
  }

  /// Returns the id on the server: from the response's headers, its body, or a search.
  private func id(
    of answer: HospitalAnswer, _ form: AdministrationForm, _ client: HospitalClient
  ) async throws(HospitalTrouble) -> String? {
    if let location = answer.headers["location"],
      let followed = location.contains("://") ? location : client.base.followed(location),
      let local = client.base.local(followed), local.type == "MedicationAdministration"
    {
      return local.id
    }
    if let json = try? HospitalClient.json(answer.body),
      json["resourceType"]?.string == "MedicationAdministration", Self.isOf(form, json),
      let id = json["id"]?.string, HospitalAddress.isID(id)
    {
      return id
    }
    return try await find(form, client)
  }

  /// Finds the answer by its identifier and ignores any other results.
  private func find(_ form: AdministrationForm, _ client: HospitalClient)
    async throws(HospitalTrouble) -> String?
  {
    let url = client.base.url("MedicationAdministration") + "?" + form.condition
    do throws(HospitalTrouble) {
      let bundle = try await client.document(url)
      for entry in (bundle["entry"]?.array ?? []).prefix(500) {
        guard let resource = entry["resource"], Self.isOf(form, resource),
          let id = resource["id"]?.string, HospitalAddress.isID(id)
        else { continue }
        return id
      }
      return nil
    } catch {
      switch error {
      // The server allows writing but not searching.
      case .notFound, .refused, .forbidden: return nil
      default: throw error
      }
    }
  }

  private static func isOf(_ form: AdministrationForm, _ resource: JSONValue) -> Bool {
    let (system, value) = form.identifier
    return (resource["identifier"]?.array ?? []).contains {
      $0["system"]?.string == system && $0["value"]?.string == value
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import People
import Presentation
import Reminders
import Storage
import Web

/// `GET /api/v1/deliveries` and the report of a device that it showed one.
package enum DeliveriesAPI {
  /// The routes that list deliveries and report one as shown.
  package static let all: [Route] = [
    .api(.get, "/api/v1/deliveries", deliveries).takingApps(),
    .api(.post, "/api/v1/deliveries/:delivery/shown", shown),
  ]

  private static func deliveries(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let window = try QueryWindow(call)
    let authorization = try call.authorize(.read, "Delivery", of: patient)
    let (zones, accounts) = (call.environment.zones, call.environment.accounts)
    let (found, zone) = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return (
        try ReminderQueries.deliveries(
          patient: patient, from: window.from, until: window.until, accounts: accounts,
          in: reader),
        try PeopleQueries.zone(patient, zones: zones, in: reader)
      )
    }
    try await call.environment.audit(authorization, count: found.count, at: call.now)
    let writer = DoseJSON(zone: zone)
    return JSONResponse.make(["deliveries": .array(found.map(writer.json))])
  }

  /// Records that the service worker showed the notification.
  private static func shown(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("delivery")
    let body = try await BodyReader.bytes(of: call)
    let account = signedIn.account.id
    let at = call.now
    let patients = Set(signedIn.actor.rights.keys)
    let response = try await IdempotentWrite.perform(call, signedIn, body: body) { writer in
      try ReminderCommands.shown(DeliveryID(id), account: account, at: at, in: writer)
      writer.announce(patients)
      return .nothing
    }
    call.environment.live.wakeStreams(of: patients)
    return response
  }
}

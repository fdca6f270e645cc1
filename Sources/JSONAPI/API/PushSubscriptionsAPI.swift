// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import Hummingbird
import Identifiers
import Outbound
import Presentation
import Reminders
import Storage
import Web

/// `/api/v1/push-subscriptions`: the devices that receive an account's reminders.
package enum PushSubscriptionsAPI {
  /// The routes that list, add and remove devices, send a test, and confirm that it arrived.
  package static let all: [Route] = [
    .api(.get, path, list),
    .api(.post, path, add),
    .api(.delete, "\(path)/:subscription", remove),
    .api(.post, "\(path)/:subscription/test", test),
    .api(.post, "\(path)/:subscription/confirm", confirm),
  ]

  private static let path = "/api/v1/push-subscriptions"

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let subscriptions = try await environment.database.read { reader in
      try PushSubscriptions.list(signedIn.account.id, now: call.now, in: reader)
    }
    return JSONResponse.make([
      "subscriptions": .array(subscriptions.map(json)),
      "vapidPublicKey": .string(environment.channels.vapidPublicKey),
    ])
  }

  private static func json(_ subscription: PushSubscription) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(subscription.id.text)
    object["address"] = .string(subscription.maskedAddress)
    object["label"] = subscription.label.map(JSONValue.string)
    object["created"] = .string(UTC.text(subscription.created))
    object["confirmed"] = subscription.confirmed.map { .string(UTC.text($0)) }
    object["lastShown"] = subscription.lastShown.map { .string(UTC.text($0)) }
    object["broken"] = .bool(subscription.isBroken)
    return .object(object)
  }

  private static func add(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let details = try PushSubscriptionDetails(
      JSONBody(parsing: bytes), policy: call.environment.channels.policy,
      session: signedIn.credential)
    let context = call.environment.reminderContext(at: call.now)
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      let added = try PushSubscriptions.add(
        details, account: signedIn.account.id, context, in: writer)
      return WrittenAnswer(status: added.isNew ? 201 : 200, json: ["id": .string(added.id.text)])
    }
  }

  private static func remove(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("subscription")
    let now = call.now
    return try await IdempotentWrite.perform(call, signedIn, body: []) { writer in
      guard
        try PushSubscriptions.remove(
          DeviceID(id), account: signedIn.account.id, at: now, in: writer)
      else { throw Failure.notFound }
      return .nothing
    }
  }

  /// Sends a test reminder to this device.
  private static func test(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("subscription")
    let bytes = try await BodyReader.bytes(of: call)
    let environment = call.environment
    let context = environment.reminderContext(at: call.now)
    let account = signedIn.account
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      let delivery = try ReminderCommands.test(
        id, account: account.id, patient: account.patient, context, in: writer)
      return WrittenAnswer(status: 202, json: ["delivery": .string(delivery.text)])
    }
    environment.live.reminders.ring()
    return response
  }

  /// Records that the person saw the test and tapped it.
  private static func confirm(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("subscription")
    let bytes = try await BodyReader.bytes(of: call)
    let now = call.now
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      try ReminderCommands.confirm(id, account: signedIn.account.id, at: now, in: writer)
      return .nothing
    }
  }
}

extension PushSubscriptionDetails {
  /// Reads a browser's subscription (`PushSubscription.toJSON()`), with a label if the page gives
  /// one.
  init(_ body: JSONBody, policy: OutboundPolicy, session: SessionID?) throws {
    let endpoint = try body.required("endpoint")
    let keys = try body.object("keys")
    let (p256dh, auth) = (try keys.required("p256dh"), try keys.required("auth"))
    guard PushKeys(p256dh: p256dh, auth: auth) != nil else {
      throw Failure.wrong(
        "keys",
        "must be p256dh (a P-256 point, 65 bytes) and auth (16 bytes), both in base64url")
    }
    let label = (try body.text("label") ?? "").filter { !$0.isNewline }.prefix(60)
    let host: String
    do throws(OutboundError) {
      host = try policy.check(endpoint).hostText
    } catch {
      throw Failure.wrong(
        "endpoint", "must be the address of a push service this server may reach")
    }
    self.init(
      endpoint: endpoint, p256dh: p256dh, auth: auth, host: host,
      label: label.isEmpty ? nil : String(label), session: session)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import Channels
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Outbound
import Presentation
import Records
import Storage
import Web

/// Creates, replaces and deletes subscriptions.
enum SubscriptionWriteRoutes {
  static let all: [Route] = [
    .fhir(.post, "/fhir/Subscription", create),
    .fhir(.put, "/fhir/Subscription/:id", update),
    .fhir(.delete, "/fhir/Subscription/:id", delete),
  ]

  /// The most subscriptions of an account.
  static let most = 20

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    try checkScope(signedIn)
    try checkToken(signedIn)
    let sent = try await WriteBody.resource(of: call, .subscription)
    let draft = try draft(sent.resource, call)
    var subscription = EventSubscription(
      id: call.environment.newID(), account: signedIn.account.id, credential: signedIn.credential,
      topic: draft.topic, body: EventSubscription.stored(sent.resource),
      secret: WebhookSecret(random: call.environment.random).text, ends: draft.ends,
      heartbeat: draft.heartbeat, at: call.now)
    if draft.isOff {
      subscription.enter(.off, at: call.now)
      subscription.version = 1
    }
    let (created, accounts, now) = (subscription, call.environment.accounts, call.now)
    let location = "\(call.baseURL)/fhir/Subscription/\(created.id.text)"
    let hasBody = call.request.headers[.idempotencyKey] == nil
    return try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      let store = EventSubscriptionStore(accounts: accounts)
      guard try store.all(of: created.account, in: writer).count < most else {
        throw Failure.unprocessable(
          FHIRIssueCode.tooCostly.rawValue,
          "An account can have at most \(most) subscriptions. Delete one first.")
      }
      try store.insert(created, in: writer)
      audit(.create, created, signedIn, at: now, in: writer)
      return answer(created, status: 201, location: location, hasBody: hasBody)
    }
  }

  private static func update(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    try checkScope(signedIn)
    let id = try call.parameter("id")
    let (accounts, now) = (call.environment.accounts, call.now)
    // Says nothing about the content to those who may not know the subscription.
    _ = try await call.environment.database.read { reader in
      try SubscriptionRoutes.find(id, signedIn, accounts: accounts, in: reader)
    }
    try checkToken(signedIn)
    let sent = try await WriteBody.resource(of: call, .subscription)
    guard sent.resource["id"]?.string == id else {
      throw Failure.element(
        .badRequest, .invalid, "Subscription.id", "The id must match the id in the address.")
    }
    let draft = try draft(sent.resource, call)
    let condition = try IfMatch(call.request.headers[.ifMatch])
    let body = EventSubscription.stored(sent.resource)
    let hasBody = call.request.headers[.idempotencyKey] == nil
    return try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      var subscription = try SubscriptionRoutes.find(id, signedIn, accounts: accounts, in: writer)
      try condition?.check(subscription.version)
      subscription.take(draft, body: body, credential: signedIn.credential, at: now)
      try EventSubscriptionStore(accounts: accounts).replace(subscription, in: writer)
      audit(.update, subscription, signedIn, at: now, in: writer)
      return answer(subscription, status: 200, location: nil, hasBody: hasBody)
    }
  }

  private static func delete(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    try checkScope(signedIn)
    let (id, accounts, now) = (try call.parameter("id"), call.environment.accounts, call.now)
    let condition = try IfMatch(call.request.headers[.ifMatch])
    return try await IdempotentWrite.perform(call, signedIn, body: []) { writer in
      let subscription = try SubscriptionRoutes.find(id, signedIn, accounts: accounts, in: writer)
      try condition?.check(subscription.version)
      _ = try EventSubscriptionStore(accounts: accounts).delete(subscription.id, in: writer)
      audit(.delete, subscription, signedIn, at: now, in: writer)
      return .nothing
    }
  }

  // MARK: Parts

  /// Throws the failure 403 for a token that only reads, or only sends measurements.
  private static func checkScope(_ signedIn: SignedIn) throws {
    guard !signedIn.actor.scope.onlyReads, !signedIn.actor.scope.onlySendsVitals else {
      throw DenialReason.scopeNotAllowed
    }
  }

  /// Throws the failure 403 without a token, whose rights a subscription keeps.
  private static func checkToken(_ signedIn: SignedIn) throws {
    guard signedIn.actor.kind == .token else {
      throw Failure(
        .forbidden, code: FHIRIssueCode.forbidden.rawValue,
        detail: "Use a bearer token: a subscription has the rights of its token.")
    }
  }

  private static func draft(_ resource: JSONValue, _ call: Call) throws -> SubscriptionDraft {
    let issues = ResourceValidator.issues(in: resource, expecting: .subscription)
    if issues.contains(where: { $0.severity == .error || $0.severity == .fatal }) {
      throw RecordsError.invalid(issues)
    }
    let draft = try SubscriptionDraft(resource, base: "\(call.environment.baseURL)/fhir")
    do throws(OutboundError) {
      _ = try call.environment.channels.named.policy.check(draft.endpoint)
    } catch {
      throw SubscriptionDraft.wrong(
        "channel.endpoint", .businessRule,
        "This server may not send to the endpoint. Ask its operator to allow the host.")
    }
    if let ends = draft.ends, ends <= call.now, !draft.isOff {
      throw SubscriptionDraft.wrong("end", .businessRule, "The end must be in the future.")
    }
    return draft
  }

  /// An answer that is kept for repetitions of the request is not encrypted, so it has no body.
  private static func answer(
    _ subscription: EventSubscription, status: Int, location: String?, hasBody: Bool
  ) -> WrittenAnswer {
    WrittenAnswer(
      status: status, mediaType: FHIRMedia.type, location: location, etag: subscription.etag,
      lastModified: HTTPDate.text(milliseconds: subscription.changed.milliseconds),
      body: hasBody ? subscription.resource.bytes : [])
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ subscription: EventSubscription, _ signedIn: SignedIn,
    at now: Timestamp, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: signedIn.account.id, kind: kind, patient: nil, resource: "Subscription",
        resourceID: subscription.id.text, version: subscription.version,
        purpose: Purpose.care.rawValue))
  }
}

extension EventSubscription {
  /// Follows a new version of the resource: the endpoint must accept a notification again.
  mutating func take(
    _ draft: SubscriptionDraft, body: String, credential: SessionID, at now: Timestamp
  ) {
    if draft.topic != topic || state == .off { looked = now }
    topic = draft.topic
    self.body = body
    self.credential = credential
    ends = draft.ends
    heartbeat = draft.heartbeat
    trouble = nil
    failures = 0
    state = draft.isOff ? .off : .requested
    version += 1
    changed = now
    nextTry = draft.isOff ? Self.never : now
  }
}

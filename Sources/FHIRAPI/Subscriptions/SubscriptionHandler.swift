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

/// Writes Subscriptions, each with the access of the token that sent it.
struct SubscriptionHandler: ResourceHandler {
  let type = ResourceType.subscription
  let takesID = false

  /// The most subscriptions of an account.
  static let most = 20

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    try Self.check(action, write.signedIn)
    let found = try SubscriptionRoutes.find(
      id, write.signedIn, accounts: write.environment.accounts, in: reader)
    return CurrentResource(
      version: found.version, lastUpdated: found.changed, body: found.resource.bytes, patient: nil)
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    try Self.check(.create, write.signedIn)
    let access = try access(of: write, in: writer)
    let draft = try draft(resource, write)
    let environment = write.environment
    var subscription = EventSubscription(
      id: environment.newID(), account: write.signedIn.account.id, access: access,
      topic: draft.topic, body: EventSubscription.stored(resource),
      secret: WebhookSecret(random: environment.random).text, ends: draft.ends,
      heartbeat: draft.heartbeat, at: write.now)
    if draft.isOff {
      subscription.enter(.off, at: write.now)
      subscription.version = 1
    }
    let store = EventSubscriptionStore(accounts: environment.accounts)
    guard try store.all(of: subscription.account, in: writer).count < Self.most else {
      throw Failure.unprocessable(
        FHIRIssueCode.tooCostly.rawValue,
        "An account can have at most \(Self.most) subscriptions. Delete one first.")
    }
    try store.insert(subscription, in: writer)
    audit(.create, subscription, write, in: writer)
    return written(subscription, created: true, write)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    try Self.check(.update, write.signedIn)
    var subscription = try SubscriptionRoutes.find(
      id, write.signedIn, accounts: write.environment.accounts, in: writer)
    let access = try access(of: write, in: writer)
    let draft = try draft(resource, write)
    if let ifVersion, ifVersion != subscription.version {
      throw RecordsError.versionConflict(current: subscription.version)
    }
    subscription.take(
      draft, body: EventSubscription.stored(resource), access: access, at: write.now)
    try EventSubscriptionStore(accounts: write.environment.accounts)
      .replace(subscription, in: writer)
    audit(.update, subscription, write, in: writer)
    return written(subscription, created: false, write)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    try Self.check(.delete, write.signedIn)
    let accounts = write.environment.accounts
    let subscription = try SubscriptionRoutes.find(
      id, write.signedIn, accounts: accounts, in: writer)
    if let ifVersion, ifVersion != subscription.version {
      throw RecordsError.versionConflict(current: subscription.version)
    }
    _ = try EventSubscriptionStore(accounts: accounts).delete(subscription.id, in: writer)
    audit(.delete, subscription, write, in: writer)
    return nil
  }

  // MARK: Rights

  /// Throws the failure 403 for a token that only sends measurements, for one that only reads when something is to
  /// be changed, and for an app without the permission.
  static func check(_ action: Action, _ signedIn: SignedIn) throws {
    let scope = signedIn.actor.scope
    guard action == .read || action == .search || !(scope.onlyReads || scope.onlySendsVitals),
      signedIn.actor.isWithinApp(action, ResourceType.subscription.rawValue)
    else { throw DenialReason.scopeNotAllowed }
  }

  /// Throws the failure 403 without a token, whose access a subscription keeps.
  static func checkToken(_ signedIn: SignedIn) throws {
    guard signedIn.actor.kind == .token else {
      throw Failure(
        .forbidden, code: FHIRIssueCode.forbidden.rawValue,
        detail: "Use a bearer token: a subscription has the rights of its token.")
    }
  }

  private func access(
    of write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> StandingAccess {
    try Self.checkToken(write.signedIn)
    let accounts = write.environment.accounts
    let access = try accounts.standingAccess(of: write.signedIn, in: reader)
    guard try !accounts.isBackend(access, in: reader) else {
      throw Failure(
        .forbidden, code: FHIRIssueCode.forbidden.rawValue,
        detail: """
          The access of a backend service is as short as its tokens. Use a token made by the operator \
          instead.
          """)
    }
    return access
  }

  // MARK: Content

  private func draft(_ resource: JSONValue, _ write: FHIRWriteContext) throws -> SubscriptionDraft {
    let issues = ResourceValidator.issues(in: resource, expecting: type)
    if issues.contains(where: { $0.severity == .error || $0.severity == .fatal }) {
      throw RecordsError.invalid(issues)
    }
    let environment = write.environment
    let draft = try SubscriptionDraft(resource, base: "\(environment.baseURL)/fhir")
    guard write.actor.isWithinApp(.read, draft.topic.resource) else {
      throw DenialReason.scopeNotAllowed
    }
    do throws(OutboundError) {
      _ = try environment.channels.named.policy.check(draft.endpoint)
    } catch {
      throw SubscriptionDraft.wrong(
        "channel.endpoint", .businessRule,
        "This server may not send to the endpoint. Ask its operator to allow the host.")
    }
    if let ends = draft.ends, ends <= write.now, !draft.isOff {
      throw SubscriptionDraft.wrong("end", .businessRule, "The end must be in the future.")
    }
    return draft
  }

  /// An answer that is kept for repetitions of the request is not encrypted, so it has no body.
  private func written(
    _ subscription: EventSubscription, created: Bool, _ write: FHIRWriteContext
  ) -> WrittenResource {
    let isKept = write.call.request.headers[.idempotencyKey] != nil
    return WrittenResource(
      type: type, id: subscription.id.text, version: subscription.version,
      lastUpdated: subscription.changed, body: isKept ? [] : subscription.resource.bytes,
      created: created, patient: nil)
  }

  private func audit(
    _ kind: AuditEntry.Kind, _ subscription: EventSubscription, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: write.now, actor: write.signedIn.account.id, kind: kind, patient: nil,
        resource: "Subscription", resourceID: subscription.id.text, version: subscription.version,
        purpose: Purpose.care.rawValue))
  }
}

extension EventSubscription {
  /// Follows a new version of the resource: the endpoint must accept a notification again.
  mutating func take(
    _ draft: SubscriptionDraft, body: String, access: StandingAccess, at now: Timestamp
  ) {
    if draft.topic != topic || state == .off { looked = now }
    topic = draft.topic
    self.body = body
    self.access = access
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

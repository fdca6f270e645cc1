// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import Channels
import FHIR
import Identifiers
import Presentation
import Records
import Storage
import Web

/// Sends what is due for one subscription that this process has leased.
struct SubscriptionSender: Sendable {
  let environment: ServerEnvironment

  private var store: EventSubscriptionStore {
    EventSubscriptionStore(accounts: environment.accounts)
  }

  /// The work that is due.
  private enum Work: Sendable {
    /// A notification, with the number of its last event.
    case send(SubscriptionDraft, SubscriptionBundle, upTo: Int64?, read: [Authorization])
    /// Nothing that may be sent; events up to a number are done.
    case skip(upTo: Int64?)
    case fail(SubscriptionTrouble)
    /// The subscription has ended.
    case end
  }

  /// Sends one notification, and records the result unless another attempt has taken over.
  func send(_ claimed: EventSubscription) async throws {
    let (base, now) = ("\(environment.baseURL)/fhir", environment.now())
    let accounts = environment.accounts
    let work = try await environment.database.read { reader in
      try Self.work(claimed, accounts: accounts, base: base, at: now, in: reader)
    }
    switch work {
    case .end: try await finish(claimed) { $0.enter(.off, at: now) }
    case .fail(let trouble):
      try await finish(claimed) { $0.fail(finally: trouble.rawValue, at: now) }
    case .skip(let number): try await finish(claimed) { $0.accept(upTo: number, at: now) }
    case .send(let draft, let bundle, let number, let read):
      for authorization in read {
        try await environment.audit(authorization, count: 1, at: now)
      }
      let outcome = await post(bundle, draft, to: claimed, upTo: number, at: now)
      // The endpoint may have taken its time.
      let end = environment.now()
      try await finish(claimed) { $0.take(outcome, upTo: number, at: end) }
    }
  }

  private func finish(
    _ claimed: EventSubscription,
    _ change: @escaping @Sendable (inout EventSubscription) -> Void
  ) async throws {
    let store = self.store
    try await environment.database.write { writer in
      try store.finish(claimed, in: writer, change)
    }
  }

  // MARK: Content

  private static func work(
    _ claimed: EventSubscription, accounts: AccountStore, base: String, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> Work {
    if let ends = claimed.ends, ends <= now { return .end }
    let reach: SubscriptionReach
    do {
      guard
        let found = try SubscriptionReach(
          claimed, accounts: accounts, base: base, at: now, in: reader)
      else { return claimed.access.app == nil ? .fail(.tokenEnded) : .end }
      reach = found
    } catch is Failure {
      return .fail(.unusable)
    }
    var bundle = SubscriptionBundle(
      base: base, subscription: claimed, kind: .handshake, content: reach.draft.content)
    if claimed.state == .requested {
      return .send(reach.draft, bundle, upTo: nil, read: [])
    }
    let events = try EventNotificationStore.of(
      claimed.id, from: claimed.delivered + 1, through: .max, limit: reach.draft.maximum,
      in: reader)
    guard let last = events.last else {
      // Events that waited for more than a week are no longer there.
      guard claimed.events == claimed.delivered, claimed.heartbeat != nil else {
        return .skip(upTo: claimed.events)
      }
      bundle = SubscriptionBundle(
        base: base, subscription: claimed, kind: .heartbeat, content: reach.draft.content)
      return .send(reach.draft, bundle, upTo: nil, read: [])
    }
    bundle = SubscriptionBundle(
      base: base, subscription: claimed, kind: .events, content: reach.draft.content)
    let read = try add(events, to: &bundle, reach, in: reader)
    guard !bundle.events.isEmpty else { return .skip(upTo: last.number) }
    return .send(reach.draft, bundle, upTo: last.number, read: read)
  }

  /// Adds the events that may still be known to a Bundle, and returns the permissions that were used.
  static func add(
    _ events: [EventNotification], to bundle: inout SubscriptionBundle,
    _ reach: SubscriptionReach, in reader: any SQLReader
  ) throws -> [Authorization] {
    var used: [Authorization] = []
    for event in events {
      guard let authorization = reach.permission(for: event.patient),
        try reach.mayKnow(event.id, version: event.version, of: event.patient, in: reader)
      else { continue }
      var entry = SubscriptionBundle.Event(notification: event)
      if bundle.content == .full {
        entry.resource = try reach.record(
          event.id, version: event.version, of: event.patient, in: reader)?.json()
      }
      bundle.events.append(entry)
      if !used.contains(authorization) { used.append(authorization) }
    }
    return used
  }

  // MARK: Sending

  private func post(
    _ bundle: SubscriptionBundle, _ draft: SubscriptionDraft, to claimed: EventSubscription,
    upTo number: Int64?, at now: Timestamp
  ) async -> ChannelOutcome {
    guard let secret = WebhookSecret(claimed.secret) else { return .misconfigured(status: 0) }
    // The id is the same on every attempt with these events, so that a receiver can leave out repetitions.
    let part = number.map { String($0) } ?? "\(bundle.kind.rawValue)-\(claimed.attempt)"
    let id = "\(claimed.id.text)-\(part)"
    let body = bundle.history(
      id: environment.newIdentifier(), statusID: environment.newIdentifier(), at: now
    ).bytes
    let seconds = now.milliseconds / 1_000
    var request = ChannelRequest(
      address: draft.endpoint,
      headers: [
        ("Content-Type", FHIRFormat.json.mediaType), ("webhook-id", id),
        ("webhook-timestamp", String(seconds)),
        ("webhook-signature", secret.signature(id: id, seconds: seconds, body: body)),
      ] + draft.headers, body: body)
    request.timeoutSeconds = draft.timeout
    return await environment.channels.named.send(request, seconds)
  }
}

extension EventSubscription {
  /// Records the outcome of a notification.
  ///
  /// - Parameter number: The number of the last event in it; nil without events.
  mutating func take(_ outcome: ChannelOutcome, upTo number: Int64?, at now: Timestamp) {
    switch outcome {
    case .accepted: accept(upTo: number, at: now)
    case .retry(let pause, let trouble):
      fail(SubscriptionTrouble(trouble).rawValue, isPermanent: false, pause: pause, at: now)
    case .misconfigured:
      fail(SubscriptionTrouble.refused.rawValue, isPermanent: true, pause: nil, at: now)
    case .refused:
      fail(SubscriptionTrouble.notAllowed.rawValue, isPermanent: true, pause: nil, at: now)
    }
  }
}

extension SubscriptionTrouble {
  init(_ trouble: PushTrouble) {
    self =
      switch trouble {
      case .rateLimited: .rateLimited
      case .service: .service
      case .timeout: .timeout
      case .connection: .connection
      case .tls: .tls
      case .resolution: .resolution
      case .circuitOpen: .circuitOpen
      case .stopped: .stopped
      }
  }
}

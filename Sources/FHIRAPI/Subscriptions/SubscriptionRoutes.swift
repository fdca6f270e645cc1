// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Storage
import Web

/// `/fhir/Subscription`: the subscriptions of the account that asks, and their events.
enum SubscriptionRoutes {
  static let all: [Route] =
    [
      .fhir(.get, "/fhir/Subscription", search),
      .fhir(.get, "/fhir/Subscription/:id", read),
    ] + SubscriptionWriteRoutes.all + operations

  private static let operations: [Route] = [
    .fhir(.get, "/fhir/Subscription/:id/$status", status),
    .fhir(.get, "/fhir/Subscription/:id/$events", events),
    Route.fhir(.post, "/fhir/Subscription/:id/$status", status).onlyReading(),
    Route.fhir(.post, "/fhir/Subscription/:id/$events", events).onlyReading(),
  ]

  /// The entry of the capability statement.
  static var capability: JSONValue {
    let interactions = ["read", "search-type", "create", "update", "delete"]
    let topics = EventTopic.allCases.map { topic -> JSONValue in
      ["url": .string(topicExtension), "valueCanonical": .string(topic.canonical)]
    }
    let operations = ["status", "events"].map { name -> JSONValue in
      [
        "name": .string(name),
        "definition": .string("\(backport)OperationDefinition/backport-subscription-\(name)"),
      ]
    }
    var entry: JSONValue = [
      "extension": .array(topics), "type": "Subscription",
      "supportedProfile": [.string("\(backport)StructureDefinition/backport-subscription")],
    ]
    entry["interaction"] = .array(interactions.map { ["code": .string($0)] })
    entry["versioning"] = "versioned-update"
    for name in ["readHistory", "updateCreate", "conditionalCreate", "conditionalUpdate"] {
      entry[name] = false
    }
    entry["conditionalRead"] = "not-supported"
    entry["conditionalDelete"] = "not-supported"
    entry["searchParam"] = .array(
      ["_id", "status"].map { ["name": .string($0), "type": "token"] })
    entry["operation"] = .array(operations)
    return entry
  }

  private static let backport = "http://hl7.org/fhir/uv/subscriptions-backport/"
  private static let topicExtension =
    backport + "StructureDefinition/capabilitystatement-subscriptiontopic-canonical"

  // MARK: Reading

  private static func search(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    try SubscriptionHandler.check(.search, signedIn)
    let arguments = try OperationArguments(
      query: call.request.uri.query ?? "", taking: ["_id", "status", "_count", "_cursor"])
    let (ids, states) = (try arguments.texts("_id"), try arguments.texts("status"))
    let (most, after) = (try arguments.count("_count"), try arguments.text("_cursor") ?? "")
    let accounts = call.environment.accounts
    let found = try await call.environment.database.read { reader -> [EventSubscription] in
      let access = try accounts.standingAccess(of: signedIn, in: reader)
      return try EventSubscriptionStore(accounts: accounts)
        .all(of: signedIn.account.id, in: reader).filter { $0.isKnown(to: access) }
    }.filter { subscription in
      (ids.isEmpty || ids.contains(subscription.id.text))
        && (states.isEmpty || states.contains(subscription.state.rawValue))
    }
    let rest = found.sorted { $0.id.text < $1.id.text }.drop { $0.id.text <= after }
    let page = rest.prefix(most ?? rest.count)
    let entries = page.map { subscription -> JSONValue in
      [
        "fullUrl": .string("\(call.baseURL)/fhir/Subscription/\(subscription.id.text)"),
        "resource": subscription.resource, "search": ["mode": "match"],
      ]
    }
    let address = "\(call.baseURL)/fhir/Subscription"
    let query = call.request.uri.query.map { "?\($0)" } ?? ""
    var links: [JSONValue] = [["relation": "self", "url": .string(address + query)]]
    if page.count < rest.count, let last = page.last {
      let further =
        SearchQueryParser.pairs(query: call.request.uri.query ?? "")
        .filter { $0.name != "_cursor" }.map { ($0.name, $0.value) } + [("_cursor", last.id.text)]
      links.append(
        ["relation": "next", "url": .string("\(address)?\(QueryText.encode(further))")])
    }
    var bundle: JSONValue = [
      "resourceType": "Bundle", "type": "searchset", "total": .number(JSONNumber(found.count)),
      "link": .array(links),
    ]
    if !entries.isEmpty { bundle["entry"] = .array(entries) }
    return JSONResponse.make(bundle, mediaType: FHIRMedia.type)
  }

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let subscription = try await own(call, signedIn)
    if FHIRMedia.names(subscription.version, in: call.request.headers[.ifNoneMatch]) {
      return Response(
        status: .notModified, headers: [.eTag: subscription.etag, .cacheControl: "no-store"])
    }
    return WrittenAnswer(
      status: 200, mediaType: FHIRMedia.type, etag: subscription.etag,
      lastModified: HTTPDate.text(milliseconds: subscription.changed.milliseconds),
      body: subscription.resource.bytes
    ).response
  }

  /// Returns the subscription in the address; throws "not found" unless it is the caller's own.
  private static func own(_ call: Call, _ signedIn: SignedIn) async throws -> EventSubscription {
    try SubscriptionHandler.check(.read, signedIn)
    let (id, accounts) = (try call.parameter("id"), call.environment.accounts)
    return try await call.environment.database.read { reader in
      try find(id, signedIn, accounts: accounts, in: reader)
    }
  }

  /// Returns a subscription; throws "not found" unless it is the caller's own.
  static func find(
    _ id: String, _ signedIn: SignedIn, accounts: AccountStore, in reader: any SQLReader
  ) throws -> EventSubscription {
    try ResourceReader.check(id)
    let found = try EventSubscriptionStore(accounts: accounts).find(
      EventSubscriptionID(id), in: reader)
    let access = try accounts.standingAccess(of: signedIn, in: reader)
    guard let found, found.account == signedIn.account.id, found.isKnown(to: access) else {
      throw Failure.notFound
    }
    return found
  }

  // MARK: Operations

  private static func status(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let subscription = try await own(call, signedIn)
    _ = try await OperationArguments.read(call, taking: [])
    let bundle = SubscriptionBundle(
      base: "\(call.baseURL)/fhir", subscription: subscription, kind: .queryStatus,
      content: .idOnly)
    return JSONResponse.make(
      bundle.search(statusID: call.environment.newIdentifier()), mediaType: FHIRMedia.type)
  }

  /// Returns the events of the last week that the subscription's token may still know.
  private static func events(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let subscription = try await own(call, signedIn)
    let arguments = try await OperationArguments.read(
      call, taking: ["eventsSinceNumber", "eventsUntilNumber", "content"])
    let first = Int64(try arguments.count("eventsSinceNumber") ?? 0)
    let last = try arguments.count("eventsUntilNumber").map { Int64($0) } ?? .max
    let wanted = try arguments.text("content").map { text in
      guard let content = SubscriptionDraft.Content(rawValue: text) else {
        throw OperationFault.bad(
          "content", .value, "The content is empty, id-only or full-resource.")
      }
      return content
    }
    let (accounts, base, now) = (
      call.environment.accounts, "\(call.baseURL)/fhir", call.now
    )
    let (bundle, used) = try await call.environment.database.read { reader in
      guard
        let reach = try SubscriptionReach(
          subscription, accounts: accounts, base: base, at: now, in: reader)
      else {
        throw Failure(
          .conflict, code: FHIRIssueCode.conflict.rawValue,
          detail: "The token of the subscription has ended. Send it again with a new one.")
      }
      var bundle = SubscriptionBundle(
        base: base, subscription: subscription, kind: .queryEvents,
        content: wanted ?? reach.draft.content)
      let events = try EventNotificationStore.of(
        subscription.id, from: first, through: last, limit: mostEvents, in: reader)
      let used = try SubscriptionSender.add(events, to: &bundle, reach, in: reader)
      return (bundle, used)
    }
    for authorization in used {
      try await call.environment.audit(authorization, count: 1, at: now)
    }
    return JSONResponse.make(
      bundle.history(
        id: call.environment.newIdentifier(), statusID: call.environment.newIdentifier(), at: now),
      mediaType: FHIRMedia.type)
  }

  /// The most events in one answer; the next ones follow with a higher `eventsSinceNumber`.
  private static let mostEvents = 100
}

extension EventSubscription {
  /// Returns true if an access of its account may know of it: an app knows only what it made itself.
  fileprivate func isKnown(to access: StandingAccess) -> Bool {
    access.app == nil || (self.access.app != nil && self.access.grant == access.grant)
  }
}

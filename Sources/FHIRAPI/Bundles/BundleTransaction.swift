// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import People
import Storage
import Web

/// All entries of a transaction, made in one transaction of the database: all of them take effect, or
/// none.
///
/// The order is that of FHIR: deletions, then new and changed resources, then reads. A resource is
/// written after those that it refers to.
struct BundleTransaction {
  let entries: [BundleEntry]
  let write: FHIRWriteContext
  let writer: any SQLWriter

  private var engine: WriteEngine { WriteEngine(write: write, writer: writer) }

  /// Makes all changes and reads, and returns the results in the order of the entries.
  ///
  /// - Throws: The failure of the first entry that fails, with its place.
  func perform() throws -> [BundleResult] {
    var results = [BundleResult?](repeating: nil, count: entries.count)
    for entry in entries where entry.method == .delete {
      results[entry.index] = .change(
        try inEntry(entry) { try engine.perform(try entry.request(nil)) })
    }
    let changes = entries.filter { !$0.method.isRead && $0.method != .delete }
    let prepared = try changes.sorted(by: Self.comesFirst).map { entry in
      try inEntry(entry) { try prepare(entry) }
    }
    try refuseRepeatedResources(prepared)
    try makeChanges(prepared, into: &results)
    for entry in entries where entry.method.isRead {
      results[entry.index] = .read(
        try inEntry(entry) { try BundleRead(entry: entry, write: write).answer(in: writer) })
    }
    return results.compactMap(\.self)
  }

  /// New resources come before changed ones; entries with the same method keep their order.
  private static func comesFirst(_ one: BundleEntry, _ other: BundleEntry) -> Bool {
    let isNew = (one.method == .post, other.method == .post)
    return isNew.0 == isNew.1 ? one.index < other.index : isNew.0
  }

  // MARK: Identities

  /// A change with the resource that it will make or change.
  private struct Prepared {
    let entry: BundleEntry
    /// The key of the resource; nil until the resource is stored.
    let key: String?
    /// The id for a new resource.
    var newID: String?
    /// True if the conditions of the entry found the resource.
    var isFound = false
  }

  /// Finds the resource that a change is about, or chooses the id of a new one.
  private func prepare(_ entry: BundleEntry) throws -> Prepared {
    let request = try entry.request(entry.resource)
    let name = request.type.rawValue
    switch request.target {
    case .id(let id): return Prepared(entry: entry, key: "\(name)/\(id)")
    case .new(let condition):
      if let condition, let id = try engine.match(request.type, condition) {
        return Prepared(entry: entry, key: "\(name)/\(id)", isFound: true)
      }
      return new(entry, request.type)
    case .criteria(let query):
      if let id = try engine.match(request.type, query) {
        return Prepared(entry: entry, key: "\(name)/\(id)", isFound: true)
      }
      if let id = entry.resource?["id"]?.string, entry.method == .put {
        return Prepared(entry: entry, key: "\(name)/\(id)")
      }
      return new(entry, request.type)
    }
  }

  private func new(_ entry: BundleEntry, _ type: ResourceType) -> Prepared {
    guard ResourceHandlers.handler(of: type)?.takesID == true else {
      return Prepared(entry: entry, key: nil)
    }
    let id = write.context.newIdentifier()
    return Prepared(entry: entry, key: "\(type.rawValue)/\(id)", newID: id)
  }

  /// Refuses a transaction that changes a resource twice, or that makes a resource twice under the
  /// same condition.
  private func refuseRepeatedResources(_ prepared: [Prepared]) throws {
    var keys = Set(entries.filter { $0.method == .delete }.compactMap(\.key))
    var conditions: Set<String> = []
    for change in prepared {
      let place = change.entry.expression
      // Several entries may find the same resource and leave it unchanged.
      let isUnchanged = change.entry.method == .post && change.isFound
      if let key = change.key, !isUnchanged, !keys.insert(key).inserted {
        throw Failure.element(
          .badRequest, .invalid, "\(place).request.url",
          "The transaction changes this resource twice.")
      }
      if change.entry.method == .post, !change.isFound,
        let condition = change.entry.conditions["ifNoneExist"]?.string,
        !conditions.insert("\(change.entry.path[0])?\(condition)").inserted
      {
        throw Failure.element(
          .badRequest, .invalid, "\(place).request.ifNoneExist",
          "Another entry creates a resource under the same condition.")
      }
    }
  }

  // MARK: Changes

  private func makeChanges(
    _ prepared: [Prepared], into results: inout [BundleResult?]
  ) throws {
    var addresses = BundleAddresses()
    for change in prepared {
      if let address = change.entry.fullURL, let key = change.key {
        addresses.add(address, as: key)
      }
    }
    for position in order(of: prepared).positions {
      let change = prepared[position]
      let entry = change.entry
      let result = try inEntry(entry) {
        let resource = try entry.resource.map { try resolved($0, of: entry, addresses) }
        return try engine.perform(try entry.request(resource, newID: change.newID))
      }
      let made = result.resource.map { "\($0.type.rawValue)/\($0.id)" }
      if let key = change.key, let made, made != key {
        // An entry before it made a resource that meets the conditions of this one.
        throw Failure.element(
          .badRequest, .invalid, "\(entry.expression).request",
          "Another entry stands for the same resource.")
      }
      if let address = entry.fullURL, let made { addresses.add(address, as: made) }
      results[entry.index] = .change(result)
    }
  }

  /// Returns the order in which every resource follows those that it refers to.
  private func order(of prepared: [Prepared]) -> BundleOrder {
    var positions: [String: Int] = [:]
    for (position, change) in prepared.enumerated() {
      for address in [change.entry.fullURL, change.key].compactMap(\.self) {
        positions[address] = position
      }
    }
    return BundleOrder(
      dependencies: prepared.enumerated().map { position, change in
        guard let resource = change.entry.resource else { return [] }
        let targets = BundleReferences.texts(in: resource).compactMap { text, _ -> Int? in
          positions[text]
            ?? change.entry.fullURL.flatMap { BundleAddresses.absolute(text, from: $0) }
            .flatMap { positions[$0] }
        }
        return Set(targets).subtracting([position]).sorted()
      })
  }

  /// Returns a resource whose references name resources of this server.
  private func resolved(
    _ resource: JSONValue, of entry: BundleEntry, _ addresses: BundleAddresses
  ) throws -> JSONValue {
    try BundleReferences.rewritten(resource) { text, isReference in
      if let known = addresses.reference(for: text, from: entry.fullURL) { return known }
      guard isReference else { return nil }
      if BundleAddresses.isLocal(text) {
        throw Failure.element(
          .badRequest, .notFound, "\(entry.expression).resource",
          "A reference names no other entry of the transaction, or one that refers back to it.")
      }
      return try conditional(text, of: entry)
    }
  }

  /// Returns the reference that criteria such as `Patient?identifier=…` stand for; nil for any other
  /// text.
  private func conditional(_ text: String, of entry: BundleEntry) throws -> String? {
    let sides = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, let type = ResourceType(rawValue: String(sides[0])) else { return nil }
    guard let id = try engine.match(type, String(sides[1])) else {
      throw Failure.element(
        .preconditionFailed, .notFound, "\(entry.expression).resource",
        "No resource matches the criteria of a reference.")
    }
    return "\(type.rawValue)/\(id)"
  }

  private func inEntry<Value>(_ entry: BundleEntry, _ steps: () throws -> Value) throws -> Value {
    do {
      return try steps()
    } catch {
      // A failure of the server itself is not about an entry.
      guard let failure = Failure(mapping: error), failure.status.code < 500 else { throw error }
      throw failure.inEntry(entry.index)
    }
  }
}

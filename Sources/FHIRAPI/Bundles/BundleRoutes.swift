// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import HTTPTypes
import Hummingbird
import Storage
import Web

/// `POST /fhir`: batches and transactions.
enum BundleRoutes {
  /// The most entries of one Bundle.
  static let mostEntries = 1_000
  /// The largest Bundle, in bytes.
  static let largest = 10 * 1_024 * 1_024
  /// The limits of a Bundle with its resources.
  static let limits = JSONLimits(maximumBytes: largest)

  static let all: [Route] = [.fhir(.post, "/fhir", take).taking(upTo: largest, within: 120)]

  private static func take(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let (bytes, bundle) = try await BundleBody.read(call)
    let stated = ReturnPreference(call.request.headers[.prefer])
    // Answers that are stored with a key contain no resources, which may have to stay encrypted.
    let preference = call.request.headers[.idempotencyKey] == nil ? stated : .minimal
    let write = FHIRWriteContext(call, signedIn, preference: preference ?? .minimal)
    let items = try items(of: bundle)
    switch bundle["type"]?.string {
    case "transaction":
      let entries = try items.enumerated().map { index, item in
        try BundleEntry(item, at: index, base: write.caller.base)
      }
      try refuseRepeatedAddresses(entries)
      return try await transaction(entries, write, preference, bytes)
    case "batch": return try await batch(items, write, preference, bytes)
    default:
      throw Failure.element(
        .badRequest, .value, "Bundle.type",
        "Send a batch or a transaction here. A document is stored at Bundle.")
    }
  }

  private static func items(of bundle: JSONValue) throws -> [JSONValue] {
    guard let entry = bundle["entry"] else { return [] }
    guard let items = entry.array else {
      throw Failure.element(.badRequest, .structure, "Bundle.entry", "entry must be a list.")
    }
    guard items.count <= mostEntries else {
      throw Failure.element(
        .contentTooLarge, .tooCostly, "Bundle.entry",
        "A Bundle may have at most \(mostEntries) entries. Send several.")
    }
    return items
  }

  private static func refuseRepeatedAddresses(_ entries: [BundleEntry]) throws {
    var addresses: Set<String> = []
    var keys: Set<String> = []
    for entry in entries {
      if !entry.method.isRead, let address = entry.fullURL, !addresses.insert(address).inserted {
        throw Failure.element(
          .badRequest, .invalid, "\(entry.expression).fullUrl",
          "Another entry has the same fullUrl.")
      }
      if !entry.method.isRead, let key = entry.key, !keys.insert(key).inserted {
        throw Failure.element(
          .badRequest, .invalid, "\(entry.expression).request.url",
          "The transaction changes this resource twice.")
      }
    }
  }

  // MARK: Transactions

  private static func transaction(
    _ entries: [BundleEntry], _ write: FHIRWriteContext, _ preference: ReturnPreference?,
    _ bytes: [UInt8]
  ) async throws -> Response {
    let aftermath = BundleAftermath()
    let response = try await IdempotentWrite.perform(write.call, write.signedIn, body: bytes) {
      writer in
      let results = try BundleTransaction(entries: entries, write: write, writer: writer).perform()
      aftermath.take(results)
      return answer("transaction-response", results, preference, write)
    }
    try await aftermath.follow(write)
    return response
  }

  // MARK: Batches

  /// Makes each entry on its own; one that fails leaves the others untouched.
  private static func batch(
    _ items: [JSONValue], _ write: FHIRWriteContext, _ preference: ReturnPreference?,
    _ bytes: [UInt8]
  ) async throws -> Response {
    let digest = Fingerprint.digest(of: bytes)
    return try await IdempotentWrite.performInSteps(write.call, write.signedIn, digest: digest) {
      var results = [BundleResult?](repeating: nil, count: items.count)
      var entries: [BundleEntry] = []
      for (index, item) in items.enumerated() {
        do {
          entries.append(try BundleEntry(item, at: index, base: write.caller.base))
        } catch {
          results[index] = .failure(try failure(error, of: index))
        }
      }
      let addresses = Set(entries.compactMap(\.fullURL).filter(BundleAddresses.isLocal))
      for entry in entries.sorted(by: comesFirst) {
        do {
          results[entry.index] = try await perform(entry, addresses, write)
        } catch {
          results[entry.index] = .failure(try failure(error, of: entry.index))
        }
      }
      return answer("batch-response", results.compactMap(\.self), preference, write)
    }
  }

  /// Deletions come first, then new resources, then changes, then reads.
  private static func comesFirst(_ one: BundleEntry, _ other: BundleEntry) -> Bool {
    func rank(_ entry: BundleEntry) -> Int {
      switch entry.method {
      case .delete: 0
      case .post: 1
      case .put, .patch: 2
      case .get, .head: 3
      }
    }
    return (rank(one), one.index) < (rank(other), other.index)
  }

  private static func perform(
    _ entry: BundleEntry, _ addresses: Set<String>, _ write: FHIRWriteContext
  ) async throws -> BundleResult {
    let database = write.environment.database
    if entry.method.isRead {
      let read = BundleRead(entry: entry, write: write)
      let answer = try await database.read { try read.answer(in: $0) }
      try await answer.audit(write)
      return .read(answer)
    }
    let names = entry.resource.map { BundleReferences.texts(in: $0).map(\.text) } ?? []
    guard addresses.isDisjoint(with: names) else {
      throw Failure.element(
        .badRequest, .invalid, "\(entry.expression).resource",
        "Entries of a batch cannot refer to each other. Send a transaction.")
    }
    let request = try entry.request(entry.resource)
    let aftermath = BundleAftermath()
    let result = try await database.write { writer in
      try WriteEngine(write: write, writer: writer).perform(request)
    }
    aftermath.take([.change(result)])
    try await aftermath.follow(write)
    return .change(result)
  }

  /// Returns the failure of an entry; throws an error that clients must not see.
  private static func failure(_ error: any Error, of index: Int) throws -> Failure {
    guard let failure = Failure(mapping: error) else { throw error }
    return failure.inEntry(index)
  }

  private static func answer(
    _ type: String, _ results: [BundleResult], _ preference: ReturnPreference?,
    _ write: FHIRWriteContext
  ) -> WrittenAnswer {
    var bundle: JSONValue = ["resourceType": "Bundle", "type": .string(type)]
    if !results.isEmpty {
      bundle["entry"] = .array(results.map { $0.entry(preference, baseURL: write.baseURL) })
    }
    return WrittenAnswer(status: 200, mediaType: FHIRMedia.type, body: bundle.bytes)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Records
import Storage
import Web

/// A read or a search that an entry of a Bundle asks for.
struct BundleRead: Sendable {
  let entry: BundleEntry
  let write: FHIRWriteContext

  /// The answer, with what the access log must contain of it.
  struct Answer: Sendable {
    /// The entry of the response.
    let entry: JSONValue
    /// The permission for a single resource; nil for a shared one.
    var authorization: Authorization?
    /// The search, with its results.
    var search: (engine: FHIRSearchEngine, outcome: FHIRSearchEngine.Outcome)?
    /// The history, with its versions.
    var history: (engine: HistoryEngine, page: HistoryFinder.Page)?

    /// Records the read, before the answer is sent.
    func audit(_ write: FHIRWriteContext) async throws {
      if let authorization {
        try await write.environment.audit(authorization, count: 1, at: write.now)
      }
      if let search { try await search.engine.audit(search.outcome) }
      if let history { try await history.engine.audit(history.page) }
    }
  }

  /// Reads within the transaction of the Bundle, so that the changes of a transaction are visible.
  func answer(in reader: any SQLReader) throws -> Answer {
    if entry.path.count == 2, entry.path[0] == ResourceType.subscription.rawValue {
      return try subscription(entry.path[1], in: reader)
    }
    let path = entry.path
    if path == ["_history"] { return try history(.system, in: reader) }
    guard let name = path.first, let type = FHIRType(rawValue: name) else {
      throw Failure.notFound
    }
    switch path.count {
    case 1: return try search(type, in: reader)
    case 2 where path[1] == "_history" && type.hasTypeHistory:
      return try history(.type(type), in: reader)
    case 2: return try read(type, path[1], version: nil, in: reader)
    case 3 where path[2] == "_history":
      return try history(.resource(type, path[1]), in: reader)
    case 3 where type == .patient:
      guard let member = FHIRType(rawValue: path[2]), member.isInPatientCompartment else {
        throw Failure.notFound
      }
      try ResourceReader.check(path[1])
      return try search(member, of: PatientID(path[1]), in: reader)
    case 4 where path[2] == "_history":
      guard let version = Int64(path[3]) else { throw Failure.notFound }
      return try read(type, path[1], version: version, in: reader)
    default: throw Failure.notFound
    }
  }

  private func read(
    _ type: FHIRType, _ id: String, version: Int64?, in reader: any SQLReader
  ) throws -> Answer {
    let resources = ResourceReader(caller: write.caller)
    let found =
      if let version {
        try resources.version(type, id, version, in: reader)
      } else {
        try resources.current(type, id, in: reader)
      }
    let resource = found.resource
    let isKnown = FHIRMedia.names(
      resource.version, in: entry.conditions["ifNoneMatch"]?.string)
    var answer: JSONValue = [
      "fullUrl": .string("\(write.caller.base)/\(type.rawValue)/\(id)")
    ]
    if !isKnown, entry.method != .head {
      answer["resource"] = resource.json
    }
    answer["response"] = [
      "status": .string(BundleResult.status(isKnown ? .notModified : .ok)),
      "etag": .string(resource.etag),
      "lastModified": .string(
        FHIRDateTime.instantText(
          milliseconds: resource.lastUpdated.milliseconds, offsetMinutes: 0)),
    ]
    return Answer(entry: answer, authorization: found.authorization)
  }

  /// Returns a subscription of the account.
  private func subscription(_ id: String, in reader: any SQLReader) throws -> Answer {
    let found = try SubscriptionHandler().current(id, for: .read, write, in: reader)
    var answer: JSONValue = [
      "fullUrl": .string("\(write.caller.base)/Subscription/\(id)")
    ]
    let isKept = write.call.request.headers[.idempotencyKey] != nil
    // An answer that is kept for repetitions of the request is not encrypted.
    if entry.method != .head, !isKept {
      answer["resource"] = try JSONValue(parsing: found.body)
    }
    answer["response"] = [
      "status": .string(BundleResult.status(.ok)), "etag": .string("W/\"\(found.version)\""),
    ]
    return Answer(entry: answer)
  }

  private func search(
    _ type: FHIRType, of compartment: PatientID? = nil, in reader: any SQLReader
  ) throws -> Answer {
    let engine = FHIRSearchEngine(
      type: type, caller: write.caller, compartment: compartment)
    let request = try engine.request(FHIRQuery.pairs(entry.query ?? ""))
    let outcome = try engine.outcome(request, in: reader)
    let answer = try found { engine.bundle(outcome).bytes }
    return Answer(entry: answer, search: (engine, outcome))
  }

  private func history(_ scope: HistoryEngine.Scope, in reader: any SQLReader) throws -> Answer {
    let engine = HistoryEngine(scope: scope, caller: write.caller)
    let request = try engine.request(entry.query ?? "")
    let page = try engine.page(request, in: reader)
    let answer = try found { engine.bundle(request, page).bytes }
    return Answer(entry: answer, history: (engine, page))
  }

  /// Returns the entry with a Bundle that was found, which a HEAD does not ask for.
  private func found(_ bundle: () -> [UInt8]) throws -> JSONValue {
    var answer: JSONValue = [:]
    if entry.method != .head {
      answer["resource"] = try JSONValue(parsing: bundle(), limits: BundleRoutes.limits)
    }
    answer["response"] = ["status": .string(BundleResult.status(.ok))]
    return answer
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Storage
import Synchronization
import Web

/// Creates, replaces, patches and deletes resources, by their address or by criteria.
enum FHIRWriteRoutes {
  static let all: [Route] = ResourceHandlers.types.flatMap(routes)

  private static func routes(_ type: ResourceType) -> [Route] {
    let path = "/fhir/\(type.rawValue)"
    let create = Route.fhir(.post, path) { call, signedIn in
      try await write(call, signedIn, type, at: new)
    }
    // Communications are kept as they were sent.
    guard type != .communication else { return [create] }
    let further: [Route] = [
      .fhir(.put, "\(path)/:id") { try await write($0, $1, type, at: address) },
      .fhir(.patch, "\(path)/:id") { try await write($0, $1, type, at: address) },
      .fhir(.delete, "\(path)/:id") { try await write($0, $1, type, at: address) },
      .fhir(.put, path) { try await write($0, $1, type, at: criteria) },
      .fhir(.patch, path) { try await write($0, $1, type, at: criteria) },
      .fhir(.delete, path) { try await write($0, $1, type, at: criteria) },
    ]
    // Phones with a token of their own only add measurements.
    return [type == .observation ? create.takingVitals() : create] + further
  }

  // MARK: Targets

  /// Reads `If-None-Exist`; some public clients send its criteria as the query of the address.
  private static func new(_ call: Call) throws -> WriteRequest.Target {
    let header = call.request.headers[.ifNoneExist]
    let result: Set = ["_format", "_pretty"]
    let hasCriteria = call.query.contains { !result.contains($0.name) }
    return .new(ifNoneExist: header ?? (hasCriteria ? call.request.uri.query : nil))
  }

  private static func address(_ call: Call) throws -> WriteRequest.Target {
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else {
      guard call.request.method == .put else { throw Failure.notFound }
      throw Failure.badRequest("value", "The id in the address must be a FHIR id.")
    }
    return .id(id)
  }

  private static func criteria(_ call: Call) throws -> WriteRequest.Target {
    .criteria(call.request.uri.query ?? "")
  }

  // MARK: Writing

  private static func write(
    _ call: Call, _ signedIn: SignedIn, _ type: ResourceType,
    at target: (Call) throws -> WriteRequest.Target
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let target = try target(call)
    let (bytes, change) = try await change(call, type)
    var request = WriteRequest(
      type: type, target: target, change: change,
      ifMatch: try IfMatch(call.request.headers[.ifMatch]))
    request.mustBeNew =
      call.request.method == .put
      && call.request.headers[.ifNoneMatch]?.filter { $0 != " " } == "*"
    var preference = ReturnPreference(call.request.headers[.prefer])
    if type == .communication, call.request.headers[.idempotencyKey] != nil {
      // Answers stored with a key are not encrypted.
      preference = .minimal
    }
    let context = FHIRWriteContext(call, signedIn, preference: preference ?? .representation)
    let aftermath = WriteAftermath()
    let (asked, preferred) = (request, preference)
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      let result = try WriteEngine(write: context, writer: writer).perform(asked)
      aftermath.take([result])
      return WriteAnswer(result: result, baseURL: context.baseURL).written(preferred)
    }
    try await aftermath.follow(context)
    return response
  }

  /// Returns the change that a request asks for, with the bytes of its body.
  private static func change(
    _ call: Call, _ type: ResourceType
  ) async throws -> ([UInt8], WriteRequest.Change) {
    switch call.request.method {
    case .delete: return ([], .deletion)
    case .patch:
      let sent = try await WriteBody.patch(of: call)
      return (sent.bytes, .patch(sent.patch))
    default:
      let sent = try await WriteBody.resource(of: call, type)
      return (sent.bytes, .resource(sent.resource))
    }
  }
}

/// Everything that follows a committed write: open pages are updated, and what was read is audited.
final class WriteAftermath: Sendable {
  private let results = Mutex<[WriteResult]>([])

  /// Keeps the results of the last run of a transaction, which may run more than once.
  func take(_ results: [WriteResult]) {
    self.results.withLock { $0 = results }
  }

  /// Follows the results after the commit.
  func follow(_ write: FHIRWriteContext) async throws {
    let results = results.withLock { $0 }
    let changed = Set(results.filter { $0.outcome != .found }.compactMap(\.patient))
    write.environment.live.changed(changed)
    for result in results where result.outcome == .found {
      guard let patient = result.patient else { continue }
      let authorization = try write.authorize(.read, result.type, of: patient)
      try await write.environment.audit(authorization, count: 1, at: write.now)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Records
import Storage
import Web

/// Carries out changes of resources within one transaction.
///
/// Conditions are evaluated in the same transaction as the change. Transactions that write are
/// serialised by SQLite and serialisable on PostgreSQL, so that of two equal conditional creates one
/// finds the resource of the other.
struct WriteEngine {
  let write: FHIRWriteContext
  let writer: any SQLWriter

  func perform(_ request: WriteRequest) throws -> WriteResult {
    let handler = try Self.handler(for: request)
    switch (request.target, request.change) {
    case (.new(let condition), .resource(let resource)):
      return try create(resource, unless: condition, request, handler)
    case (.id(let id), .resource(let resource)):
      return try update(resource, id: id, request, handler)
    case (.id(let id), .patch(let patch)):
      return try apply(patch, to: id, request, handler)
    case (.id(let id), .deletion):
      return try delete(id, request, handler)
    case (.criteria(let query), let change):
      return try perform(change, onMatchOf: query, request, handler)
    case (.new, .patch), (.new, .deletion):
      throw Failure.badRequest(FHIRIssueCode.required.rawValue, "Name the resource to change.")
    }
  }

  /// Returns the id of the only resource that matches the criteria of a conditional change; nil if
  /// none does.
  ///
  /// - Throws: The failure 412 if several match, or without criteria.
  func match(_ type: ResourceType, _ query: String) throws -> String? {
    guard type != .subscription else { throw Self.onlyByID }
    let matches = try ConditionalSearch(type: type, query: query, write: write)
      .ids(limit: 2, in: writer)
    guard matches.count < 2 else {
      throw Failure(
        .preconditionFailed, code: FHIRIssueCode.multipleMatches.rawValue,
        detail: "More than one resource matches the criteria. Make them more specific.")
    }
    return matches.first
  }

  // MARK: Changes

  private func create(
    _ resource: JSONValue, unless condition: String?, _ request: WriteRequest,
    _ handler: any ResourceHandler
  ) throws -> WriteResult {
    if let condition, let id = try match(request.type, condition) {
      let current = try handler.current(id, for: .read, write, in: writer)
      try require(current, id: id, of: request.type, for: .read)
      return WriteResult(
        .found,
        WrittenResource(
          type: request.type, id: id, version: current.version, lastUpdated: current.lastUpdated,
          body: current.body, created: false, patient: current.patient))
    }
    let id = handler.takesID ? request.newID : nil
    let written = try handler.create(resource, id: id, write, in: writer)
    try require(written, for: .create)
    // A resource that is stored once under its identifier may exist already.
    return WriteResult(written.created ? .created : .updated, written)
  }

  private func update(
    _ resource: JSONValue, id: String, _ request: WriteRequest, _ handler: any ResourceHandler
  ) throws -> WriteResult {
    guard resource["id"]?.string == id else {
      throw Failure.element(
        .badRequest, .invalid, "\(request.type.rawValue).id",
        "The id must match the id in the address.")
    }
    try requireCurrent(id, for: .update, handler)
    let version = try checked(request, id, handler)
    let written = try handler.update(resource, id: id, ifVersion: version, write, in: writer)
    try require(written, for: .update)
    return WriteResult(written.created ? .created : .updated, written)
  }

  private func apply(
    _ patch: ResourcePatch, to id: String, _ request: WriteRequest,
    _ handler: any ResourceHandler
  ) throws -> WriteResult {
    let current = try handler.current(id, for: .update, write, in: writer)
    try require(current, id: id, of: request.type, for: .update)
    try request.ifMatch?.check(current.version)
    let patched: JSONValue
    do throws(PatchProblem) {
      patched = try patch.applied(to: try Self.json(current))
    } catch {
      throw Failure(
        .unprocessableContent, code: error.code.rawValue, detail: error.diagnostics,
        issues: [error.issue])
    }
    guard patched["resourceType"]?.string == request.type.rawValue,
      patched["id"]?.string == id
    else {
      throw Failure.element(
        .unprocessableContent, .businessRule, "\(request.type.rawValue).id",
        "A patch must change neither the id nor the type.")
    }
    let written = try handler.update(
      patched, id: id, ifVersion: current.version, write, in: writer)
    try require(written, for: .update)
    return WriteResult(.updated, written)
  }

  private func delete(
    _ id: String, _ request: WriteRequest, _ handler: any ResourceHandler
  ) throws -> WriteResult {
    try requireCurrent(id, for: .delete, handler)
    let version: Int64?
    do {
      version = try checked(request, id, handler)
    } catch RecordsError.gone {
      // The resource is already gone, so nothing can be overwritten.
      return WriteResult(deletionOf: request.type, version: nil)
    }
    return WriteResult(
      deletionOf: request.type,
      version: try handler.delete(id, ifVersion: version, write, in: writer))
  }

  private func perform(
    _ change: WriteRequest.Change, onMatchOf query: String, _ request: WriteRequest,
    _ handler: any ResourceHandler
  ) throws -> WriteResult {
    let id = try match(request.type, query)
    switch (change, id) {
    case (.resource(let resource), let id?):
      guard resource["id"] == nil || resource["id"]?.string == id else {
        throw Failure.element(
          .badRequest, .invalid, "\(request.type.rawValue).id",
          "The criteria match a resource with another id.")
      }
      var named = resource
      named["id"] = .string(id)
      return try update(named, id: id, request, handler)
    case (.resource(let resource), nil):
      guard request.ifMatch == nil else {
        throw Failure(
          .preconditionFailed, code: FHIRIssueCode.notFound.rawValue,
          detail: "No resource matches the criteria, so none has the version of If-Match.")
      }
      if let id = resource["id"]?.string {
        return try update(resource, id: id, request, handler)
      }
      return try create(resource, unless: nil, request, handler)
    case (.patch(let patch), let id?): return try apply(patch, to: id, request, handler)
    case (.patch, nil):
      throw Failure(
        .notFound, code: FHIRIssueCode.notFound.rawValue,
        detail: "No resource matches the criteria.")
    case (.deletion, let id?): return try delete(id, request, handler)
    case (.deletion, nil): return WriteResult(deletionOf: request.type, version: nil)
    }
  }

  // MARK: Conditions

  /// Checks `If-Match` and `If-None-Match: *`, and returns the version that must still be the current
  /// one; nil for any.
  private func checked(
    _ request: WriteRequest, _ id: String, _ handler: any ResourceHandler
  ) throws -> Int64? {
    if request.mustBeNew { try requireAbsence(of: id, handler) }
    guard let condition = request.ifMatch else { return nil }
    guard case .deletion = request.change else {
      do {
        let current = try handler.current(id, for: .update, write, in: writer)
        try condition.check(current.version)
        return current.version
      } catch RecordsError.gone {
        throw Failure(
          .preconditionFailed, code: FHIRIssueCode.deleted.rawValue,
          detail: "The resource was deleted. Leave out If-Match to bring it back.")
      }
    }
    let current = try handler.current(id, for: .delete, write, in: writer)
    try condition.check(current.version)
    return current.version
  }

  private func requireAbsence(of id: String, _ handler: any ResourceHandler) throws {
    do {
      _ = try handler.current(id, for: .update, write, in: writer)
    } catch {
      let status = Failure(mapping: error)?.status
      guard status == .notFound || status == .gone else { throw error }
      return
    }
    throw Failure(
      .preconditionFailed, code: FHIRIssueCode.conflict.rawValue,
      detail: "The resource exists already.")
  }

  private static func json(_ current: CurrentResource) throws(PatchProblem) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONValue(parsing: current.body)
    } catch {
      throw PatchProblem(code: .exception, diagnostics: "The stored resource cannot be read.")
    }
  }

  private static func handler(for request: WriteRequest) throws -> any ResourceHandler {
    if let handler = ResourceHandlers.handler(of: request.type) { return handler }
    // Subscriptions have addresses of their own, and are changed here only as entries of Bundles.
    guard request.type == .subscription else { throw readOnly(request.type) }
    switch (request.target, request.change) {
    case (.new(nil), .resource), (.id, .resource), (.id, .deletion): return SubscriptionHandler()
    default: throw onlyByID
    }
  }

  private static let onlyByID = Failure.badRequest(
    FHIRIssueCode.notSupported.rawValue,
    "A Subscription is created, replaced or deleted by its id. It has no patches or conditions.")

  /// Returns the failure 405 of a type that is created from other data, or 404 for an unknown one.
  private static func readOnly(_ type: ResourceType) -> Failure {
    guard let served = FHIRType(rawValue: type.rawValue),
      case .readOnly(let source) = served.writing
    else { return .notFound }
    return .notSupported(
      "\(type.rawValue) is derived from \(source); it is read-only.", allowed: "GET, HEAD")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Presentation
import Storage
import Web

/// Creates, replaces and deletes subscriptions.
enum SubscriptionWriteRoutes {
  static let all: [Route] = [
    .fhir(.post, "/fhir/Subscription", create),
    .fhir(.put, "/fhir/Subscription/:id", update),
    .fhir(.delete, "/fhir/Subscription/:id", delete),
  ]

  private static let handler = SubscriptionHandler()

  private static func create(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    try SubscriptionHandler.check(.create, signedIn)
    try SubscriptionHandler.checkToken(signedIn)
    let sent = try await WriteBody.resource(of: call, .subscription)
    let write = FHIRWriteContext(call, signedIn, preference: .representation)
    return try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      let written = try handler.create(sent.resource, id: nil, write, in: writer)
      return answer(
        written, status: 201, location: "\(write.baseURL)/fhir/Subscription/\(written.id)")
    }
  }

  private static func update(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    let write = FHIRWriteContext(call, signedIn, preference: .representation)
    // Says nothing about the content to those who may not know the subscription.
    _ = try await call.environment.database.read { reader in
      try handler.current(id, for: .update, write, in: reader)
    }
    try SubscriptionHandler.checkToken(signedIn)
    let sent = try await WriteBody.resource(of: call, .subscription)
    guard sent.resource["id"]?.string == id else {
      throw Failure.element(
        .badRequest, .invalid, "Subscription.id", "The id must match the id in the address.")
    }
    let condition = try IfMatch(call.request.headers[.ifMatch])
    return try await IdempotentWrite.perform(call, signedIn, body: sent.bytes) { writer in
      try condition?.check(handler.current(id, for: .update, write, in: writer).version)
      let written = try handler.update(
        sent.resource, id: id, ifVersion: nil, write, in: writer)
      return answer(written, status: 200, location: nil)
    }
  }

  private static func delete(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    let condition = try IfMatch(call.request.headers[.ifMatch])
    let write = FHIRWriteContext(call, signedIn, preference: .minimal)
    return try await IdempotentWrite.perform(call, signedIn, body: []) { writer in
      try condition?.check(handler.current(id, for: .delete, write, in: writer).version)
      _ = try handler.delete(id, ifVersion: nil, write, in: writer)
      return .nothing
    }
  }

  private static func answer(
    _ written: WrittenResource, status: Int, location: String?
  ) -> WrittenAnswer {
    WrittenAnswer(
      status: status, mediaType: FHIRMedia.type, location: location,
      etag: "W/\"\(written.version)\"",
      lastModified: HTTPDate.text(milliseconds: written.lastUpdated.milliseconds),
      body: written.body)
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// Reads request bodies within a size and a time limit.
package enum BodyReader {
  /// Returns the whole body.
  ///
  /// - Throws: ``Failure`` 413 if the body is too large, and 408 if it takes too long: a slow
  ///   client never reaches the idle timeout, so the whole body has its own deadline.
  package static func bytes(of call: Call) async throws -> [UInt8] {
    let limit = call.environment.settings.maximumBody
    let body = call.request.body
    let seconds = call.environment.settings.bodyDeadlineSeconds
    return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      group.addTask { try await collect(body, limit: limit) }
      group.addTask {
        try await Task.sleep(for: .seconds(seconds))
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let bytes = first else {
        throw Failure(
          .requestTimeout, code: "timeout",
          detail: "The body did not arrive within \(seconds) seconds. Send it again.",
          headers: [.connection: "close"])
      }
      return bytes
    }
  }

  private static func collect(_ body: RequestBody, limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      for try await chunk in body {
        guard bytes.count + chunk.readableBytes <= limit else { throw tooLarge(limit: limit) }
        bytes.append(contentsOf: chunk.readableBytesView)
      }
    } catch is HTTPParserError {
      throw Failure(
        .badRequest, code: "structure", detail: "The body is incomplete or not valid HTTP.",
        headers: [.connection: "close"])
    }
    return bytes
  }

  /// Passes on the body of a file in pieces, within the size and the time limit of the route.
  ///
  /// - Throws: ``Failure`` 413 or 408 if the body exceeds them, and any error that the handler
  ///   throws.
  package static func pieces(
    of call: Call, _ handle: @escaping @Sendable (ArraySlice<UInt8>) async throws -> Void
  ) async throws {
    let body = call.request.body
    let settings = call.environment.settings
    let limit = call.allowance?.bytes(settings) ?? settings.maximumBody
    let seconds = call.allowance?.seconds ?? settings.bodyDeadlineSeconds
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        var count = 0
        do {
          for try await chunk in body {
            count += chunk.readableBytes
            guard count <= limit else { throw tooLarge(limit: limit) }
            try await handle(Array(chunk.readableBytesView)[...])
          }
        } catch is HTTPParserError {
          throw Failure(
            .badRequest, code: "structure", detail: "The body is incomplete or not valid HTTP.",
            headers: [.connection: "close"])
        }
        return true
      }
      group.addTask {
        try await Task.sleep(for: .seconds(seconds))
        return false
      }
      defer { group.cancelAll() }
      guard try await group.next() == true else {
        throw Failure(
          .requestTimeout, code: "timeout",
          detail: "The file did not arrive within \(seconds) seconds. Send it again.",
          headers: [.connection: "close"])
      }
    }
  }

  static func tooLarge(limit: Int) -> Failure {
    Failure(
      .contentTooLarge, code: "too-long", detail: "The body may have at most \(limit) bytes.",
      headers: [.connection: "close"])
  }

  /// Returns the body as JSON; throws ``Failure`` 415 for other media types.
  package static func json(of call: Call, mediaTypes: [String] = ["application/json"]) async throws
    -> JSONValue
  {
    try JSONValue(parsing: try await jsonBytes(of: call, mediaTypes: mediaTypes))
  }

  /// Returns the bytes of a body with an expected media type; else throws ``Failure`` 415.
  package static func jsonBytes(of call: Call, mediaTypes: [String]) async throws -> [UInt8] {
    let type = call.request.headers[.contentType] ?? ""
    let essence = type.split(separator: ";").first.map { $0.lowercased() } ?? ""
    let trimmed = essence.filter { $0 != " " }
    guard mediaTypes.contains(trimmed) else {
      throw Failure(
        .unsupportedMediaType, code: "media-type",
        detail: "Send the body as \(mediaTypes.joined(separator: " or ")).")
    }
    return try await bytes(of: call)
  }
}

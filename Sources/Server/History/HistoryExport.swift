// SPDX-License-Identifier: Apache-2.0

import Access
import Adherence
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Scheduling
import Storage

/// A part of the history that is written to a file, in steps, whatever its length.
struct HistoryExport: Sendable {
  /// About how many lines are read at a time.
  static let linesAtOnce = 500

  let filter: HistoryFilter
  let patient: PatientID
  let from: Timestamp
  let until: Timestamp
  let now: Timestamp
  let zone: Zone
  let authorization: Authorization
  let environment: ServerEnvironment

  /// Reads stretch after stretch of time, oldest first, each on a snapshot of its own.
  func each<Part: Sendable>(
    _ read:
      @escaping @Sendable (
        _ from: Timestamp, _ until: Timestamp, _ reader: any SQLReader
      ) throws -> Part,
    write: (Part) async throws -> Void
  ) async throws {
    var start = from
    while start < until {
      let begin = start
      let (part, next) = try await environment.database.read { reader in
        let reach = try HistoryQueries.moment(
          Self.linesAtOnce, from: begin, until: until, filter, patient: patient, now: now,
          in: reader)
        let next = reach.map { $0.adding(milliseconds: 1) } ?? until
        return (try read(begin, next, reader), next)
      }
      try await write(part)
      start = next
    }
  }

  /// A response that is a file to keep.
  static func file(
    _ name: String, mediaType: String,
    _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
  ) -> Response {
    var headers: HTTPFields = [.contentType: mediaType, .cacheControl: "no-store"]
    headers[.contentDisposition] = "attachment; filename=\"\(name)\""
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        var sink: any ResponseBodyWriter = writer
        try await write(&sink)
        try await sink.finish(nil)
      })
  }
}

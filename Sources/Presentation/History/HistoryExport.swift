// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Scheduling
import Statistics
import Storage
import Web

/// A part of the history that is written to a file, in steps, whatever its length.
package struct HistoryExport: Sendable {
  /// About how many lines are read at a time.
  static let linesAtOnce = 500

  package let filter: HistoryFilter
  package let patient: PatientID
  package let from: Timestamp
  package let until: Timestamp
  package let now: Timestamp
  package let zone: Zone
  package let authorization: Authorization
  package let environment: ServerEnvironment

  package init(
    filter: HistoryFilter, patient: PatientID, from: Timestamp, until: Timestamp, now: Timestamp,
    zone: Zone, authorization: Authorization, environment: ServerEnvironment
  ) {
    self.filter = filter
    self.patient = patient
    self.from = from
    self.until = until
    self.now = now
    self.zone = zone
    self.authorization = authorization
    self.environment = environment
  }

  /// Reads stretch after stretch of time, oldest first, each on a snapshot of its own.
  package func each<Part: Sendable>(
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
  package static func file(
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

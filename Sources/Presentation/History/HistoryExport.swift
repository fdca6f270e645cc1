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

/// A part of the history that is written to a file in steps, whatever its length.
package struct HistoryExport: Sendable {
  /// The approximate number of lines that are read at a time.
  static let linesAtOnce = 500

  /// The medicine and the outcomes to include.
  package let filter: HistoryFilter
  /// The patient whose history it is.
  package let patient: PatientID
  /// The beginning of the interval.
  package let from: Timestamp
  /// The end of the interval, which is not included.
  package let until: Timestamp
  /// The time of the request.
  package let now: Timestamp
  /// The time zone of the times in the file.
  package let zone: Zone
  /// The right by which the history is read.
  package let authorization: Authorization
  /// The server's database and services.
  package let environment: ServerEnvironment

  /// Creates an export of the history in [from, until).
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

  /// Reads one interval after another, oldest first, each from its own snapshot of about 500 lines.
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

  /// Returns a response that is saved as a file and never cached.
  ///
  /// - Parameter name: A file name without characters that need quoting.
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

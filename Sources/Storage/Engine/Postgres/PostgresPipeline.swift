// SPDX-License-Identifier: Apache-2.0
import CLibPQ

/// A request that the server answers with one result.
enum PostgresCommand {
  /// A statement without arguments.
  case statement(String)
  case prepare(name: String, sql: String)
  /// A request for the types of the arguments.
  case describe(name: String)
  case run(name: String, PostgresArguments)

  /// Passes the request to libpq; returns false if that failed.
  fileprivate func send(over handle: OpaquePointer) -> Bool {
    switch self {
    case .statement(let sql):
      PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 0) == 1
    case .prepare(let name, let sql):
      PQsendPrepare(handle, name, sql, 0, nil) == 1
    case .describe(let name):
      PQsendDescribePrepared(handle, name) == 1
    case .run(let name, let arguments):
      arguments.lend { count, values, lengths, formats in
        PQsendQueryPrepared(handle, name, count, values, lengths, formats, 0)
      } == 1
    }
  }
}

/// Requests that are sent together, so that there is only one wait for all answers.
///
/// After a failed request, the server skips the others up to the end of the batch.
enum PostgresPipeline {
  /// Sends a batch; returns false if the connection was lost.
  static func send(_ batch: [PostgresCommand], over handle: OpaquePointer) -> Bool {
    PQenterPipelineMode(handle) == 1 && batch.allSatisfy { $0.send(over: handle) }
      && PQpipelineSync(handle) == 1
  }

  /// Waits for the results of a batch; fewer than were sent if the connection was lost.
  static func receive(_ count: Int, over handle: OpaquePointer) -> [OpaquePointer] {
    var results: [OpaquePointer] = []
    while results.count < count, let result = PQgetResult(handle) {
      results.append(result)
      // A null ends the results of each request.
      while let further = PQgetResult(handle) { PQclear(further) }
    }
    // The end of the batch.
    PQclear(PQgetResult(handle))
    return results
  }
}

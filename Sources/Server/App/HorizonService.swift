// SPDX-License-Identifier: Apache-2.0

import Adherence
import Logging
import Records
import ServiceLifecycle
import Storage

/// Keeps the doses of the next 48 hours planned.
///
/// The database says what is left to do, so nothing is lost when the program dies between two
/// rounds.
struct HorizonService: Service, CustomStringConvertible {
  /// Service groups log their services; their parts are nobody's business.
  let description = "planning of doses"

  let environment: ServerEnvironment
  private let secondsBetweenRounds = 10
  private let plansPerBatch = 100

  func run() async throws {
    // From here on a minute without a finished round is a fault, the first one too.
    environment.heartbeat.beat(at: environment.now())
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await round()
          try await forgetOldKeys()
        } catch {
          environment.logger.error(
            "planning failed", metadata: ["type": .string("\(type(of: error))")])
        }
        try? await Task.sleep(for: .seconds(secondsBetweenRounds))
      }
    }
  }

  private func forgetOldKeys() async throws {
    let now = environment.now()
    try await environment.database.write { writer in
      _ = try IdempotentWrite.forgetOld(at: now, in: writer)
    }
  }

  /// Works in short batches, so that answers never wait behind a long round.
  private func round() async throws {
    let zones = environment.zones
    let limit = plansPerBatch
    while !Task.isCancelled {
      let now = environment.now()
      let extended = try await environment.database.write { writer in
        try PlanCommands.extendHorizon(now: now, limit: limit, zones: zones, in: writer)
      }
      environment.heartbeat.beat(at: now)
      if extended < limit { return }
    }
  }
}

/// Writes batched read audit rows within a second of the reads.
struct ReadAuditService: Service, CustomStringConvertible {
  let description = "audit of reads"

  let environment: ServerEnvironment

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(500))
        await flush()
      }
    }
    await flush()
  }

  private func flush() async {
    do {
      try await environment.readAudit.flush(into: environment.database)
    } catch {
      environment.logger.error(
        "audit of reads failed", metadata: ["type": .string("\(type(of: error))")])
    }
  }
}

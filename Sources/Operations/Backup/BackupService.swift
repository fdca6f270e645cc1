// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Storage
import Synchronization
import Web

/// Makes a backup whenever one is due, and keeps the state of the backups in memory.
package struct BackupService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "backups"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBetweenLooks = 20
  /// The milliseconds until a retry after a failure, which is neither at once nor only the next
  /// day.
  private static let pauseAfterFailure: Int64 = 15 * 60_000

  /// Checks every 20 seconds until the server shuts down, which stops a backup that is being
  /// written.
  package func run() async throws {
    let isStopping = AtomicFlag()
    environment.backups.begin(at: environment.now())
    await withTaskCancellationOrGracefulShutdownHandler {
      await cancelWhenGracefulShutdown { await loop(isStopping) }
    } onCancelOrGracefulShutdown: {
      isStopping.raise()
    }
  }

  private func loop(_ isStopping: AtomicFlag) async {
    while !Task.isCancelled {
      await look(isStopping)
      try? await Task.sleep(for: .seconds(secondsBetweenLooks))
    }
  }

  /// Makes a backup if one is due; a failure is reported at once.
  func look(_ isStopping: AtomicFlag) async {
    await BackupRunner(environment: environment).recordWaiting()
    do {
      try await environment.backups.refresh(environment)
      if let schedule = environment.settings.backups, isDue(every: schedule.every) {
        try await make(schedule, isStopping)
      }
      environment.backups.followed()
    } catch {
      let trouble = BackupTrouble.code(of: error)
      if environment.settings.backups != nil {
        environment.backups.failed(at: environment.now(), trouble: trouble)
      }
      environment.logger.error(
        "backup failed",
        metadata: ["trouble": .string(trouble), "type": .string("\(type(of: error))")])
    }
  }

  /// Returns true if a backup is due by the last recorded attempt and by the last one of this
  /// process.
  ///
  /// Otherwise a record that can't be written, or one from a clock that was ahead, would lead to a
  /// backup at each check.
  private func isDue(every: Int64) -> Bool {
    let now = environment.now()
    return Self.isDue(environment.backups.last, every: every, now: now)
      && Self.isDue(environment.backups.lastHere, every: every, now: now)
  }

  /// Returns true if the next one is due after an attempt.
  static func isDue(_ last: BackupRun?, every: Int64, now: Timestamp) -> Bool {
    guard let last else { return true }
    let pause = last.trouble == nil ? every : min(every, pauseAfterFailure)
    // A clock that was set back must not delay the next one for long.
    return last.started.adding(milliseconds: pause) <= now || last.started > now
  }

  private func make(_ schedule: BackupSchedule, _ isStopping: AtomicFlag) async throws {
    let run = try await BackupRunner(environment: environment).run(
      .schedule, to: schedule.path(at: environment.now()), secret: schedule.secret
    ) { isStopping.isRaised }
    environment.logger.info(
      "backup made",
      metadata: ["bytes": .stringConvertible(run.bytes), "rows": .stringConvertible(run.rows)])
    try schedule.forgetOld()
  }
}

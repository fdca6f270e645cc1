// SPDX-License-Identifier: Apache-2.0

import Presentation
import Records
import Reminders
import Storage
import Telemetry
import Web

/// The state of the server for a monitoring system: what its parts know when it asks, and what features counted.
///
/// It contains no health data, names or identifiers, and does not depend on a working database.
package struct ServerMetrics: Sendable {
  /// The parts that can fail: those that `/health` can name, and the faults that it lists.
  static let parts =
    ["database", "planning", "reminders"] + InstallationFault.allCases.map(\.rawValue)

  /// The time that the read of the queues may take: with the check of the database well below the ten seconds for
  /// which Prometheus waits.
  private static let patience: Duration = .seconds(2)

  let environment: ServerEnvironment

  func text() async -> String {
    let now = environment.now()
    let outage = await environment.outage(at: now)
    var metrics = MetricsText()
    addFaults(to: &metrics, at: now, during: outage)
    addBackups(to: &metrics, at: now)
    addRecords(to: &metrics, at: now)
    // A database that does not answer must not get one more question with each scrape.
    if outage?.part != "database" { await addQueues(to: &metrics, at: now) }
    addProcess(to: &metrics, at: now)
    let registry = environment.metricRegistry
    for metric in registry.definitions { metrics.add(metric, registry.samples(of: metric)) }
    return metrics.text
  }

  private func addFaults(
    to metrics: inout MetricsText, at now: Timestamp, during outage: Outage?
  ) {
    var faulty = Set(environment.allFaults(at: now, during: outage).map(\.rawValue))
    if outage?.part == "database" { faulty.insert("database") }
    if !environment.heartbeat.isAlive(at: now) { faulty.insert("planning") }
    if !environment.reminderHeartbeat.isAlive(at: now) { faulty.insert("reminders") }
    metrics.add(
      StateMetrics.fault,
      Self.parts.map { part in
        MetricSample(labels: [part], value: faulty.contains(part) ? 1 : 0)
      })
  }

  private func addBackups(to metrics: inout MetricsText, at now: Timestamp) {
    let (backups, kinds) = (environment.backups, BackupRun.Kind.allCases)
    metrics.add(
      StateMetrics.backupAge,
      kinds.compactMap { kind in
        backups.lastMade(kind).map { made in
          MetricSample(labels: [kind.rawValue], value: seconds(from: made, to: now))
        }
      })
    let interval = environment.settings.backups?.every
    metrics.add(
      StateMetrics.backupInterval,
      interval.map { [MetricSample(value: Double($0) / 1000)] } ?? [])
    metrics.add(
      StateMetrics.backupFailures,
      kinds.map { kind in
        MetricSample(labels: [kind.rawValue], value: Double(backups.failures(kind)))
      })
  }

  /// Adds the log, the audit trail and the database.
  private func addRecords(to metrics: inout MetricsText, at now: Timestamp) {
    let database = environment.database
    metrics.add(
      StateMetrics.logLinesDropped, [MetricSample(value: Double(environment.logLosses.total))])
    metrics.add(StateMetrics.auditRows, [MetricSample(value: Double(database.auditSequence))])
    let lag = environment.readAudit.earliestWaiting.map { seconds(from: $0, to: now) }
    metrics.add(StateMetrics.auditLag, [MetricSample(value: lag ?? 0)])
    metrics.add(StateMetrics.statements, [MetricSample(value: Double(database.statementCount))])
    metrics.add(
      StateMetrics.databaseInProgress,
      DatabaseOperation.allCases.map { operation in
        MetricSample(
          labels: [operation.rawValue], value: Double(database.inProgress(operation)))
      })
    addConnections(to: &metrics)
  }

  /// Adds the use of the connections to the database.
  private func addConnections(to metrics: inout MetricsText) {
    let uses = DatabaseOperation.allCases.map { operation in
      (name: operation.rawValue, use: environment.database.connectionUse(for: operation))
    }
    metrics.add(
      StateMetrics.connections,
      uses.flatMap { name, use in
        [
          MetricSample(labels: [name, "busy"], value: Double(use.busy)),
          MetricSample(labels: [name, "idle"], value: Double(use.idle)),
        ]
      })
    metrics.add(
      StateMetrics.connectionsLimit,
      uses.map { MetricSample(labels: [$0.name], value: Double($0.use.limit)) })
    metrics.add(
      StateMetrics.connectionsAwaited,
      uses.map { MetricSample(labels: [$0.name], value: Double($0.use.waiting)) })
  }

  /// Adds the queues of reminders; none if the database does not answer.
  private func addQueues(to metrics: inout MetricsText, at now: Timestamp) async {
    let database = environment.database
    let found: [DeliveryQueue]?? = await LimitedWait.result(within: Self.patience) {
      try? await database.read { try DeliveryQueue.all(at: now, in: $0) }
    }
    guard let queues = found ?? nil else { return }
    metrics.add(
      StateMetrics.deliveriesWaiting,
      queues.map { MetricSample(labels: [$0.channel.rawValue], value: Double($0.count)) })
    metrics.add(
      StateMetrics.deliveryWait,
      queues.map { queue in
        let wait = queue.since.map { seconds(from: $0, to: now) }
        return MetricSample(labels: [queue.channel.rawValue], value: wait ?? 0)
      })
  }

  private func addProcess(to metrics: inout MetricsText, at now: Timestamp) {
    let uptime = environment.uptime()
    let ran = uptime > environment.started ? uptime - environment.started : 0
    let seconds = Double(ran / 1_000_000) / 1000
    metrics.add(StateMetrics.uptime, [MetricSample(value: seconds)])
    // In whole seconds, since the two clocks drift apart.
    let start = (Double(now.milliseconds) / 1000 - seconds).rounded()
    metrics.add(StateMetrics.startTime, [MetricSample(value: start)])
    metrics.add(
      StateMetrics.residentMemory,
      ProcessMemory.resident.map { [MetricSample(value: Double($0))] } ?? [])
    metrics.add(
      StateMetrics.buildInfo, [MetricSample(labels: [ServerSettings.version], value: 1)])
  }

  /// Returns the seconds between two instants; 0 if the clock was set back.
  private func seconds(from earlier: Timestamp, to later: Timestamp) -> Double {
    Double(max(0, later.milliseconds - earlier.milliseconds)) / 1000
  }
}

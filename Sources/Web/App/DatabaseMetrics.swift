// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Storage
import Telemetry

/// Measures how long the database takes.
package final class DatabaseMetrics: Sendable {
  /// The time of reads and writes, including their wait for a connection or for other writes.
  package static let durations = MetricDefinition(
    "regimen_database_duration_seconds", .histogram(bounds: MetricDefinition.seconds),
    labels: ["operation"],
    help: "Time of reads and writes of the database, with their wait.")

  private let reads: CoreMetrics.Timer
  private let writes: CoreMetrics.Timer

  /// Creates the counters in a registry.
  package init(factory: any MetricsFactory) {
    reads = factory.timer(Self.durations, DatabaseOperation.read.rawValue)
    writes = factory.timer(Self.durations, DatabaseOperation.write.rawValue)
  }

  /// Measures everything that a database does from now on.
  func watch(_ database: Database, uptime: @escaping @Sendable () -> UInt64) {
    database.observeWork(uptime: uptime) { [reads, writes] operation, nanoseconds in
      let timer = operation == .read ? reads : writes
      timer.recordNanoseconds(Int64(clamping: nanoseconds))
    }
  }
}

extension DatabaseMetrics: FeatureValue {
  /// Counters that are not kept.
  package static let absent = DatabaseMetrics(factory: NOOPMetricsHandler.instance)
}

extension ServerEnvironment {
  /// The counters of the database.
  var databaseMetrics: DatabaseMetrics { features[DatabaseMetrics.self] }
}

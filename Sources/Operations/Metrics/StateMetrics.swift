// SPDX-License-Identifier: Apache-2.0

import Telemetry

/// The metrics that are read when the monitoring system asks, instead of being counted on the way.
package enum StateMetrics {
  static let fault = MetricDefinition(
    "regimen_fault", .gauge, labels: ["part"], help: "1 while this part has a fault, else 0.")
  static let backupAge = MetricDefinition(
    "regimen_backup_age_seconds", .gauge, labels: ["kind"],
    help: "Time since the last good backup, scheduled or by command.")
  static let backupInterval = MetricDefinition(
    "regimen_backup_interval_seconds", .gauge,
    help: "Time between scheduled backups; absent without a schedule.")
  static let backupFailures = MetricDefinition(
    "regimen_backup_failures_total", .counter, labels: ["kind"],
    help: "Backups that failed since the start.")
  static let logLinesDropped = MetricDefinition(
    "regimen_log_lines_dropped_total", .counter,
    help: "Log lines that could not be written since the start.")
  static let auditRows = MetricDefinition(
    "regimen_audit_rows_total", .counter, help: "Rows of the audit trail known to this node.")
  static let auditLag = MetricDefinition(
    "regimen_audit_lag_seconds", .gauge,
    help: "Age of the oldest read that is not yet in the audit trail; 0 if all are.")
  static let statements = MetricDefinition(
    "regimen_database_statements_total", .counter,
    help: "Database statements run since the start.")
  static let databaseInProgress = MetricDefinition(
    "regimen_database_in_progress", .gauge, labels: ["operation"],
    help: "Reads and writes of the database that wait or run.")
  static let connections = MetricDefinition(
    "regimen_database_connections", .gauge, labels: ["operation", "state"],
    help: "Connections to the database that are in use (busy) or ready (idle).")
  static let connectionsLimit = MetricDefinition(
    "regimen_database_connections_limit", .gauge, labels: ["operation"],
    help: "The most connections for reads or writes.")
  static let connectionsAwaited = MetricDefinition(
    "regimen_database_connections_awaited", .gauge, labels: ["operation"],
    help: "Reads and writes that wait for a connection.")
  static let deliveriesWaiting = MetricDefinition(
    "regimen_deliveries_waiting", .gauge, labels: ["channel"],
    help: "Reminders in the queue whose time has come; absent without a database.")
  static let deliveryWait = MetricDefinition(
    "regimen_deliveries_oldest_wait_seconds", .gauge, labels: ["channel"],
    help: "Time for which the longest waiting of these reminders has been due.")
  static let uptime = MetricDefinition(
    "regimen_uptime_seconds", .gauge, help: "Time since the start of the server.")
  static let startTime = MetricDefinition(
    "regimen_start_time_seconds", .gauge,
    help: "Time of the start of the server, in seconds since 1970.")
  static let residentMemory = MetricDefinition(
    "regimen_resident_memory_bytes", .gauge, help: "Resident memory of the server.")
  static let buildInfo = MetricDefinition(
    "regimen_build_info", .gauge, labels: ["version"],
    help: "Always 1; the label is the version of the program.")

  /// All of them, in the order in which they are listed.
  package static let definitions = [
    fault, backupAge, backupInterval, backupFailures, logLinesDropped, auditRows, auditLag,
    statements, databaseInProgress, connections, connectionsLimit, connectionsAwaited,
    deliveriesWaiting, deliveryWait, uptime, startTime, residentMemory, buildInfo,
  ]
}

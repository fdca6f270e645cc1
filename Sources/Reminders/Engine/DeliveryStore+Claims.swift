// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Deliveries while they are claimed, postponed or ended before they are sent.
extension DeliveryStore {
  /// Leases deliveries until an instant and counts an attempt for each.
  static func lease(
    _ deliveries: [DeliveryID], until: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET attempt = attempt + 1, lease_until = $1, next_try = $1
      WHERE delivery IN (
      """, [SQLValue(until)], in: deliveries.map { .text($0) })
  }

  /// Sets the doses that a delivery currently names, with the earliest due time.
  static func name(
    _ doses: String, due: Timestamp, in delivery: DeliveryID, patient: PatientID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET doses = $1, due = $2, changed = $3
      WHERE patient = $4 AND delivery = $5
      """, [.text(doses), SQLValue(due), SQLValue(now), .text(patient), .text(delivery)])
  }

  /// Postpones deliveries to an instant.
  static func hold(
    _ deliveries: [DeliveryID], until: Timestamp, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET next_try = $1, lease_until = NULL, changed = $2 WHERE delivery IN (
      """, [SQLValue(until), SQLValue(now)], in: deliveries.map { .text($0) })
  }

  /// Ends deliveries that are no longer sent.
  static func end(
    _ deliveries: [DeliveryID], as outcome: DeliveryOutcome, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET state = 'done', outcome = $1, lease_until = NULL, changed = $2
      WHERE delivery IN (
      """, [.text(outcome.rawValue), SQLValue(now)], in: deliveries.map { .text($0) })
  }

  /// Retries now the waiting deliveries of later steps.
  static func tryAgain(for patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE deliveries SET next_try = $1
      WHERE patient = $2 AND state = 'waiting' AND step > 0 AND lease_until IS NULL
        AND next_try > $1
      """, [SQLValue(now), .text(patient)])
  }

  /// Moves attempts and leases back to the present after the clock was set back.
  static func clockStepped(
    back milliseconds: Int64, now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET next_try = next_try - $1, lease_until = lease_until - $1
      WHERE state = 'waiting' AND next_try > $2
      """, [.integer(milliseconds), SQLValue(now)])
  }

  /// Ends all leases.
  static func releaseLeases(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET next_try = planned, lease_until = NULL
      WHERE state = 'waiting' AND lease_until IS NOT NULL
      """, [])
  }
}

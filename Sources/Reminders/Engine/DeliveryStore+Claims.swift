// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Deliveries as they are claimed, put off or ended before they are sent.
extension DeliveryStore {
  /// Leases deliveries until an instant, each with its next attempt.
  static func lease(
    _ deliveries: [DeliveryID], until: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET attempt = attempt + 1, lease_until = $1, next_try = $1
      WHERE delivery IN (
      """, [SQLValue(until)], in: deliveries.map { .text($0) })
  }

  /// Names the doses that a delivery is about now, with the earliest due time.
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

  /// Puts deliveries off to an instant.
  static func hold(
    _ deliveries: [DeliveryID], until: Timestamp, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET next_try = $1, lease_until = NULL, changed = $2 WHERE delivery IN (
      """, [SQLValue(until), SQLValue(now)], in: deliveries.map { .text($0) })
  }

  /// Ends deliveries that are not sent any more.
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

  /// Tries deliveries of later steps again now that wait for another attempt.
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

  /// Brings back the tries and leases that are in the future since the clock was put back.
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

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The statements that change the tables `home_devices`, `home_device_compartments` and `home_device_events`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum HomeDeviceStore {
  static func insert(_ device: HomeDevice, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertDevice, device.values)
  }

  private static let insertDevice = SQLStatement(
    "INSERT INTO home_devices (\(HomeDevice.columns)) VALUES (\(HomeDevice.placeholders))")

  /// Changes the names of a device; returns false if there is none.
  static func rename(
    _ device: HomeDeviceID, of patient: PatientID, to name: String, byName: String,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE home_devices SET name = $1, by_name = $2 WHERE patient = $3 AND device = $4",
      [.text(name), .text(byName), .text(patient), .text(device)]) > 0
  }

  /// Ends the token of a device; returns false if it has none.
  static func revoke(
    _ device: HomeDeviceID, of patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE home_devices SET token_digest = NULL, revoked = $1
      WHERE patient = $2 AND device = $3 AND revoked IS NULL
      """, [SQLValue(now), .text(patient), .text(device)]) > 0
  }

  /// Gives a device another token, with which it reports in the name of an account.
  static func renew(
    _ device: HomeDeviceID, of patient: PatientID, token digest: [UInt8], account: AccountID,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE home_devices SET token_digest = $1, revoked = NULL, account = $2
      WHERE patient = $3 AND device = $4
      """, [.blob(digest), .text(account), .text(patient), .text(device)]) > 0
  }

  /// Deletes a device with everything that it reported; returns false if there is none.
  static func delete(
    _ device: HomeDeviceID, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "DELETE FROM home_devices WHERE patient = $1 AND device = $2",
      [.text(patient), .text(device)]) > 0
  }

  /// Notes that a device reported: the time, its battery, its clock and the number of events.
  static func note(
    _ report: Reported, of device: HomeDevice, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE home_devices SET seen = $1, battery = $2, skew = $3, skew_boot = $4, skew_at = $5,
        minute = $6, minute_events = $7
      WHERE patient = $8 AND device = $9
      """,
      [
        SQLValue(report.at), SQLValue(report.battery), SQLValue(report.clock?.skew),
        SQLValue(report.clock?.boot), SQLValue(report.clock?.at), .integer(report.minute),
        SQLValue(report.minuteEvents), .text(device.patient), .text(device.id),
      ])
  }

  /// The changes that a report makes to the row of its device.
  struct Reported: Sendable {
    let at: Timestamp
    let battery: Int?
    let clock: DeviceClock.Comparison?
    let minute: Int64
    let minuteEvents: Int
  }

  // MARK: Compartments

  /// Replaces the compartments of a device.
  static func set(
    _ compartments: [HomeDeviceCompartment], of device: HomeDeviceID, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM home_device_compartments WHERE patient = $1 AND device = $2",
      [.text(patient), .text(device)])
    for one in compartments {
      try writer.execute(
        """
        INSERT INTO home_device_compartments (patient, device, compartment, meaning, plan)
        VALUES ($1, $2, $3, $4, $5)
        """,
        [
          .text(patient), .text(device), .text(one.name), .text(one.meaning.rawValue),
          SQLValue(one.plan),
        ])
    }
  }

  // MARK: Events

  static func insert(_ row: NewDeviceEventRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertEvent, row.values)
  }

  private static let insertEvent = SQLStatement(
    """
    INSERT INTO home_device_events (\(NewDeviceEventRow.columns))
    VALUES (\(NewDeviceEventRow.placeholders))
    """)

  /// Notes that a device took its answers back.
  static func takeBack(
    _ event: JudgedEvent, of device: HomeDevice, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE home_device_events SET outcome = 'taken-back', reason = 'refill'
      WHERE patient = $1 AND device = $2 AND boot = $3 AND sequence = $4
      """,
      [
        .text(device.patient), .text(device.id), .text(event.boot),
        .integer(event.event.sequence),
      ])
  }

  /// Deletes events that were received before an instant, and returns their number, at most `limit`.
  static func deleteEvents(
    receivedBefore instant: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute(
      """
      DELETE FROM home_device_events WHERE (patient, device, boot, sequence) IN (
        SELECT patient, device, boot, sequence FROM home_device_events
        WHERE received < $1 ORDER BY received LIMIT $2)
      """, [SQLValue(instant), SQLValue(limit)])
  }
}

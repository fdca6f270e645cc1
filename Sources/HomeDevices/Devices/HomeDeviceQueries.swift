// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// Queries about devices in the home; the caller has decided that access is allowed.
package enum HomeDeviceQueries {
  /// Returns a person's devices: those in use first, by name.
  package static func all(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [HomeDevice] {
    try reader.query(allStatement, [.text(patient)]).decode()
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(HomeDevice.columns) FROM home_devices WHERE patient = $1
    ORDER BY CASE WHEN revoked IS NULL THEN 0 ELSE 1 END, name, device
    """)

  /// Returns a device; nil if the person has none of that id.
  package static func device(
    _ id: HomeDeviceID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> HomeDevice? {
    try reader.first(oneStatement, [.text(patient), .text(id)])?.decode()
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(HomeDevice.columns) FROM home_devices WHERE patient = $1 AND device = $2")

  /// Returns the device that a token belongs to; nil if the token is unknown or was revoked.
  static func device(
    token: Secret, in reader: any SQLReader
  ) throws(StorageError) -> HomeDevice? {
    guard token.text.hasPrefix(Secret.homeDevicePrefix) else { return nil }
    return try device(digest: token.digest, in: reader)
  }

  /// Returns the device whose token has a digest; nil if the token is unknown or was revoked.
  static func device(
    digest: [UInt8], in reader: any SQLReader
  ) throws(StorageError) -> HomeDevice? {
    try reader.first(tokenStatement, [.blob(digest)])?.decode()
  }

  private static let tokenStatement = SQLStatement(
    "SELECT \(HomeDevice.columns) FROM home_devices WHERE token_digest = $1")

  /// Returns the compartments of a device, by name.
  package static func compartments(
    of device: HomeDeviceID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [HomeDeviceCompartment] {
    try reader.query(compartmentsStatement, [.text(patient), .text(device)]).decode()
  }

  private static let compartmentsStatement = SQLStatement(
    """
    SELECT \(HomeDeviceCompartment.columns) FROM home_device_compartments
    WHERE patient = $1 AND device = $2 ORDER BY compartment
    """)

  /// Returns the last events of a device, the newest first.
  package static func events(
    of device: HomeDeviceID, patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [JudgedEvent] {
    try reader.query(eventsStatement, [.text(patient), .text(device), SQLValue(limit)]).decode()
  }

  private static let eventsStatement = SQLStatement(
    """
    SELECT \(JudgedEvent.columns) FROM home_device_events
    WHERE patient = $1 AND device = $2 ORDER BY judged DESC, received DESC, sequence DESC LIMIT $3
    """)

  /// Returns the events of one start with some of the given numbers.
  static func known(
    _ sequences: [Int64], boot: String, of device: HomeDevice, in reader: any SQLReader
  ) throws(StorageError) -> [JudgedEvent] {
    try reader.query(
      """
      SELECT \(JudgedEvent.columns) FROM home_device_events
      WHERE patient = $1 AND device = $2 AND boot = $3 AND sequence IN (
      """, [.text(device.patient), .text(device.id), .text(boot)],
      in: sequences.map { .integer($0) }
    ).decode()
  }

  /// Returns the events that happened in a time, with at most 500 of them.
  static func between(
    _ from: Timestamp, _ until: Timestamp, of device: HomeDevice, in reader: any SQLReader
  ) throws(StorageError) -> [JudgedEvent] {
    try reader.query(
      betweenStatement,
      [.text(device.patient), .text(device.id), SQLValue(from), SQLValue(until)]
    ).decode()
  }

  private static let betweenStatement = SQLStatement(
    """
    SELECT \(JudgedEvent.columns) FROM home_device_events
    WHERE patient = $1 AND device = $2 AND judged >= $3 AND judged <= $4
    ORDER BY judged DESC LIMIT 500
    """)

  /// Returns the last weights that a device reported before a time.
  static func weights(
    before time: Timestamp, of device: HomeDevice, in reader: any SQLReader
  ) throws(StorageError) -> [JudgedEvent] {
    try reader.query(
      weightsStatement, [.text(device.patient), .text(device.id), SQLValue(time)]
    ).decode()
  }

  private static let weightsStatement = SQLStatement(
    """
    SELECT \(JudgedEvent.columns) FROM home_device_events
    WHERE patient = $1 AND device = $2 AND judged <= $3 AND weight IS NOT NULL
    ORDER BY judged DESC LIMIT 60
    """)

  /// Returns the number of a person's devices.
  static func count(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Int {
    try reader.first(
      "SELECT COUNT(*) FROM home_devices WHERE patient = $1", [.text(patient)])?.value() ?? 0
  }
}

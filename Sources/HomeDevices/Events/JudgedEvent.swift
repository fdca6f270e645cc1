// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// An event with the time at which it happened, and what became of it.
package struct JudgedEvent: Sendable, Hashable {
  /// The start of the device.
  package let boot: String
  /// The event as the device sent it.
  package let event: DeviceEvent
  /// The time at which it arrived.
  package let received: Timestamp
  /// The time at which it happened, as far as that is known.
  package let judged: Timestamp
  /// The result.
  package var outcome: DeviceOutcome
  /// The reason for the result; nil for an event that logged or asked as planned.
  package var reason: DeviceReason?
  /// The doses that it was about.
  package var doses: [DoseID]

  /// Creates a judged event.
  package init(
    boot: String, event: DeviceEvent, received: Timestamp, judged: Timestamp,
    outcome: DeviceOutcome, reason: DeviceReason? = nil, doses: [DoseID] = []
  ) {
    self.boot = boot
    self.event = event
    self.received = received
    self.judged = judged
    self.outcome = outcome
    self.reason = reason
    self.doses = doses
  }
}

extension JudgedEvent: SQLReadableRow {
  /// The columns of `home_device_events` without those that name the device.
  package enum Column: Int, SQLColumn {
    case boot, sequence, kind, compartment, weight, battery, deviceTime, received, judged, outcome
    case reason, doses
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates an event from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      boot: try columns.text(.boot),
      event: DeviceEvent(
        sequence: try columns.integer(.sequence), kind: try columns.named(.kind),
        compartment: try columns.text(.compartment),
        at: try columns.optionalTimestamp(.deviceTime),
        weight: try columns.optionalInteger(.weight),
        battery: try columns.optionalInteger(.battery).map(Int.init(clamping:))),
      received: try columns.timestamp(.received), judged: try columns.timestamp(.judged),
      outcome: try columns.named(.outcome),
      reason: try columns.optionalText(.reason).flatMap(DeviceReason.init(rawValue:)),
      doses: try columns.text(.doses).split(separator: "\n").compactMap {
        DoseID(text: String($0))
      })
  }
}

/// A new row of `home_device_events`.
struct NewDeviceEventRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, device, boot, sequence, kind, compartment, weight, battery, deviceTime, received
    case judged, outcome, reason, doses
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let device: HomeDeviceID
  let judged: JudgedEvent

  func value(of column: Column) -> SQLValue {
    let event = judged.event
    return switch column {
    case .patient: .text(patient)
    case .device: .text(device)
    case .boot: .text(judged.boot)
    case .sequence: .integer(event.sequence)
    case .kind: .text(event.kind.rawValue)
    case .compartment: .text(event.compartment)
    case .weight: SQLValue(event.weight)
    case .battery: SQLValue(event.battery)
    case .deviceTime: SQLValue(event.at)
    case .received: SQLValue(judged.received)
    case .judged: SQLValue(judged.judged)
    case .outcome: .text(judged.outcome.rawValue)
    case .reason: SQLValue(judged.reason?.rawValue)
    case .doses: .text(judged.doses.map(\.text).joined(separator: "\n"))
    }
  }
}

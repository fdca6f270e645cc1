// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// An event as a device reports it.
package struct DeviceEvent: Sendable, Hashable {
  /// The kind of an event.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case opened, closed, removed, weight, pressed, heartbeat, battery
  }

  /// The device's own number of the event.
  package let sequence: Int64
  /// The kind of event.
  package let kind: Kind
  /// The compartment; empty for the device as a whole.
  package let compartment: String
  /// The time by the device's own clock; nil if it has none.
  package let at: Timestamp?
  /// The milliseconds since the event, by a device without a clock; nil if it does not say.
  package let age: Int64?
  /// The weight in milligrams, with the kind `weight`.
  package let weight: Int64?
  /// The charge of the battery in percent.
  package let battery: Int?

  /// Creates an event.
  package init(
    sequence: Int64, kind: Kind, compartment: String = HomeDeviceCompartment.whole,
    at: Timestamp? = nil, age: Int64? = nil, weight: Int64? = nil, battery: Int? = nil
  ) {
    self.sequence = sequence
    self.kind = kind
    self.compartment = compartment
    self.at = at
    self.age = age
    self.weight = weight
    self.battery = battery
  }
}

/// The events that a device sends together.
package struct DeviceReport: Sendable, Hashable {
  /// The most events of a report.
  package static let mostEvents = 100
  /// The most characters of the name of a start.
  package static let longestBoot = 64

  /// The start of the device, from which its sequence counts; empty if it names none.
  package let boot: String
  /// The time of sending by the device's clock; nil if it does not say.
  package let sent: Timestamp?
  /// The events.
  package let events: [DeviceEvent]
  /// The way by which it came.
  package var way = Way.direct

  /// The way by which a report comes.
  package enum Way: Sendable, Hashable {
    /// The device sent it to the server, so it arrives as soon as it is sent.
    case direct
    /// A broker delivered it, which others can make do so again.
    ///
    /// - Parameter mayHaveWaited: True if the broker may have kept it while the server was away.
    case broker(mayHaveWaited: Bool)
  }

  /// Creates a report that the device sent to the server.
  package init(boot: String = "", sent: Timestamp? = nil, events: [DeviceEvent]) {
    self.boot = boot
    self.sent = sent
    self.events = events
  }

  /// The device's clock when it sent the report: as stated, or in its last heartbeat.
  var clock: Timestamp? {
    sent ?? events.last { $0.kind == .heartbeat && $0.at != nil }?.at
  }
}

/// The result of an event.
package enum DeviceOutcome: String, Sendable, Hashable, CaseIterable {
  /// Its doses were recorded as taken.
  case logged
  /// The person is asked.
  case asked
  /// It is kept, and changed nothing.
  case noted
  /// It is kept, and could not be judged.
  case aside
  /// Its doses were recorded as taken, and the device took that back.
  case takenBack = "taken-back"
}

/// The reason for the result of an event.
package enum DeviceReason: String, Sendable, Hashable, CaseIterable {
  /// The compartment's events are only noted.
  case onlyNote = "only-note"
  case unknownCompartment = "unknown-compartment"
  /// It is not a sign of an intake, such as a lid that was closed.
  case noSign = "no-sign"
  /// It belongs to an intake that another event began.
  case sameIntake = "same-intake"
  /// Several compartments were opened within a minute.
  case refill
  case alreadyTaken = "already-taken"
  /// The dose was skipped or refused.
  case alreadyAnswered = "already-answered"
  case tooEarly = "too-early"
  /// The dose was not answered in its time.
  case windowOver = "window-over"
  case nothingDue = "nothing-due"
  /// The intake needs a person's confirmation: too close to another, or above a limit.
  case confirm
  /// The device's clock is wrong, so that the time of the event is not known.
  case clock
  case tooOld = "too-old"
  /// The account that added the device may no longer answer for the person.
  case noRight = "no-right"
}

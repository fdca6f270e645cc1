// SPDX-License-Identifier: Apache-2.0

import Storage
import Web

/// The signals by which services tell each other and `/health` that they are running.
package struct ServiceSigns: Sendable {
  /// Creates the signals, none of them raised.
  package init() {}
  /// The last round of planning doses.
  let planning = Heartbeat()
  /// The last round of reminders.
  let reminders = Heartbeat()
  /// True once the doses of the next hours were planned for the first time since the start.
  let isPlanned = AtomicFlag()
  /// The name under which this process records its keys, set once it serves.
  let nodeName = ListeningAddress()
}

extension ServiceSigns: FeatureValue {
  /// Signals that no service raises.
  package static let absent = ServiceSigns()
}

extension ServerEnvironment {
  /// The time of the last round that planned doses.
  package var heartbeat: Heartbeat { features[ServiceSigns.self].planning }
  /// The last round of reminders.
  var reminderHeartbeat: Heartbeat { features[ServiceSigns.self].reminders }
  /// A flag that is raised once the doses of the next hours were planned for the first time since
  /// the start.
  package var isPlanned: AtomicFlag { features[ServiceSigns.self].isPlanned }
  /// The name under which this process records the keys it uses, known once it serves.
  package var nodeName: ListeningAddress { features[ServiceSigns.self].nodeName }

  /// Returns the service that has stalled; nil while doses are planned and reminders run.
  func standstill(at now: Timestamp) -> String? {
    if !heartbeat.isAlive(at: now) { return "planning" }
    return reminderHeartbeat.isAlive(at: now) ? nil : "reminders"
  }
}

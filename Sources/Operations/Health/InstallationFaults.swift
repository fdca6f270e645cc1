// SPDX-License-Identifier: Apache-2.0

import Presentation
import Storage
import Synchronization
import Web

/// The known faults of the installation, and those that administrators have not been notified of.
package final class InstallationFaults: Sendable {
  /// Creates an empty list.
  package init() {}

  private struct State {
    var known: Set<InstallationFault> = []
    var untold: Set<InstallationFault> = []
    var zones: [String] = []
    var mails: [InstallationFault: FaultMailRecord] = [:]
  }

  private let state = Mutex(State())

  /// Zones in use whose files are missing or damaged.
  package var missingZones: [String] { state.withLock { $0.zones } }
  /// The faults found by the last check.
  var known: Set<InstallationFault> { state.withLock { $0.known } }
  /// The faults that administrators have not been notified of since they began.
  var untold: Set<InstallationFault> { state.withLock { $0.untold } }

  /// Records the zones in use whose files are missing or damaged; replaces the earlier list.
  package func note(missingZones zones: [String]) {
    state.withLock { $0.zones = zones }
  }

  /// Records the faults found; returns those that began and those that ended.
  func note(
    _ found: Set<InstallationFault>
  ) -> (begun: Set<InstallationFault>, ended: Set<InstallationFault>) {
    state.withLock { state in
      let begun = found.subtracting(state.known)
      let ended = state.known.subtracting(found)
      state.known = found
      state.untold = state.untold.union(begun).intersection(found)
      return (begun, ended)
    }
  }

  /// Returns the faults about which administrators should be mailed now.
  func due(at now: Timestamp) -> Set<InstallationFault> {
    let (untold, mails) = state.withLock { ($0.untold, $0.mails) }
    return untold.filter { mails[$0]?.allowsMail(at: now) ?? true }
  }

  /// Records an attempt to mail administrators.
  func note(mailed faults: Set<InstallationFault>, isAccepted: Bool, at now: Timestamp) {
    state.withLock { state in
      for fault in faults {
        state.mails[fault, default: FaultMailRecord()].note(isAccepted: isAccepted, at: now)
      }
      if isAccepted { state.untold.subtract(faults) }
    }
  }
}

extension ServerEnvironment {
  /// Returns all current faults.
  ///
  /// - Parameter outage: The current outage, if any, which says whether the clock is trusted.
  func allFaults(at now: Timestamp, during outage: Outage?) -> Set<InstallationFault> {
    var found = Set(faultsNow(at: now))
    if outage?.part == "clock" { found.insert(.clock) }
    if database.knownDamage != nil { found.insert(.damage) }
    return found
  }

  /// Returns the current faults that do not prevent reminders.
  func faultsNow(at now: Timestamp) -> [InstallationFault] {
    var found: [InstallationFault] = []
    if backups.health(settings, now: now).needsCare { found.append(.backup) }
    if !faults.missingZones.isEmpty { found.append(.zones) }
    if logLosses.isLosing { found.append(.log) }
    if !database.anchorsAreSound { found.append(.audit) }
    if brokerIsLost(at: now) { found.append(.broker) }
    return found
  }
}

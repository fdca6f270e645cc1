// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// A fault of the installation that whoever runs it must put right; `/health` names it by its raw value.
package enum InstallationFault: String, Sendable, Hashable, CaseIterable {
  /// The clock is held, so nothing rings.
  case clock
  /// A backup failed, did not happen or is gone.
  case backup
  /// Zone files that are needed are missing or damaged.
  case zones
  /// Log lines cannot be written.
  case log
  /// The audit trail does not match its anchors, or they were removed.
  case audit
  /// The database is damaged.
  case damage
}

/// The faults that are known, and those of which administrators were not told yet.
package final class InstallationFaults: Sendable {
  private struct State {
    var known: Set<InstallationFault> = []
    var untold: Set<InstallationFault> = []
    var zones: [String] = []
  }

  private let state = Mutex(State())

  /// Zones in use whose files are missing or damaged.
  package var missingZones: [String] { state.withLock { $0.zones } }
  /// The faults found at the last look.
  var known: Set<InstallationFault> { state.withLock { $0.known } }
  /// The faults of which administrators were not told since they began.
  var untold: Set<InstallationFault> { state.withLock { $0.untold } }

  func note(missingZones zones: [String]) {
    state.withLock { $0.zones = zones }
  }

  /// Takes note of what was found; returns what began and what ended.
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

  /// Notes that administrators were told.
  func told(_ faults: Set<InstallationFault>) {
    state.withLock { $0.untold.subtract(faults) }
  }
}

extension ServerEnvironment {
  /// The faults that keep nothing from ringing, as they are at this moment.
  func faultsNow(at now: Timestamp) -> [InstallationFault] {
    var found: [InstallationFault] = []
    if backups.health(settings, now: now).needsCare { found.append(.backup) }
    if !faults.missingZones.isEmpty { found.append(.zones) }
    if logLosses.isLosing { found.append(.log) }
    if !database.anchorsAreSound { found.append(.audit) }
    return found
  }
}

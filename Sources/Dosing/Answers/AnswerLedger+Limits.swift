// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

extension AnswerLedger {
  /// Returns the limits that an intake of a medicine would exceed, for every plan that the medicine counts
  /// for.
  func breaches(
    by medicine: Medicine, at: Timestamp, amount: Amount?, excluding dose: DoseID?
  ) throws(StorageError) -> [LimitBreach] {
    let stated = try LimitRows.stated(patient: patient, in: writer)
    guard stated.contains(where: { $0.isActive && $0.limits.isLimiting }) else { return [] }
    let sources = LimitRows.sources(stated)
    let zone = zone.flatMap { try? context.zones.zone($0) } ?? .utc
    let own = Ingredient.contents(column: medicine.ingredients)
    var found: [LimitBreach] = []
    for (limited, limits, isActive) in stated where isActive && limits.isLimiting {
      let isSame =
        limited.plan == medicine.plan
        || !own.isDisjoint(with: Ingredient.contents(column: limited.ingredients))
      guard isSame else { continue }
      let check = try LimitRows.check(
        limits, of: limited, patient: patient, around: at, excluding: dose, zone: zone,
        sources: sources, in: writer)
      found += check.breaches(
        at: at, amount: amount, from: medicine.plan?.text, isScheduled: dose != nil)
    }
    return found
  }
}

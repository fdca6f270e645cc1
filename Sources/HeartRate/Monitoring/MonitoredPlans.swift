// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Plans
import Scheduling
import Storage

/// The plans that a person's warnings ask about.
package struct MonitoredPlans: Sendable, Hashable {
  /// A plan that is monitored or can be chosen.
  package struct Plan: Sendable, Hashable {
    /// The identifier of the plan.
    package let plan: PlanID
    /// The name of the medicine as the pages show it.
    package let name: String
    /// True if it is a beta-blocker, by an ATC code of class C07 or by its name.
    package let isBetaBlocker: Bool
    let isMonitored: Bool
  }

  /// All plans with doses: the monitored ones and those that can be chosen.
  package let all: [Plan]

  /// The plans whose doses are checked, including formerly monitored plans that ended or were paused, whose
  /// doses stay unrecorded.
  let ids: [PlanID]

  /// The plans that were monitored once: doses due until then are still in question.
  let formerly: [PlanID: Timestamp]

  /// Returns true if a dose of a plan is checked.
  func looksAt(_ plan: PlanID, due: Timestamp) -> Bool {
    ids.contains(plan) || formerly[plan].map { due <= $0 } ?? false
  }

  /// The plans with doses that are monitored now.
  package var monitored: [Plan] { all.filter(\.isMonitored) }

  /// The class of beta-blocking agents in the ATC classification.
  private static let betaBlockers = "C07"
  private static let system = "http://www.whocc.no/atc"

  static func load(_ settings: HeartRateSettings, of patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> MonitoredPlans
  {
    let chosen = settings.plans.map(Set.init)
    let rows = try PlanStore.all(patient: patient, in: reader)
    func isMonitored(_ row: PlanRow) -> Bool { chosen?.contains(row.plan) ?? isBetaBlocker(row) }
    return MonitoredPlans(
      all: rows.filter(\.isRinging).map { row in
        Plan(
          plan: row.plan, name: row.shownName, isBetaBlocker: isBetaBlocker(row),
          isMonitored: isMonitored(row))
      }, ids: rows.filter(isMonitored).map(\.plan),
      formerly: try HeartRateRows.unmonitored(patient, in: reader))
  }

  private static func isBetaBlocker(_ row: PlanRow) -> Bool {
    let codes = Ingredient.codes(column: row.ingredients)
    let isCoded = codes.contains { $0.system == system && $0.code.hasPrefix(betaBlockers) }
    return isCoded || BetaBlocker.isNamed(in: row.medicineName)
  }

  /// The properties, for the model, of the first monitored medicine that it knows.
  var agent: BetaBlocker {
    for plan in monitored {
      let name = plan.name.lowercased()
      for (word, agent) in Self.agents where name.contains(word) { return agent }
    }
    return .other
  }

  private static let agents: [(word: String, agent: BetaBlocker)] = [
    ("bisoprolol", .bisoprolol), ("metoprolol", .metoprolol), ("carvedilol", .carvedilol),
    ("nebivolol", .nebivolol), ("atenolol", .atenolol),
  ]
}

/// A dose of a monitored plan, with the data needed to judge it.
struct MonitoredDose: Sendable, Hashable {
  let due: Timestamp
  let lateUntil: Timestamp
  let state: DoseState.Stored
  /// The planned amount, in its own unit.
  let amount: Double?
  /// True if its plan was monitored when it was due and no longer is.
  var isFormer = false

  /// True if it may have been missed, because no one recorded it as taken.
  var isInDoubt: Bool { state != .taken && state != .cancelled }

  /// Returns the doses by due time.
  static func load(
    _ plans: MonitoredPlans, of patient: PatientID, from: Timestamp, until: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> [MonitoredDose] {
    guard !plans.ids.isEmpty || !plans.formerly.isEmpty else { return [] }
    let monitored = Set(plans.ids)
    var found: [MonitoredDose] = []
    for row in try reader.query(
      dosesStatement, [.text(patient), SQLValue(from), SQLValue(until)])
    {
      let row = row.read(MonitoredDoseRow.self)
      let plan: PlanID = try row.id(.plan)
      let due = try row.timestamp(.due)
      let isMonitored = monitored.contains(plan)
      guard isMonitored || plans.formerly[plan].map({ due <= $0 }) ?? false else { continue }
      found.append(
        MonitoredDose(
          due: due, lateUntil: try row.timestamp(.lateUntil), state: try row.named(.state),
          amount: try row.optionalText(.amountValue).flatMap { Double($0) },
          isFormer: !isMonitored))
    }
    return found
  }

  private static let dosesStatement = SQLStatement(
    """
    SELECT \(MonitoredDoseRow.columns) FROM doses
    WHERE patient = $1 AND due >= $2 AND due <= $3 ORDER BY due, plan, era, occurrence
    """)
}

/// The columns of a ``MonitoredDose``.
enum MonitoredDoseRow: SQLRowType {
  enum Column: Int, SQLColumn { case plan, due, lateUntil, state, amountValue }

  static let columns = SQLColumns<Column>()
}

extension [MonitoredDose] {
  /// Returns the time of day at which they are taken, by the last of them.
  func slot(in zone: Zone) -> DosingSlot {
    let hours = filter { !$0.isFormer }.suffix(14).map { zone.local(at: Instant($0.due)).time.hour }
    let hasMorning = hours.contains { $0 < 15 }
    let hasEvening = hours.contains { $0 >= 15 }
    if hasMorning && hasEvening { return .twice }
    return hasEvening ? .evening : .morning
  }

  /// Returns the amount of each local day relative to the most usual day, so that the effect of a recorded
  /// change can be expected; days without a dose are left out.
  func relativeDose(in zone: Zone) -> [Int: Double] {
    var amounts: [Int: Double] = [:]
    for dose in self where dose.state != .cancelled && !dose.isFormer {
      guard let amount = dose.amount, amount > 0, amount.isFinite else { return [:] }
      amounts[zone.date(at: Instant(dose.due)).daysSinceEpoch, default: 0] += amount
    }
    var counts: [Double: Int] = [:]
    for amount in amounts.values { counts[amount, default: 0] += 1 }
    guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else {
      return [:]
    }
    return amounts.mapValues { $0 / usual }
  }
}

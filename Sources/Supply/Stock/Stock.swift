// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The supply that a household has of one medicine.
package struct Stock: Sendable, Hashable {
  /// The identifier of the supply, unique among those of its owner.
  package let id: StockID
  /// The patient to whom it belongs.
  package let owner: PatientID
  /// The name of the medicine to show.
  package let medicineName: String
  /// The unit in which everything is counted, with the strength of one unit if known.
  package let unit: StockUnit
  /// The form of the medicine, which decides how long an opened pack can be used.
  package let form: StockForm
  /// The number of days that a pack can be used once opened, from its label; nil to use the form's.
  package let openDays: Int?
  /// The size of the last pack added, or of a full pack as the person stated it; nil if only the
  /// initial count is known.
  package let packSize: StockQuantity?
  /// The number of days it takes to get more; nil if unknown.
  package let leadDays: Int?
  /// The number of repeats left on the prescription, less the prescribed packs added since it was stated;
  /// nil if unknown.
  package let repeats: Int?
  /// The number of weeks it takes to get a new prescription; nil if unknown.
  package let doctorWeeks: Int?
  /// True if no notification about the supply should be sent.
  package let isQuiet: Bool
  /// The time at which its tracking began.
  package let begun: Timestamp
  /// The time of the last count, or of the first one; the count already includes everything taken before.
  package let countedAt: Timestamp
  /// The number of the last count's entry in the ledger; only later entries can be undone.
  package let countedNumber: Int64
  /// The packs in the order in which they are used, including empty ones and those added by mistake.
  package let lots: [StockLot]
  /// The amount that belongs to no pack; below zero if more was taken than the packs held.
  package let loose: StockQuantity
  /// The number of intakes since the last count whose amount could not be converted.
  package let uncounted: Int
  /// The medicines that are taken from it.
  package let uses: [StockUse]

  /// Returns the amount that can be used on a day; below zero if more was taken than was there.
  package func left(on date: CivilDate) -> StockQuantity {
    lots.reduce(loose) { $1.isUsable(on: date) ? $0 + $1.left : $0 }
  }

  /// The number of days ahead to ask for more, including the time for a new prescription if no repeats are
  /// left.
  package var noticeDays: Int {
    (leadDays ?? 0) + (repeats == 0 ? 7 * (doctorWeeks ?? 0) : 0)
  }

  /// The number of days before it runs out from which it counts as low; at least 7.
  package var lowDays: Int { max(7, noticeDays) }

  /// The amount in all packs, expired or not.
  package var total: StockQuantity { lots.reduce(loose) { $0 + $1.left } }

  /// Returns the packs with something left that have expired on a day and that the person has not chosen to
  /// use anyway.
  package func expired(on date: CivilDate) -> [StockLot] {
    lots.filter { $0.left > .zero && !$0.isVoid && !$0.isUsable(on: date) }
  }

  /// Returns true if only expired packs are left on a day.
  package func asksForExpired(on date: CivilDate) -> Bool {
    left(on: date) <= .zero && !expired(on: date).isEmpty
  }

  /// The packs that a page shows: those that are not empty, or the last one if all are.
  package var shownLots: [StockLot] {
    let present = lots.filter { !$0.isVoid }
    let filled = present.filter { $0.left != .zero }
    return filled.isEmpty ? present.max { $0.number < $1.number }.map { [$0] } ?? [] : filled
  }
}

/// A patient's medicine that is taken from a supply.
package struct StockUse: Sendable, Hashable {
  /// The patient who takes it.
  package let patient: PatientID
  /// The identifier of a plan, or the key of a medicine's name if it has no plan.
  package let medicine: String
  /// The name of the plan's medicine; nil without a plan.
  package let planName: String?

  /// Creates a use.
  ///
  /// - Parameter medicine: The identifier of a plan, or the key of a name.
  package init(patient: PatientID, medicine: String, planName: String? = nil) {
    self.patient = patient
    self.medicine = medicine
    self.planName = planName
  }
}

/// A line in the ledger of a supply.
package struct StockEntry: Sendable, Hashable {
  /// The event that an entry records.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The first count, or a later one.
    case counted
    /// A pack was added.
    case added
    case taken
    /// An intake, a pack or a loss was undone.
    case undone
    case lost
    case thrownAway = "thrown-away"
    case givenBack = "given-back"
    /// An amount moved from one pack to another, because a pack held more or less than recorded.
    case moved
    /// An expired pack was confirmed for use.
    case kept
    /// The sum that a person took before their data were erased.
    case erased
  }

  /// The identifier of the entry.
  package let id: String
  /// The patient who took it, or the owner of the supply for every other event.
  package let patient: PatientID
  /// The position in the ledger of the supply; higher is later.
  package let number: Int64
  /// The pack that changed; an empty identifier stands for no pack.
  package let lot: LotID
  /// The event that the entry records.
  package let kind: Kind
  /// The change in the unit of the supply; below zero if something was removed.
  package let amount: StockQuantity
  /// False for an intake whose amount could not be converted, so that nothing was deducted.
  package let isCounted: Bool
  /// The time of the event, such as the time of the intake.
  package let at: Timestamp
  /// The time at which the entry was written.
  package let recorded: Timestamp
  /// The display name of the account that wrote it; empty once erased.
  package let by: String
  /// The command that wrote the entry, shared by all its entries; nil for entries without one, such as
  /// intakes.
  package let act: String?
  /// The dispense from which the pack came; nil for all other entries.
  package let dispense: DispenseID?
}

/// The reason why a command on a supply changed nothing.
package enum StockError: Error, Sendable, Equatable {
  /// There is no such supply, pack or medicine, or the actor may not see it.
  case notFound
  case notAuthorized
  case invalid([StockIssue])
  /// The limit of supplies or packs is reached.
  case tooMany
  /// The supply was counted since, or the command was already undone.
  case cannotUndo
  case storage(StorageError)
}

/// A mistake in typed values.
package enum StockIssue: String, Sendable, Hashable, CaseIterable {
  case name, unit, amount, strength, expires, opened
  case openDays = "open-days"
  case leadDays = "lead-days"
  case packSize = "pack-size"
  case doctorWeeks = "doctor-weeks"
  case repeats, label, lot
  /// The pack has expired, and using it was not confirmed.
  case expired
  /// Another supply already counts this medicine.
  case medicine
  /// The dispense has changed since it was shown.
  case dispense
}

/// Runs the steps of a command and converts any failure to the command's own error.
func stocking<T>(_ steps: () throws -> T) throws(StockError) -> T {
  do {
    return try steps()
  } catch let error as StockError {
    throw error
  } catch let error as StorageError {
    throw .storage(error)
  } catch {
    throw .notFound
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// What a household has of one medicine.
package struct Stock: Sendable, Hashable {
  package let id: StockID
  /// The patient to whom it belongs.
  package let owner: PatientID
  package let medicineName: String
  package let unit: StockUnit
  package let form: StockForm
  /// How many days it keeps once opened, where the label says.
  package let openDays: Int?
  /// The size of the last pack added, or of a full pack as the person stated it; nil if only the
  /// initial count is known.
  package let packSize: StockQuantity?
  /// How many days it takes to get more.
  package let leadDays: Int?
  /// How often the prescription can be had again; nil where nobody said.
  package let repeats: Int?
  /// How many weeks it takes to get a new prescription.
  package let doctorWeeks: Int?
  /// Whether nobody is to be told of it.
  package let isQuiet: Bool
  /// When it was begun to be counted.
  package let begun: Timestamp
  /// The last count, or the beginning: what was taken before is in it.
  package let countedAt: Timestamp
  package let countedNumber: Int64
  /// In the order in which they are used; those that are empty or added by mistake too.
  package let lots: [StockLot]
  /// What no pack accounts for: below zero where more was taken than was there.
  package let loose: StockQuantity
  /// Intakes since the last count whose amount could not be counted.
  package let uncounted: Int
  /// Who takes from it.
  package let uses: [StockUse]

  /// What is left for use on a day, below zero where more was taken than was there.
  package func left(on date: CivilDate) -> StockQuantity {
    lots.reduce(loose) { $1.isUsable(on: date) ? $0 + $1.left : $0 }
  }

  /// How many days ahead more is to be asked for: also for the prescription, where it cannot be had again.
  package var noticeDays: Int {
    (leadDays ?? 0) + (repeats == 0 ? 7 * (doctorWeeks ?? 0) : 0)
  }

  /// From how many days before it runs out it is low.
  package var lowDays: Int { max(7, noticeDays) }

  /// Everything, past its day or not.
  package var total: StockQuantity { lots.reduce(loose) { $0 + $1.left } }

  /// Packs with something in them that are past their day, and not used all the same.
  package func expired(on date: CivilDate) -> [StockLot] {
    lots.filter { $0.left > .zero && !$0.isVoid && !$0.isUsable(on: date) }
  }

  /// Whether only packs past their day are left.
  package func asksForExpired(on date: CivilDate) -> Bool {
    left(on: date) <= .zero && !expired(on: date).isEmpty
  }

  /// Packs that a page shows: with something in them, or the last one.
  package var shownLots: [StockLot] {
    let present = lots.filter { !$0.isVoid }
    let filled = present.filter { $0.left != .zero }
    return filled.isEmpty ? present.max { $0.number < $1.number }.map { [$0] } ?? [] : filled
  }
}

/// A medicine of a patient that is taken from a stock.
package struct StockUse: Sendable, Hashable {
  package let patient: PatientID
  /// A plan's id, or the key of a name.
  package let medicine: String
  /// The name of the plan's medicine; nil without a plan.
  package let planName: String?

  package init(patient: PatientID, medicine: String, planName: String? = nil) {
    self.patient = patient
    self.medicine = medicine
    self.planName = planName
  }
}

/// A line of a stock's ledger.
package struct StockEntry: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The first count, or a count afterwards.
    case counted
    /// A pack.
    case added
    case taken
    /// Something was taken back: an intake, a pack, a loss.
    case undone
    case lost
    case thrownAway = "thrown-away"
    case givenBack = "given-back"
    /// From one pack to another, since more or less was in it than was thought.
    case moved
    /// A pack past its day is used all the same.
    case kept
    /// What somebody took whose data were erased.
    case erased
  }

  package let id: String
  /// Whose entry it is.
  package let patient: PatientID
  package let number: Int64
  package let lot: LotID
  package let kind: Kind
  package let amount: StockQuantity
  package let isCounted: Bool
  package let at: Timestamp
  package let recorded: Timestamp
  package let by: String
  package let act: String?
  /// The dispense that the pack came from.
  package let dispense: DispenseID?
}

/// Why a command on a stock did nothing.
package enum StockError: Error, Sendable, Equatable {
  /// No such stock, pack or medicine, or none that the actor may know of.
  case notFound
  case notAuthorized
  case invalid([StockIssue])
  /// There are as many as there may be.
  case tooMany
  /// It was counted since, or taken back already: there is nothing to take back.
  case cannotUndo
  case storage(StorageError)
}

/// What is wrong with what was typed.
package enum StockIssue: String, Sendable, Hashable, CaseIterable {
  case name, unit, amount, strength, expires, opened
  case openDays = "open-days"
  case leadDays = "lead-days"
  case packSize = "pack-size"
  case doctorWeeks = "doctor-weeks"
  case repeats, label, lot
  /// The pack is past its last day: that is asked first.
  case expired
  /// Another stock counts this medicine already.
  case medicine
  /// What was handed out is said to be something else since it was shown.
  case dispense
}

/// Runs the steps of a command and reports any failure as the command's own error.
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

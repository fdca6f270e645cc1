// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Knowledge
import Localization
import People
import Plans
import Scheduling
import Storage

/// A dose or schedule that goes beyond the approved table for a child.
package struct DoseContraindication: Sendable, Hashable {
  /// The limit of the table that is exceeded.
  package enum Kind: String, Sendable, Hashable {
    /// The dose is larger than in the table.
    case dose
    /// The doses are closer together, or there are more of them a day, than the table allows.
    case often
    /// The table has no dose for this child.
    case outside
  }

  /// The limit that is exceeded.
  package let kind: Kind
  /// The approved table.
  package let table: DoseTable
  /// The largest single dose in the table; nil if it has no dose for this child.
  package let most: IngredientMass?
  /// The same limit as a volume of the bottle's liquid; nil if the table has no dose for this child.
  package let mostVolume: LiquidVolume?
  /// The maximum number of doses in 24 hours in the table; 0 if it has no dose for this child.
  package let doses: Int
  /// A text for the dose or schedule that was typed.
  ///
  /// It is part of the key, so that a note about it does not cover another one.
  package let asked: String
}

extension PlanContraindications {
  /// Returns the contraindication if a draft exceeds the table of its ingredient; nil if none is approved, or
  /// if the bottle's strength or the child's weight is not known.
  static func beyondTable(
    _ draft: PlanDraft, subject: ContraindicationSubject, approvals: [TableApproval]
  ) -> [PlanContraindication] {
    guard let age = subject.ageInMonths, let grams = subject.grams, subject.isChild,
      let list = Ingredient.listed(column: Ingredient.key(name: draft.medicineName)),
      list.isComplete, list.ingredients.count == 1, let ingredient = list.ingredients.first,
      draft.doseUnit == DoseUnit.milliliter.rawValue,
      DraftText.trimmed(draft.strengthUnit ?? "") == "mg/mL",
      let perMillilitre = draft.strengthValue.flatMap({ DraftText.decimal($0) }),
      let strength = LiquidStrength(text: "\(perMillilitre)/1"),
      let volume = largestAmount(of: draft), let each = Decimal(string: perMillilitre),
      let mass = IngredientMass(milligrams: volume * each)
    else { return [] }
    let question = DoseQuestion(
      ingredient: ingredient, region: subject.region, strength: strength, grams: grams,
      ageInMonths: age, isBornAfter37Weeks: true)
    guard let answer = try? Handbook.shipped.dose(question, approvals: approvals) else { return [] }
    switch answer {
    case .dose(let found), .later(let found, _):
      let table = found.table
      func contraindication(_ kind: DoseContraindication.Kind) -> PlanContraindication {
        .dose(
          DoseContraindication(
            kind: kind, table: table, most: found.most, mostVolume: found.mostVolume,
            doses: found.doses,
            asked: kind == .often ? rhythm(of: draft) : "\(volume)x\(perMillilitre)"))
      }
      return (mass > found.most ? [contraindication(.dose)] : [])
        + (isTooOften(draft, hours: table.hours, doses: found.doses)
          ? [contraindication(.often)] : [])
    case .askPharmacist(.outsideTable), .askPharmacist(.conditionsNotMet),
      .askPharmacist(.beyondDay):
      // There is a table for the bottle, but not for this child.
      return Handbook.shipped.doseTables.first { table in
        table.ingredient == ingredient && table.region == subject.region
          && approvals.contains { $0.table == table.id }
          && table.strengths.contains { $0.isEqual(to: strength) }
      }.map {
        [
          .dose(
            DoseContraindication(
              kind: .outside, table: $0, most: nil, mostVolume: nil, doses: 0,
              asked: "\(volume)x\(perMillilitre)-\(rhythm(of: draft))"))
        ]
      } ?? []
    case .askPharmacist, .contraindicated: return []
    }
  }

  /// Returns the largest single dose.
  private static func largestAmount(of draft: PlanDraft) -> Decimal? {
    let amounts =
      switch draft.schedule {
      case .steps(let steps): steps.map(\.amount)
      case .varying(let entries): entries.map(\.amount)
      case .times, .everyHours, .everyDays, .meals, .asNeeded, .cycle, .spread, .afterIntake:
        [draft.doseValue]
      }
    return amounts.compactMap {
      (DoseMix(typed: $0)?.total ?? DraftText.decimal($0)).flatMap { Decimal(string: $0) }
    }.max()
  }

  /// Returns the schedule as a short text.
  private static func rhythm(of draft: PlanDraft) -> String {
    func text(_ times: [ClockTime]) -> String { times.sorted().map(\.text).joined(separator: ",") }
    return switch draft.schedule {
    case .times(let times, _), .everyDays(_, let times): text(times.map(\.time))
    case .cycle(let cycle): text(cycle.times.map(\.time))
    case .steps(let steps): steps.map { text($0.times.map(\.time)) }.joined(separator: ";")
    case .varying(let entries): text(entries.map(\.time.time))
    case .spread(let spread): "\(spread.count)/\(spread.gapHours)h"
    case .afterIntake(let interval): "after-\(interval.hours)h"
    case .everyHours(let gap, _): "every-\(gap)h"
    case .meals(let meals, _): meals.map(\.event.code).sorted().joined(separator: ",")
    case .asNeeded:
      "needed-\(draft.limits.gapHours ?? 0)h-\(draft.limits.count ?? 0)"
    }
  }

  private static func isTooOften(_ draft: PlanDraft, hours: Int, doses: Int) -> Bool {
    func isTooOften(_ times: [ClockTime]) -> Bool {
      if times.count > doses { return true }
      let seconds = times.map(\.secondsOfDay).sorted()
      guard let first = seconds.first, seconds.count > 1 else { return false }
      return zip(seconds, seconds.dropFirst() + [first + 86_400]).contains {
        $1 - $0 < hours * 3_600
      }
    }
    switch draft.schedule {
    case .times(let times, _), .everyDays(_, let times): return isTooOften(times.map(\.time))
    case .cycle(let cycle): return isTooOften(cycle.times.map(\.time))
    case .steps(let steps): return steps.contains { isTooOften($0.times.map(\.time)) }
    // Two entries at the same time are for different weekdays.
    case .varying(let entries): return isTooOften(Array(Set(entries.map(\.time.time))))
    case .spread(let spread): return spread.count > doses || spread.gapHours < hours
    case .afterIntake(let interval):
      return interval.hours < hours || interval.hours * doses < 24
    case .everyHours(let gap, _): return gap < hours || gap * doses < 24
    // The time between meals is not known here.
    case .meals(let meals, _): return meals.count > doses || (meals.count > 1 && hours > 4)
    case .asNeeded:
      return draft.limits.gapHours.map { $0 < hours } ?? true
        || draft.limits.count.map { $0 > doses } ?? true
    }
  }
}

/// Asks the dose calculator for a child, taking recent intakes into account.
package enum ChildDose {
  /// Returns the recommendation for an ingredient; nil if the child's age or weight is unknown.
  ///
  /// The intakes of the last 24 hours are read from the patient's record.
  ///
  /// - Parameters:
  ///   - strength: the strength of the bottle; nil if the label does not state it.
  ///   - isBornAfter37Weeks: true if the child was born at term; nil if unknown.
  package static func ask(
    _ ingredient: String, strength: LiquidStrength?, subject: ContraindicationSubject,
    isBornAfter37Weeks: Bool?,
    patient: PatientID, approvals: [TableApproval], now: Timestamp, in reader: any SQLReader
  ) throws -> DoseRecommendation? {
    guard let age = subject.ageInMonths, let grams = subject.grams else { return nil }
    let given = try GivenDoses.lastDay(of: ingredient, patient: patient, now: now, in: reader)
    return try Handbook.shipped.dose(
      DoseQuestion(
        ingredient: ingredient, region: subject.region, strength: strength, grams: grams,
        ageInMonths: age, isBornAfter37Weeks: isBornAfter37Weeks, given: given),
      approvals: approvals)
  }
}

extension GivenDoses {
  /// Returns the milligrams in one dose of a prescription; nil if they cannot be calculated from the
  /// strength, or if the dose is stated as a mass anyway.
  package static func milligramsOfDose(in request: MedicationRequestView) -> Decimal? {
    let limits = PlanLimits(request)
    guard let dose = limits.dose, Measure(dose)?.kind != .mass else { return nil }
    return milligrams(of: dose, strength: limits.strength)
  }
}

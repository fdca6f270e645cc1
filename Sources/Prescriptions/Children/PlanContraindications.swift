// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Knowledge
import Localization
import Observations
import People
import Plans
import Scheduling
import Storage

/// The person for whom a medicine is checked.
package struct ContraindicationSubject: Sendable, Hashable {
  /// The age in full months; nil if no birth date is known.
  package let ageInMonths: Int?
  /// The latest weight in grams; nil if none is known.
  package let grams: Int?
  /// The region whose rules apply.
  package let region: Region

  /// Creates a subject.
  ///
  /// - Parameters:
  ///   - ageInMonths: The age in full months; nil if unknown.
  ///   - grams: The weight in grams; nil if unknown.
  package init(ageInMonths: Int?, grams: Int?, region: Region) {
    self.ageInMonths = ageInMonths
    self.grams = grams
    self.region = region
  }

  /// True if the person is known to be under 18, so that rules for children apply.
  package var isChild: Bool { ageInMonths.map { $0 < ChildAge.grown } ?? false }

  /// Returns a patient's age on a day and the latest weight, as recorded.
  package static func of(
    _ patient: PatientID, region: Region, today: CivilDate, in reader: any SQLReader
  ) throws -> ContraindicationSubject {
    let born = try PeopleQueries.details(patient, in: reader)?.details.birthDate
    return ContraindicationSubject(
      ageInMonths: born.map { ChildAge.months(from: $0, to: today) },
      grams: try HealthProfileQueries.weights(patient, in: reader).first?.grams, region: region)
  }
}

/// A contraindication of a medicine as it was typed.
package enum PlanContraindication: Sendable, Hashable {
  /// The medicine is not for this age or weight.
  case age(AgeContraindication)
  /// Another product of the person contains the same ingredients.
  case twoProducts(plan: PlanID, name: String, ingredients: [String])
  /// The strength of a liquid states an amount without the volume that contains it.
  case strengthWithoutVolume
  /// The dose or schedule exceeds the approved table.
  case dose(DoseContraindication)

  /// A key that identifies the contraindication in forms and notes.
  package var key: String {
    switch self {
    case .age(let contraindication): contraindication.id
    case .twoProducts(let plan, _, _): "two-products-\(plan)"
    case .strengthWithoutVolume: "strength"
    case .dose(let contraindication):
      "\(contraindication.kind.rawValue)-\(contraindication.table.id)-\(contraindication.table.version)-\(contraindication.asked)"
    }
  }

  /// True if a note can override it: if the source itself makes an exception, or for a dose beyond a table,
  /// since a prescriber may exceed the table.
  package var mayBeSetAside: Bool {
    switch self {
    case .age(let contraindication): contraindication.mayBeOverridden
    case .twoProducts(_, _, let ingredients): !ingredients.contains(Self.neverTwice)
    case .strengthWithoutVolume: false
    case .dose: true
    }
  }

  /// The ingredient for which the handbook's topic on fever rules out two products.
  static let neverTwice = "paracetamol"
  /// The statement of the handbook's topic on fever that rules two products with paracetamol out.
  package static let twoProductsStatement = "fever.two-products"
}

/// Finds the contraindications of a medicine before it is saved, in every form.
package enum PlanContraindications {
  /// Returns the contraindications of a product for a person's age and weight; empty if the age is unknown
  /// or 20 years or more.
  ///
  /// An infant under 12 months whose weight is unknown counts as too light for rules with a minimum weight.
  ///
  /// - Parameter column: The keys of the product's name and ingredients.
  package static func ofAge(column: String, for subject: ContraindicationSubject)
    -> [AgeContraindication]
  {
    guard let age = subject.ageInMonths, age < 240 else { return [] }
    var known = Ingredient.contents(column: column)
    // Look for brands too, because "Tylenol with codeine" begins with only Tylenol.
    for word in column.split(whereSeparator: { !$0.isLetter }) where word.count >= 4 {
      known.formUnion(Ingredient.contents(column: Ingredient.key(name: String(word))))
    }
    // An infant of unknown weight may be too light; an older child is not.
    let grams = subject.grams ?? (age < 12 ? 0 : .max)
    let handbook = Handbook.shipped
    return handbook.contraindications(
      for: handbook.ageContraindications.flatMap(\.ingredients).filter { ingredient in
        known.contains(Ingredient.contentKey(ingredient))
          // Food that is given like a medicine is not in any list of products.
          || known.contains(Ingredient.key(name: ingredient))
      }, ageInMonths: age, grams: grams, region: subject.region)
  }

  /// Returns the contraindications of a draft, without those that a note on the stored plan already
  /// overrides.
  ///
  /// - Parameter plan: The plan that the draft changes; nil for a new one.
  package static func of(
    _ draft: PlanDraft, plan: PlanID?, patient: PatientID, subject: ContraindicationSubject,
    today: CivilDate,
    in reader: any SQLReader
  ) throws -> [PlanContraindication] {
    let before = try plan.flatMap { try PlanQueries.plan($0, patient: patient, in: reader) }
    let column = Ingredient.key(name: draft.medicineName)
    var contraindications = ofAge(column: column, for: subject).map(PlanContraindication.age)
    let isSameName =
      before.map { Ingredient.key(name: PlanChange.name($0.request)) == column } ?? false
    // For adults this is one of the interaction warnings.
    if subject.isChild, !isSameName {
      contraindications += try twoProducts(
        column, but: plan, patient: patient, today: today, in: reader)
    }
    let unit = DraftText.trimmed(draft.strengthUnit ?? "")
    if subject.isChild, draft.doseUnit == DoseUnit.milliliter.rawValue, !unit.isEmpty,
      draft.strengthValue != nil, ["mg", "g", "microgram"].contains(unit)
    {
      contraindications.append(.strengthWithoutVolume)
    }
    let approvals = try DoseApprovals.inForce(Handbook.shipped.doseTables, in: reader)
      .map { $0.approval(in: .utc) }
    contraindications += beyondTable(draft, subject: subject, approvals: approvals)
    let known = Set(
      (before.map { ContraindicationNote.all(in: $0.request) } ?? []).map(\.contraindication))
    // A note from another system cannot override a contraindication that must stay.
    return contraindications.filter { !($0.mayBeSetAside && known.contains($0.key)) }
  }

  private static func twoProducts(
    _ column: String, but plan: PlanID?, patient: PatientID, today: CivilDate,
    in reader: any SQLReader
  ) throws -> [PlanContraindication] {
    let own = Ingredient.contents(column: column)
    var found: [PlanContraindication] = []
    for other in try PlanQueries.all(patient: patient, in: reader)
    where other.id != plan && other.status == "active" && !isOver(other, today: today) {
      let theirs = Ingredient.contents(
        column: Ingredient.column(Ingredient.keys(of: other.request)))
      let shared = own.intersection(theirs)
      // The same product twice is a mistake as well.
      if shared.isEmpty { continue }
      let names = shared.compactMap(Ingredient.ingredient(ofKey:)).sorted()
      found.append(
        .twoProducts(
          plan: other.id, name: other.medicineName,
          ingredients: names.isEmpty ? [other.medicineName] : names))
    }
    return found
  }

  /// Returns true if the last day that a plan states has passed.
  private static func isOver(_ plan: Plan, today: CivilDate) -> Bool {
    let ends = plan.request.dosages.map { dosage in
      dosage.timing?.boundsPeriodEnd.flatMap { CivilDate(text: $0) }
    }
    return !ends.isEmpty && ends.allSatisfy { $0.map { $0 < today } ?? false }
  }
}

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

/// The person for whom a medicine is looked at.
package struct ContraindicationSubject: Sendable, Hashable {
  /// Full months; nil where no birth date is known.
  package let ageInMonths: Int?
  package let grams: Int?
  /// Whose rules to go by.
  package let region: Region

  package init(ageInMonths: Int?, grams: Int?, region: Region) {
    self.ageInMonths = ageInMonths
    self.grams = grams
    self.region = region
  }

  /// Whether rules for children hold.
  package var isChild: Bool { ageInMonths.map { $0 < ChildAge.grown } ?? false }

  /// Age and weight as they are known of a person.
  package static func of(
    _ patient: PatientID, region: Region, today: CivilDate, in reader: any SQLReader
  ) throws -> ContraindicationSubject {
    let born = try PeopleQueries.details(patient, in: reader)?.details.birthDate
    return ContraindicationSubject(
      ageInMonths: born.map { ChildAge.months(from: $0, to: today) },
      grams: try HealthProfileQueries.weights(patient, in: reader).first?.grams, region: region)
  }
}

/// Something that speaks against a medicine as it was typed.
package enum PlanContraindication: Sendable, Hashable {
  /// Not for this age or weight.
  case age(AgeContraindication)
  /// Another product of the person holds the same.
  case twoProducts(plan: PlanID, name: String, ingredients: [String])
  /// A liquid whose strength says how much, and not in how much.
  case strengthWithoutVolume
  /// Beyond the approved table.
  case dose(DoseContraindication)

  /// Names it in forms and notes.
  package var key: String {
    switch self {
    case .age(let contraindication): contraindication.id
    case .twoProducts(let plan, _, _): "two-products-\(plan)"
    case .strengthWithoutVolume: "strength"
    case .dose(let contraindication):
      "\(contraindication.kind.rawValue)-\(contraindication.table.id)-\(contraindication.table.version)-\(contraindication.asked)"
    }
  }

  /// Whether a note may set it aside: where the source itself makes an exception, and beyond a table, since
  /// a prescriber may give more than is printed.
  package var mayBeSetAside: Bool {
    switch self {
    case .age(let contraindication): contraindication.mayBeOverridden
    case .twoProducts(_, _, let ingredients): !ingredients.contains(Self.neverTwice)
    case .strengthWithoutVolume: false
    case .dose: true
    }
  }

  /// Two products of it are ruled out by the statement of the topic of fever.
  static let neverTwice = "paracetamol"
  package static let twoProductsStatement = "fever.two-products"
}

/// What speaks against a medicine: looked at before it is saved, wherever its form stands.
package enum PlanContraindications {
  /// What bars a product for a person, by the names it is known under.
  package static func ofAge(column: String, for subject: ContraindicationSubject) -> [AgeContraindication] {
    guard let age = subject.ageInMonths, age < 240 else { return [] }
    var known = Ingredient.contents(column: column)
    // A bar must not be missed behind a brand: "Tylenol with codeine" begins with Tylenol alone.
    for word in column.split(whereSeparator: { !$0.isLetter }) where word.count >= 4 {
      known.formUnion(Ingredient.contents(column: Ingredient.key(name: String(word))))
    }
    // An infant whose weight is not known may be too light; an older child is not.
    let grams = subject.grams ?? (age < 12 ? 0 : .max)
    let handbook = Handbook.shipped
    return handbook.contraindications(
      for: handbook.ageContraindications.flatMap(\.ingredients).filter { ingredient in
        known.contains(Ingredient.contentKey(ingredient))
          // Food that is given like a medicine stands in no list of products.
          || known.contains(Ingredient.key(name: ingredient))
      }, ageInMonths: age, grams: grams, region: subject.region)
  }

  /// What speaks against a draft, but for what was set aside before.
  package static func of(
    _ draft: PlanDraft, plan: PlanID?, patient: PatientID, subject: ContraindicationSubject, today: CivilDate,
    in reader: any SQLReader
  ) throws -> [PlanContraindication] {
    let before = try plan.flatMap { try PlanQueries.plan($0, patient: patient, in: reader) }
    let column = Ingredient.key(name: draft.medicineName)
    var contraindications = ofAge(column: column, for: subject).map(PlanContraindication.age)
    let isSameName =
      before.map { Ingredient.key(name: PlanChange.name($0.request)) == column } ?? false
    // Grown people are warned of it with what else does not go together.
    if subject.isChild, !isSameName {
      contraindications += try twoProducts(column, but: plan, patient: patient, today: today, in: reader)
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
    let known = Set((before.map { ContraindicationNote.all(in: $0.request) } ?? []).map(\.contraindication))
    // A note that came with a record from elsewhere sets nothing aside that must not be.
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
      // The same product twice is a slip as well.
      if shared.isEmpty { continue }
      let names = shared.compactMap(Ingredient.ingredient(ofKey:)).sorted()
      found.append(
        .twoProducts(
          plan: other.id, name: other.medicineName,
          ingredients: names.isEmpty ? [other.medicineName] : names))
    }
    return found
  }

  /// Whether the last day that a plan names lies behind.
  private static func isOver(_ plan: Plan, today: CivilDate) -> Bool {
    let ends = plan.request.dosages.map { dosage in
      dosage.timing?.boundsPeriodEnd.flatMap { CivilDate(text: $0) }
    }
    return !ends.isEmpty && ends.allSatisfy { $0.map { $0 < today } ?? false }
  }
}

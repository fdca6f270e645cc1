// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Knowledge
import Plans
import Scheduling
import Storage

/// A medicine whose follow-ups are asked about.
package struct FollowUpMedicine: Sendable {
  /// The plan of the medicine.
  package let plan: PlanID
  /// The name of the medicine as shown to people.
  package let name: String
  /// The ingredient keys, one a line.
  let ingredients: String
  /// The least time between two doses in milliseconds; nil for none.
  package let gap: Int64?

  /// Creates the medicine of an as-needed plan.
  package init(_ medicine: AsNeededMedicine) {
    plan = medicine.plan
    name = medicine.medicineName
    ingredients = Ingredient.column(Ingredient.keys(of: medicine.request))
    gap = medicine.limits.gap
  }

  /// Creates the medicine of a plan.
  package init(_ medicine: Plan) {
    plan = medicine.id
    name = medicine.medicineName
    ingredients = Ingredient.column(Ingredient.keys(of: medicine.request))
    gap = PlanLimits(medicine.request).gap ?? medicine.minimumGapMilliseconds
  }

  /// The rule about overuse with the fewest days; nil if no source states one.
  package var overuse: OveruseRule? { Self.overuse(name, ingredients) }

  /// Returns the rule about overuse of a medicine; nil if no source states one.
  static func overuse(_ name: String, _ ingredients: String) -> OveruseRule? {
    Handbook.shipped.overuseRule(
      names: [name] + (Ingredient.listed(column: ingredients)?.ingredients ?? []),
      codes: Ingredient.codes(column: ingredients).map { $0.code })
  }

  /// The keys by which doses of the same medicine are found.
  var contents: Set<String> { Ingredient.contents(column: ingredients) }
}

/// The follow-ups of one medicine.
package struct FollowUpFacts: Sendable {
  /// The medicine.
  package let medicine: FollowUpMedicine
  /// The person's choice.
  package let choice: FollowUpChoice
  /// The time at which the question comes.
  package let timing: FollowUpTiming
  /// The last answers about doses of the same medicine.
  package let summary: FollowUpSummary
  /// The rule about overuse; nil if no source states one.
  package let rule: OveruseRule?
  /// The warning about overuse; nil if there is no reason for one.
  package let overuse: OveruseWarning?
}

/// Queries about follow-ups; the caller has checked that the actor may see them.
package enum FollowUpQueries {
  /// Returns the questions that wait for an answer, the oldest dose first.
  package static func open(
    patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [OpenFollowUp] {
    try FollowUpRows.open(patient: patient, at: now, in: reader)
  }

  /// Returns the question about a dose; nil if there is none.
  package static func question(
    _ administration: AdministrationID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> FollowUp? {
    try FollowUpRows.one(administration, patient: patient, in: reader)
  }

  /// Returns the facts about some medicines of a patient, in their order.
  package static func facts(
    of medicines: [FollowUpMedicine], patient: PatientID, now: Timestamp, zone: Zone,
    in reader: any SQLReader
  ) throws(StorageError) -> [FollowUpFacts] {
    guard !medicines.isEmpty else { return [] }
    let choices = try FollowUpRows.choices(patient: patient, in: reader)
    let answers = try FollowUpRows.answers(patient: patient, in: reader)
    let rules = medicines.map(\.overuse)
    let counted = zip(medicines, rules).contains { medicine, rule in
      isCounted(rule, choices[medicine.plan] ?? .standard)
    }
    // One more day, because a day begins at another instant in each zone.
    let since = now.adding(milliseconds: -Int64(OveruseWarning.window + 1) * 86_400_000)
    let intakes =
      counted ? try FollowUpRows.intakes(patient: patient, since: since, in: reader) : []
    let kinds = kinds(of: intakes, choices)
    return zip(medicines, rules).map { medicine, rule in
      let choice = choices[medicine.plan] ?? .standard
      let contents = medicine.contents
      func isSame(_ plan: PlanID?, _ ingredients: String) -> Bool {
        plan == medicine.plan
          || !Ingredient.contents(column: ingredients).isDisjoint(with: contents)
      }
      let own = answers.filter { isSame($0.plan, $0.ingredients) }.map { $0.answer }
      var overuse: OveruseWarning?
      if let rule, isCounted(rule, choice) {
        var taken = OveruseWarning.Intakes(own: [])
        for (intake, other) in zip(intakes, kinds) {
          if isSame(intake.plan, intake.ingredients) {
            taken.own.append(intake.taken)
          } else if let other {
            if other.days == rule.days {
              taken.similar.append(intake.taken)
            } else {
              taken.others.append(intake.taken)
            }
          }
        }
        overuse = OveruseWarning(rule, taken: taken, now: now, zone: zone)
      }
      return FollowUpFacts(
        medicine: medicine, choice: choice,
        timing: FollowUpTiming(chosen: choice.minutes, gap: medicine.gap),
        summary: FollowUpSummary(own), rule: rule, overuse: overuse)
    }
  }

  /// Returns the rule of each intake; nil for one whose days are not counted.
  private static func kinds(
    of intakes: [CountedIntake], _ choices: [PlanID: FollowUpChoice]
  ) -> [OveruseRule?] {
    struct Medicine: Hashable {
      let name: String
      let ingredients: String
    }
    var known: [Medicine: OveruseRule?] = [:]
    return intakes.map { intake -> OveruseRule? in
      let medicine = Medicine(name: intake.name, ingredients: intake.ingredients)
      let rule: OveruseRule?
      if let found = known[medicine] {
        rule = found
      } else {
        rule = FollowUpMedicine.overuse(medicine.name, medicine.ingredients)
        known.updateValue(rule, forKey: medicine)
      }
      let choice = intake.plan.flatMap { choices[$0] } ?? .standard
      return isCounted(rule, choice) ? rule : nil
    }
  }

  /// Returns true if the days of a medicine are counted.
  private static func isCounted(_ rule: OveruseRule?, _ choice: FollowUpChoice) -> Bool {
    guard let rule else { return false }
    return rule.use == .headache || choice.isForHeadache
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Knowledge
import Localization
import Scheduling

/// A schedule that gives a medicine more often than its rule allows: methotrexate daily instead of weekly.
package struct FrequencyBreach: Sendable, Hashable {
  /// The rule of the handbook that the schedule breaks.
  package let rule: FrequencyRule
  private let request: MedicationRequestView
  /// The most doses within the days of the rule; nil if it is taken as needed, without a schedule.
  package let doses: Int?

  /// Returns the name of its medicine as shown to people.
  package func shownName(in language: Language) -> String {
    let name = ShownName.of(request, in: language)
    return name.isEmpty ? rule.name : name
  }

  /// The key in forms and confirmations.
  package var key: String { "too-often-\(rule.id)" }

  /// The statement that a person confirms: the number of doses within the days of the rule.
  package var stated: String { doses.map { String($0) } ?? Self.whenNeeded }

  static let whenNeeded = "as-needed"

  /// Returns true if a confirmation of `earlier` also covers this breach.
  func isCovered(by earlier: String) -> Bool {
    if earlier == stated { return true }
    guard let doses, let confirmed = Int(earlier) else { return false }
    return doses <= confirmed
  }

  /// The issue returned to programs that send plans.
  package var issue: FHIRIssue {
    let found = doses.map { "has \($0)" } ?? "has no fixed days"
    let sources = rule.sources.compactMap { Handbook.shipped.source($0)?.name }
    return FHIRIssue(
      code: .businessRule, expression: "MedicationRequest.dosageInstruction.timing",
      diagnostics: """
        \(shownName(in: .en)): at most \(rule.doses) dose(s) in \(rule.days) days; this schedule \(found). \
        A person must confirm a more frequent schedule on the medicine's page. \
        Sources: \(sources.joined(separator: "; ")).
        """)
  }
}

extension FrequencyBreach {
  /// Returns the breach if an active request gives its medicine more often than the rule allows, else nil.
  ///
  /// A request that yields no doses at all, such as a dosage in words, breaks no rule.
  package static func of(
    _ request: MedicationRequestView, zone: Zone, rhythm: DailyRhythm, today: CivilDate
  ) -> FrequencyBreach? {
    let dosages = request.dosages.filter { !$0.isPlacebo }
    guard request.status == "active", let rule = frequencyRule(of: request, dosages) else {
      return nil
    }
    func breach(_ doses: Int?) -> FrequencyBreach {
      FrequencyBreach(rule: rule, request: request, doses: doses)
    }
    if dosages.contains(where: \.asNeeded) { return breach(nil) }
    guard let expected = ExpectedDoses(request, zone: zone, rhythm: rhythm, today: today) else {
      return nil
    }
    let most = count(expected, in: rule.days, zone: zone)
    return most > rule.doses ? breach(most) : nil
  }

  /// Returns the rule for the medicine of a request.
  private static func frequencyRule(
    of request: MedicationRequestView, _ dosages: [DosageView]
  ) -> FrequencyRule? {
    let strength = StatedStrength(request)
    let potency = StatedUnits(request)
    let amounts = dosages.map { TimingReader.amount($0) }
    /// Returns the largest content of a dose, or nil if the content of any dose is not known.
    func largest(_ content: (Amount) -> Decimal?) -> Double? {
      let found = amounts.map { $0.flatMap(content) }
      guard found.allSatisfy({ $0 != nil }), let most = found.compactMap(\.self).max() else {
        return nil
      }
      return NSDecimalNumber(decimal: most).doubleValue
    }
    let units = dosages.compactMap { dosage in
      dosage.doseQuantity.flatMap { DoseUnit(code: $0.code, text: $0.unit) }
    }
    return Handbook.shipped.frequencyRule(
      name: request.medicationName ?? "",
      codes: Ingredient.searched(column: Ingredient.column(Ingredient.keys(of: request))),
      form: MedicineDetails(request).form?.rawValue ?? units.lazy.compactMap(form).first,
      milligrams: largest { strength?.milligrams(of: $0) ?? Measure($0)?.milligrams },
      units: largest { potency?.units(of: $0) ?? Measure($0)?.internationalUnits })
  }

  /// Returns the form that a unit implies, or nil if it implies none.
  private static func form(_ unit: DoseUnit) -> String? {
    switch unit {
    case .tablet, .capsule, .patch, .injection: unit.rawValue
    default: nil
    }
  }

  /// Returns the most doses at distinct times within the given number of consecutive days.
  private static func count(_ expected: ExpectedDoses, in days: Int, zone: Zone) -> Int {
    var most = 0
    for doses in expected.stretches {
      let dates = Set(doses.map(\.due)).sorted().map { zone.date(at: $0) }
      var end = 0
      for (start, date) in dates.enumerated() {
        let excluded = date.adding(days: days)
        while end < dates.count, dates[end] < excluded { end += 1 }
        most = max(most, end - start)
      }
    }
    return most
  }
}

// SPDX-License-Identifier: Apache-2.0

import Knowledge
import Localization
import Plans
import Scheduling
import Storage

/// The check of medicines for someone who has no record here, by what the caller states about them.
package struct StatedMedicineCheck: Sendable {
  let list: InteractionList
  let region: Region
  let ageInMonths: Int?
  /// The zone of everything about people without a record, whose own is unknown.
  package let zone = Zone.utc

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - birthDate: The stated date of birth as FHIR writes it; ignored if it is not a full date.
  ///   - region: The region whose rules for children apply.
  package init(list: InteractionList, birthDate: String?, region: Region, now: Timestamp) {
    self.list = list
    self.region = region
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    ageInMonths = birthDate.flatMap { CivilDate(text: $0) }.map {
      ChildAge.months(from: $0, to: today)
    }
  }

  /// Checks incoming medicines against each other and against other stated ones; keeps their order.
  package func check(
    _ incoming: [IncomingMedicine], among others: [IncomingMedicine], in language: Language
  ) -> [MedicineCheck] {
    let substances = (others + incoming).map { one -> Substance in
      var substance = one.substance
      substance.shownName = one.shownName(in: language)
      return substance
    }
    let checked = CheckSubject.withoutRecord.checked(list, replacing: substances)
    let subject = ContraindicationSubject(ageInMonths: ageInMonths, grams: nil, region: region)
    let ids = incoming.map(\.substance.id)
    return zip(incoming, checked.report.about(each: ids)).map { one, report in
      MedicineCheck(
        medicine: one.substance.id, checked: checked, report: report, before: [],
        ageContraindications: PlanContraindications.ofAge(column: one.column, for: subject))
    }
  }
}

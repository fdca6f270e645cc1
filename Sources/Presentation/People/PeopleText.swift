// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Localization
import Scheduling
import Storage
import Web

/// Puts access rights into plain words.
package enum PeopleText {
  /// Returns a person's access: the relationship, the shared categories, and the end.
  ///
  /// - Parameter ends: The end of the access; nil if it has none.
  package static func access(
    _ right: PatientRight, until ends: Timestamp?, zone: Zone, _ localizer: Localizer
  ) -> String {
    var words = [
      localizer.text(
        "people.access-kind", ["relationship": .text(right.relationship.rawValue)])
    ]
    if !right.relationship.actsForPatient { words.append(shared(right, localizer)) }
    if let ends {
      words.append(localizer.text("people.until", ["date": .text(date(ends, zone, localizer))]))
    }
    return words.joined(separator: " ")
  }

  /// Returns the shared categories in one sentence.
  package static func shared(_ right: PatientRight, _ localizer: Localizer) -> String {
    let names = DataCategory.allCases.filter(right.categories.contains).map {
      category($0, localizer)
    }
    return localizer.text("people.shares", ["names": .text(localizer.list(names))])
  }

  static func category(_ category: DataCategory, _ localizer: Localizer) -> String {
    localizer.text("people.category", ["category": .text(category.rawValue)])
  }

  /// Returns a local date in medium length, such as `1 March 2026`.
  package static func date(_ instant: Timestamp, _ zone: Zone, _ localizer: Localizer) -> String {
    let date = zone.date(at: Instant(milliseconds: instant.milliseconds))
    return localizer.date(
      LocalDay(
        year: date.year, month: date.month, day: date.day, isoWeekday: date.weekday.rawValue),
      .medium)
  }

  /// Returns the checkboxes for the categories that can be shared.
  package static func categoryField(
    _ chosen: Set<DataCategory>, error: String?, _ localizer: Localizer
  ) -> FormField {
    FormField(
      "category", label: localizer.text("people.form.categories"),
      kind: .checkboxes(
        DataCategory.allCases.map { FieldChoice($0.rawValue, category($0, localizer)) }),
      values: DataCategory.allCases.filter(chosen.contains).map(\.rawValue),
      hint: localizer.text("people.form.categories-hint"), error: error, isRequired: false,
      localizer: localizer)
  }

  /// Returns the categories checked in a form; unknown values are ignored.
  package static func categories(_ form: FormBody) -> Set<DataCategory> {
    Set(form.all("category").compactMap(DataCategory.init(rawValue:)))
  }

  /// Returns the message that explains why a grant was refused.
  package static func refusal(_ error: GrantError, _ localizer: Localizer) -> String {
    let reason =
      switch error {
      case .notFound, .codeRefused: "code"
      case .notAllowed: "not-allowed"
      case .lastGuardian: "last-guardian"
      case .oneself: "oneself"
      case .circular: "circular"
      case .alreadyGranted: "already"
      case .nothingShared: "nothing-shared"
      case .endsInThePast: "past"
      case .tooManyInvitations, .tooManyMails: "too-many"
      }
    return localizer.text("people.refused", ["reason": .text(reason)])
  }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Localization
import Scheduling
import TimeZones

/// A patient's own details, as in the form.
package struct PatientDetails: Sendable, Hashable {
  /// The given names as typed.
  package var givenName: String
  /// The family name as typed; empty for none.
  package var familyName: String
  /// The date of birth; nil if it is not known.
  package var birthDate: CivilDate?
  /// The phone number; empty for none.
  package var phone: String
  /// The email address; empty for none.
  package var email: String
  /// The person's language, in which medicine names state their strength.
  package var language: Language
  /// The time zone, an IANA identifier.
  package var zone: String
  /// The times of waking, meals and sleep.
  package var rhythm: DailyRhythm
  /// The label by which notifications and buttons tell the person apart from others of the same
  /// account.
  package var label: PersonLabel
  /// The practitioner to ask about medicines.
  package var practitioner: CareContact
  /// The pharmacy to ask about medicines.
  package var pharmacy: CareContact

  /// Creates details.
  package init(
    givenName: String, familyName: String = "", birthDate: CivilDate? = nil, phone: String = "",
    email: String = "", language: Language, zone: String, rhythm: DailyRhythm = .standard,
    label: PersonLabel = PersonLabel(), practitioner: CareContact = CareContact(.practitioner),
    pharmacy: CareContact = CareContact(.pharmacy)
  ) {
    self.givenName = givenName
    self.familyName = familyName
    self.birthDate = birthDate
    self.phone = phone
    self.email = email
    self.language = language
    self.zone = zone
    self.rhythm = rhythm
    self.label = label
    self.practitioner = practitioner
    self.pharmacy = pharmacy
  }

  /// The contacts with a phone number.
  package var contacts: [CareContact] { [practitioner, pharmacy].filter { !$0.phone.isEmpty } }

  /// The full name as shown: given and family name, separated by a space.
  package var displayName: String {
    [givenName, familyName].map(DraftText.trimmed).filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension DailyRhythm {
  /// The times that apply until a person sets others (timing rule 20).
  package static let standard = DailyRhythm()
}

/// A mistake in a patient's details that must be corrected.
package struct PatientDetailsIssue: Sendable, Hashable {
  /// The field that an issue belongs to.
  package enum Field: String, Sendable, Hashable, CaseIterable {
    case name, birthDate = "birth-date", phone, email, zone, nickname, colour
    case practitionerName = "practitioner-name", practitionerPhone = "practitioner-phone"
    case pharmacyName = "pharmacy-name", pharmacyPhone = "pharmacy-phone"
  }

  /// A reason for which a field is rejected.
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    case missing
    case tooLong = "too-long"
    case inTheFuture = "in-the-future"
    case outOfRange = "out-of-range"
    case malformed
    case unknownZone = "unknown-zone"
  }

  /// The field that the issue belongs to.
  package let field: Field
  /// The reason for which it is rejected.
  package let reason: Reason

  /// Creates an issue.
  package init(_ field: Field, _ reason: Reason) {
    self.field = field
    self.reason = reason
  }

  /// Returns the message for the person, in their language.
  package func text(_ localizer: Localizer) -> String {
    localizer.text(
      MessageKey("plans.details.\(reason.rawValue)"), ["field": .text(field.rawValue)])
  }
}

extension PatientDetails {
  /// Returns everything that must be corrected; empty if the details can be stored.
  package func issues(today: CivilDate, zones: ZoneCatalog) -> [PatientDetailsIssue] {
    var issues: [PatientDetailsIssue] = []
    if displayName.isEmpty { issues.append(PatientDetailsIssue(.name, .missing)) }
    if max(givenName.count, familyName.count) > 100 {
      issues.append(PatientDetailsIssue(.name, .tooLong))
    }
    if let birthDate {
      if birthDate > today {
        issues.append(PatientDetailsIssue(.birthDate, .inTheFuture))
      } else if birthDate < today.adding(months: -150 * 12) {
        issues.append(PatientDetailsIssue(.birthDate, .outOfRange))
      }
    }
    let number = DraftText.trimmed(phone)
    if number.count > 40 {
      issues.append(PatientDetailsIssue(.phone, .tooLong))
    } else if !number.isEmpty, !Self.isPhone(number) {
      issues.append(PatientDetailsIssue(.phone, .malformed))
    }
    issues += Self.issues(of: practitioner, name: .practitionerName, phone: .practitionerPhone)
    issues += Self.issues(of: pharmacy, name: .pharmacyName, phone: .pharmacyPhone)
    let address = DraftText.trimmed(email)
    if address.count > 254 {
      issues.append(PatientDetailsIssue(.email, .tooLong))
    } else if !address.isEmpty, !Self.isAddress(address) {
      issues.append(PatientDetailsIssue(.email, .malformed))
    }
    let nickname = DraftText.trimmed(label.nickname)
    if nickname.count > PersonLabel.maximumNickname {
      issues.append(PatientDetailsIssue(.nickname, .tooLong))
    } else if label.kind == .nickname, nickname.isEmpty {
      issues.append(PatientDetailsIssue(.nickname, .missing))
    }
    if label.kind == .colour, label.colour == nil {
      issues.append(PatientDetailsIssue(.colour, .missing))
    }
    if (try? zones.zone(zone)) == nil {
      issues.append(PatientDetailsIssue(.zone, .unknownZone))
    }
    return issues
  }

  private static func issues(
    of contact: CareContact, name: PatientDetailsIssue.Field, phone: PatientDetailsIssue.Field
  ) -> [PatientDetailsIssue] {
    var issues: [PatientDetailsIssue] = []
    if DraftText.trimmed(contact.name).count > 100 {
      issues.append(PatientDetailsIssue(name, .tooLong))
    }
    let number = DraftText.trimmed(contact.phone)
    if number.count > 40 {
      issues.append(PatientDetailsIssue(phone, .tooLong))
    } else if !number.isEmpty, !isPhone(number) {
      issues.append(PatientDetailsIssue(phone, .malformed))
    }
    return issues
  }

  private static func isPhone(_ text: String) -> Bool {
    text.contains(where: \.isNumber)
      && text.allSatisfy { $0.isNumber || " +-()/.".contains($0) }
  }

  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      && !text.contains(where: \.isWhitespace)
  }
}

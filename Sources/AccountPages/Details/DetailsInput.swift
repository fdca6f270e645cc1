// SPDX-License-Identifier: Apache-2.0

import Localization
import People
import Scheduling
import TimeZones
import Web

/// The personal details in a form, exactly as typed.
struct DetailsInput: Sendable, Hashable {
  /// The times of the day that a person sets.
  enum Moment: String, Sendable, Hashable, CaseIterable {
    case wake, breakfast, lunch, dinner, bedtime

    var event: DayEvent {
      switch self {
      case .wake: .wake
      case .breakfast: .breakfast
      case .lunch: .lunch
      case .dinner: .dinner
      case .bedtime: .bedtime
      }
    }
  }

  var givenName: String
  var familyName: String
  var birthDate: String
  var phone: String
  var email: String
  var language: String
  var zone: String
  var moments: [Moment: String]
  var practitioner: CareContact
  var pharmacy: CareContact
  /// The label that tells the person apart; nil if the form did not ask for it.
  var label: LabelInput?

  /// Creates the input from stored details.
  init(_ details: PatientDetails) {
    givenName = details.givenName
    familyName = details.familyName
    birthDate = details.birthDate?.text ?? ""
    phone = details.phone
    email = details.email
    language = details.language.rawValue
    zone = details.zone
    label = LabelInput(details.label)
    practitioner = details.practitioner
    pharmacy = details.pharmacy
    moments = [:]
    for moment in Moment.allCases {
      moments[moment] = String(details.rhythm[moment.event].text.prefix(5))
    }
  }

  /// Reads a posted form; fields that the page does not contain keep their stored values.
  init(form: FormBody, over current: PatientDetails) {
    self.init(current)
    func typed(_ name: String, _ stored: String) -> String { form.raw(name) ?? stored }
    func contact(_ stored: CareContact) -> CareContact {
      let role = stored.role.rawValue
      return CareContact(
        stored.role, name: typed("\(role)-name", stored.name),
        phone: typed("\(role)-phone", stored.phone))
    }
    givenName = typed("given-name", givenName)
    familyName = typed("family-name", familyName)
    birthDate = typed("birth-date", birthDate)
    phone = typed("phone", phone)
    email = typed("email", email)
    language = typed("language", language)
    zone = typed("zone", zone)
    label = LabelInput(form: form)
    practitioner = contact(practitioner)
    pharmacy = contact(pharmacy)
    for (moment, stored) in moments { moments[moment] = typed(moment.rawValue, stored) }
  }

  private static func trimmed(_ contact: CareContact) -> CareContact {
    CareContact(
      contact.role, name: TypedText.trimmed(contact.name), phone: TypedText.trimmed(contact.phone))
  }

  /// A mistake in the form.
  enum Mistake: Sendable, Hashable {
    case details(PatientDetailsIssue)
    case birthDate
    case moment(Moment)
    /// The time is before one that it must follow.
    case order(Moment)
    /// Another person of the account has the same label.
    case labelTaken(String)

    var field: String {
      switch self {
      case .details(let issue): issue.field == .name ? "given-name" : issue.field.rawValue
      case .birthDate: "birth-date"
      case .moment(let moment), .order(let moment): moment.rawValue
      case .labelTaken: LabelInput.kindField
      }
    }

    func message(_ localizer: Localizer) -> String {
      switch self {
      case .details(let issue): issue.text(localizer)
      case .birthDate: localizer.text("details.problem.date")
      case .moment: localizer.text("details.problem.time")
      case .order: localizer.text("details.problem.order")
      case .labelTaken(let label):
        localizer.text("people.label.taken", ["label": .text(label)])
      }
    }
  }

  /// Returns the updated details, with all mistakes to correct.
  func read(
    over current: PatientDetails, today: CivilDate, zones: ZoneCatalog
  ) -> (details: PatientDetails, mistakes: [Mistake]) {
    var mistakes: [Mistake] = []
    let birthText = TypedText.trimmed(birthDate)
    let born = CivilDate(text: birthText)
    if born == nil, !birthText.isEmpty { mistakes.append(.birthDate) }
    var rhythm = current.rhythm
    for moment in Moment.allCases {
      if let time = TypedText.clockTime(moments[moment] ?? "") {
        // Seconds, which the form does not show, stay unchanged.
        if time.text.prefix(5) != rhythm[moment.event].text.prefix(5) {
          rhythm.set(time, for: moment.event)
        }
      } else {
        mistakes.append(.moment(moment))
      }
    }
    if mistakes.isEmpty {
      for (earlier, later) in [(Moment.breakfast, Moment.lunch), (.lunch, .dinner)]
      where rhythm[earlier.event] >= rhythm[later.event] {
        mistakes.append(.order(later))
      }
    }
    let details = PatientDetails(
      givenName: TypedText.trimmed(givenName), familyName: TypedText.trimmed(familyName),
      birthDate: born, phone: TypedText.trimmed(phone), email: TypedText.trimmed(email),
      language: Language(rawValue: language) ?? current.language, zone: zone, rhythm: rhythm,
      label: label?.label ?? current.label,
      practitioner: Self.trimmed(practitioner), pharmacy: Self.trimmed(pharmacy))
    let refused = details.issues(today: today, zones: zones).map(Mistake.details)
    return (details, refused + mistakes)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Identifiers

/// The person whose pages a device shows: chosen once, and remembered by the device.
package enum PersonChoice {
  /// The address to which the switcher posts.
  package static let path = "/person"
  /// The field that names the chosen patient.
  package static let field = "person"
  /// The hidden field that names the patient for whom a form was made.
  package static let guardField = "for-person"
  /// The hidden field of forms on a page about another person than the chosen one.
  package static let visitField = "visit"
  /// The query parameter that names the person whom a single page shows.
  package static let visitParameter = "visit"
  /// The cookie that holds the identifier of the chosen patient.
  package static let cookie = "regimen-person"

  /// Returns an address that shows its page about a person; the device keeps its choice.
  package static func visit(_ path: String, _ patient: PatientID) -> String {
    let page = path.prefix { $0 != "#" }
    let mark: Character = page.contains("?") ? "&" : "?"
    return "\(page)\(mark)\(visitParameter)=\(patient)\(path.dropFirst(page.count))"
  }
}

extension Call {
  /// The person whose pages are shown: from the opened address, else chosen on this device, else
  /// the account's own; nil for tokens and strangers.
  package var person: PersonInReach? {
    guard let openedPatient else { return chosenPerson }
    guard session != nil else { return nil }
    return people.first { $0.patient == openedPatient } ?? people.first
  }

  /// The person chosen on this device, else the account's own; nil for tokens and strangers.
  package var chosenPerson: PersonInReach? {
    guard session != nil else { return nil }
    let chosen = cookie(PersonChoice.cookie).map(PatientID.init)
    return people.first { $0.patient == chosen } ?? people.first
  }

  /// True if the page shows another person than the device's choice, which stays.
  package var isVisit: Bool { openedPatient != nil && !remembersOpened }

  /// Returns the patient of a page without a person in its address.
  package func patient(of signedIn: SignedIn) -> PatientID {
    person?.patient ?? signedIn.account.patient
  }

  /// Returns the call on the pages of the person to whom an address belongs, such as that of a dose
  /// in a notification.
  ///
  /// From then on, this person is the chosen one on the device. A person out of the account's reach
  /// changes nothing.
  package func opening(_ patient: PatientID) -> Call {
    guard let person, person.patient != patient,
      people.contains(where: { $0.patient == patient })
    else { return self }
    var call = self
    call.openedPatient = patient
    call.remembersOpened = true
    call.keepsVisit = false
    return call
  }

  /// Returns the call with a patient opened for one page, such as a conversation about that person.
  ///
  /// The device keeps showing the pages of the person chosen before.
  package func visiting(_ patient: PatientID) -> Call {
    var call = opening(patient)
    if call.openedPatient != openedPatient { call.remembersOpened = false }
    return call
  }

  /// Returns the call with a patient opened for one page, and for the page after its form.
  package func visitingOn(_ patient: PatientID) -> Call {
    var call = visiting(patient)
    call.keepsVisit = call.isVisit
    return call
  }

  /// Returns the call of a form on the pages of the person for whom a visited page made it.
  package func visiting(asSaidBy form: FormBody) -> Call {
    guard form.isChecked(PersonChoice.visitField),
      let meant = form.raw(PersonChoice.guardField).map(PatientID.init)
    else { return self }
    return visitingOn(meant)
  }

  /// Returns the call on the pages of the person whom the address names for a single page.
  func visitingNamed() -> Call {
    guard people.count > 1, let named = queryValue(PersonChoice.visitParameter)
    else { return self }
    return visitingOn(PatientID(named))
  }

  /// Returns the path of a redirect, extended by the current visit if the path does not name it.
  func visited(_ path: String) -> String {
    guard keepsVisit, let openedPatient, !path.contains(openedPatient.text) else { return path }
    return PersonChoice.visit(path, openedPatient)
  }

  /// The `Set-Cookie` value if an opened address chose the person; nil otherwise.
  var choiceCookie: String? {
    remembersOpened ? openedPatient.map(choiceCookie) : nil
  }

  /// Returns the `Set-Cookie` value with which the device remembers a person.
  package func choiceCookie(_ patient: PatientID) -> String {
    Cookies.setting(
      PersonChoice.cookie, to: patient.text, maximumAgeSeconds: Preferences.lifetimeSeconds,
      isSecure: isSecure)
  }
}

/// Refuses a form that was made for another person than it would now act on.
///
/// Another page of the same browser may have chosen another person in the meantime.
package enum PersonGuard {
  /// Throws ``Failure`` 409 if a form of a session was made for another patient.
  ///
  /// - Parameter patient: The patient on whom the form would act; nil if there is none.
  package static func check(_ form: FormBody, of call: Call, about patient: PatientID?) throws {
    guard call.session != nil else { return }
    let meant = form.raw(PersonChoice.guardField)
    guard call.people.count > 1 || meant != nil else { return }
    guard meant == patient?.text else { throw refusal }
  }

  private static let refusal = Failure(
    .conflict, code: "wrong-person",
    detail: "This form was for another person. Choose that one first.")
}

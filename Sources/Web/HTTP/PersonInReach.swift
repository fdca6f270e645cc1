// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Localization
import People
import Storage

/// A person whose pages an account may open, and the account's rights there.
package struct PersonInReach: Sendable, Hashable {
  /// The identifier of the person.
  package let patient: PatientID
  /// The full name.
  package let name: String
  /// The label that distinguishes the person from others of the account.
  package let label: PersonLabel
  /// The account's relationship to the person, with the shared categories.
  package let right: PatientRight
  /// True if this is the account's own patient.
  package let isOwn: Bool
  /// The address of the photo; nil if there is none.
  var photo: String?
  /// The account's open emergency access; nil if it has a grant.
  package var emergency: EmergencyAccess?
  /// True if someone else opened the data in an emergency in the last 24 hours, and the account
  /// acts for the person.
  package var wasOpened = false
  /// True if someone recently entered wrong codes for the person's emergency card, and the account
  /// acts for the person.
  package var isCardGuessed = false
  /// The number of unread messages in the person's conversations.
  package var unread = 0

  /// The path of people's photos; the identifier of the patient follows.
  package static let photosPath = "/people/photo"

  /// Returns the address of a person's photo, which changes with each photo, so that no page shows
  /// an old one.
  package static func photoAddress(of patient: PatientID, photo: String) -> String {
    "\(photosPath)/\(patient)?photo=\(photo)"
  }

  /// True if the account acts for the person; otherwise it may only view.
  package var mayAct: Bool { right.relationship.actsForPatient }

  /// The name of the person on buttons: the chosen nickname, else the full name.
  package var calledName: String {
    label.kind == .nickname && !label.nickname.isEmpty ? label.nickname : name
  }

  /// Returns all people of an account: its own first, the others by name.
  ///
  /// - Parameter granted: The people to whom it has grants.
  static func all(
    of signedIn: SignedIn, granted: [ReachedPerson], at now: Timestamp, accounts: AccountStore,
    in reader: any SQLReader
  ) throws(StorageError) -> [PersonInReach] {
    let rights = signedIn.actor.rights
    let looks =
      rights.values.contains { $0.relationship == .emergency }
      ? try accounts.emergencies(by: signedIn.account.id, at: now, in: reader) : []
    let known = Set(granted.map(\.person.patient))
    let opened = try PeopleQueries.named(
      rights.keys.filter { !known.contains($0) }.sorted(), in: reader)
    let found = granted + opened.values.map(ReachedPerson.init(opened:))
    let people = found.compactMap { one -> PersonInReach? in
      let (person, patient) = (one.person, one.person.patient)
      guard let right = rights[patient] else { return nil }
      let mayAct = right.relationship.actsForPatient
      return PersonInReach(
        patient: patient, name: person.name, label: person.label, right: right,
        isOwn: patient == signedIn.account.patient,
        photo: person.photo.map { photoAddress(of: patient, photo: $0) },
        emergency: looks.first { $0.patient == patient },
        wasOpened: mayAct && one.wasOpened, isCardGuessed: mayAct && one.isCardGuessed,
        unread: one.unread)
    }
    return people.sorted { left, right in
      (left.isOwn ? 0 : 1, left.name, left.patient)
        < (right.isOwn ? 0 : 1, right.name, right.patient)
    }
  }
}

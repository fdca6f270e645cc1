// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Localization
import People
import Storage

/// A person whose pages an account may open, with what it may do there.
package struct PersonInReach: Sendable, Hashable {
  package let patient: PatientID
  /// The full name.
  package let name: String
  package let label: PersonLabel
  package let right: PatientRight
  /// Whether it is the account's own patient.
  package let isOwn: Bool
  /// The address of the photo; nil where there is none.
  var photo: String?
  /// What the account has opened in an emergency; nil where it has a grant.
  package var emergency: EmergencyAccess?
  /// Whether somebody else opened the data in an emergency lately.
  package var wasOpened = false
  /// True if someone recently entered wrong codes for the person's emergency card.
  package var isCardGuessed = false
  /// The number of messages in the person's conversations that the account has not read.
  package var unread = 0

  /// The path of people's photos; the id of the patient follows.
  package static let photosPath = "/people/photo"

  /// Returns the address of a person's photo: new with each photo, so that no page shows an old one.
  package static func photoAddress(of patient: PatientID, photo: String) -> String {
    "\(photosPath)/\(patient)?photo=\(photo)"
  }

  /// Whether the account acts in the person's place; else it may only look.
  package var mayAct: Bool { right.relationship.actsForPatient }

  /// How buttons name the person: by the nickname that was chosen, else by name.
  package var calledName: String {
    label.kind == .nickname && !label.nickname.isEmpty ? label.nickname : name
  }

  /// All persons of an account: its own first, the others by name.
  ///
  /// - Parameter granted: those of whom it was granted something.
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

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Identifiers
import Localization
import Storage

/// A person whose pages an account may open, with what it may do there.
struct PersonInReach: Sendable, Hashable {
  let patient: PatientID
  /// The full name.
  let name: String
  let label: PersonLabel
  let right: PatientRight
  /// Whether it is the account's own patient.
  let isOwn: Bool
  /// The address of the photo; nil where there is none.
  var photo: String?
  /// What the account has opened in an emergency; nil where it has a grant.
  var emergency: EmergencyAccess?
  /// Whether somebody else opened the data in an emergency lately.
  var wasOpened = false
  /// True if someone recently entered wrong codes for the person's emergency card.
  var isCardGuessed = false

  /// Whether the account acts in the person's place; else it may only look.
  var mayAct: Bool { right.relationship.actsForPatient }

  /// How buttons name the person: by the nickname that was chosen, else by name.
  var calledName: String {
    label.kind == .nickname && !label.nickname.isEmpty ? label.nickname : name
  }

  /// All persons of an account: its own first, the others by name.
  static func all(
    of signedIn: SignedIn, at now: Timestamp, accounts: AccountStore, in reader: any SQLReader
  ) throws(StorageError) -> [PersonInReach] {
    let rights = signedIn.actor.rights
    let looks =
      rights.values.contains { $0.relationship == .emergency }
      ? try accounts.emergencies(by: signedIn.account.id, at: now, in: reader) : []
    let actedFor = rights.filter { $0.value.relationship.actsForPatient }.keys.sorted()
    let opened = try accounts.emergencies(
      of: actedFor, since: now.adding(milliseconds: -EmergencyBanner.toldFor), in: reader)
    let guessed = try EmergencyCards.guessed(of: actedFor, at: now, in: reader)
    let named = try PeopleQueries.named(rights.keys.sorted(), in: reader)
    let people = rights.compactMap { patient, right in
      named[patient].map { person in
        PersonInReach(
          patient: patient, name: person.name, label: person.label, right: right,
          isOwn: patient == signedIn.account.patient,
          photo: person.photo.map { PhotoForm.address(of: patient, photo: $0) },
          emergency: looks.first { $0.patient == patient },
          wasOpened: opened.contains { $0.patient == patient },
          isCardGuessed: guessed.contains(patient))
      }
    }
    return people.sorted { left, right in
      (left.isOwn ? 0 : 1, left.name, left.patient)
        < (right.isOwn ? 0 : 1, right.name, right.patient)
    }
  }
}

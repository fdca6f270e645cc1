// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Knowledge
import Observations
import People
import Plans
import Records
import Scheduling
import Storage

/// The result of an interaction check, with the data about the person on which it is based.
package struct CheckedMedicines: Sendable, Hashable {
  /// The medicines that were checked.
  package let medicines: [Substance]
  /// The warnings about all of them.
  package let report: InteractionReport
  /// The recorded conditions; empty if the actor may not see them.
  package let stated: Set<String>
  /// The acknowledgements of warnings, by their keys.
  package let notes: [String: InteractionNotes.Note]
  /// True if allergies and conditions were checked too; false if they are not shared with the actor.
  package let seesBody: Bool
  /// False if the person's medicines are not shared with the actor, so that only the incoming ones were
  /// checked.
  package let seesMedicines: Bool

  /// Returns the shown name of a checked medicine; empty if it was not checked.
  package func name(_ substance: String) -> String {
    medicines.first { $0.id == substance }?.shownName ?? ""
  }
}

/// Checks the medicines that a person takes, as far as the actor is allowed to see them.
package enum InteractionReading {
  /// Checks a patient's medicines against each other, and against allergies and conditions.
  ///
  /// - Parameters:
  ///   - drafts: Incoming medicines, which replace stored ones with the same identifier or are added to
  ///     them.
  ///   - actor: The account that asks; only medicines, allergies and conditions that it is allowed to see
  ///     are checked.
  package static func check(
    _ list: InteractionList, patient: PatientID, replacing drafts: [Substance] = [], actor: Actor,
    now: Timestamp, zone: Zone, in reader: any SQLReader
  ) throws -> CheckedMedicines {
    try CheckSubject.read(patient, actor: actor, now: now, zone: zone, in: reader) {
      try PeopleQueries.details(patient, in: reader)?.details.birthDate
    }.checked(list, replacing: drafts)
  }
}

/// The data about a person for checking medicines, read once for all checks.
struct CheckSubject: Sendable {
  private var medicines: [Substance] = []
  /// The conditions against which medicines are checked.
  private var conditions: Set<String> = []
  private var allergies: [KnownAllergy] = []
  /// The recorded conditions that the actor may see.
  private var stated: Set<String> = []
  private var notes: [String: InteractionNotes.Note] = [:]
  private var seesBody = false
  private var seesMedicines = false

  /// A person without a record here, whose medicines someone states.
  static var withoutRecord: CheckSubject {
    var subject = CheckSubject()
    subject.seesMedicines = true
    return subject
  }

  /// Reads the data.
  ///
  /// - Parameter birthDate: reads the person's birth date, if it is needed.
  static func read(
    _ patient: PatientID, actor: Actor, now: Timestamp, zone: Zone, in reader: any SQLReader,
    birthDate: () throws -> CivilDate?
  ) throws -> CheckSubject {
    var subject = CheckSubject()
    let purpose = actor.purpose(with: patient)
    if case .allow = decideSearch(
      actor: actor, resource: "MedicationRequest", patient: patient, purpose: purpose)
    {
      subject.seesMedicines = true
      subject.medicines = try TakenMedicines.all(patient: patient, now: now, in: reader)
    }
    let search = decideSearch(
      actor: actor, resource: "AllergyIntolerance", patient: patient, purpose: purpose)
    if case .allow(let authorization) = search {
      subject.seesBody = true
      subject.stated = try StatedConditions.all(patient: patient, in: reader)
      subject.conditions = subject.stated
      subject.allergies = try HealthProfileQueries.known(authorization, in: reader)
      let today = zone.date(at: Instant(now))
      // Under sixteen, if the birth date is known.
      if let born = try birthDate(), born.adding(months: 16 * 12) > today {
        subject.conditions.insert(InteractionList.child)
      }
    }
    subject.notes = try InteractionNotes.all(patient: patient, in: reader)
    return subject
  }

  /// Checks the person's medicines together with incoming ones, which replace stored ones or are added.
  func checked(_ list: InteractionList, replacing drafts: [Substance]) -> CheckedMedicines {
    var medicines = medicines
    for draft in drafts {
      medicines.removeAll { $0.id == draft.id }
      medicines.append(draft)
    }
    return CheckedMedicines(
      medicines: medicines,
      report: list.check(medicines, conditions: conditions, allergies: allergies),
      stated: stated, notes: notes, seesBody: seesBody, seesMedicines: seesMedicines)
  }
}

extension HealthProfileQueries {
  /// Returns the person's allergies, with the handbook's entries about them.
  static func known(
    _ authorization: SearchAuthorization, in reader: any SQLReader
  ) throws -> [KnownAllergy] {
    try RecordStore().search(
      RecordSearch(type: authorization.resource, count: maximum), authorization: authorization,
      in: reader
    ).records.compactMap { record in
      let json = try record.json()
      guard let allergy = Allergy(json, id: record.id), isInForce(json) else { return nil }
      let codes = (json["code"]?["coding"]?.array ?? []).compactMap { $0["code"]?.string }
      return Handbook.shipped.allergy(allergy.name, codes: codes)
    }
  }

  private static func isInForce(_ allergy: JSONValue) -> Bool {
    let clinical = allergy["clinicalStatus"]?["coding"]?.array ?? []
    let verification = allergy["verificationStatus"]?["coding"]?.array ?? []
    return !clinical.contains { ["inactive", "resolved"].contains($0["code"]?.string) }
      && !verification.contains { $0["code"]?.string == "refuted" }
  }
}

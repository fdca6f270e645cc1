// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Knowledge
import Records
import Scheduling
import Storage

/// What is known of a person for checking medicines, with what the check found.
package struct CheckedMedicines: Sendable, Hashable {
  /// What was checked, by name.
  package let medicines: [Substance]
  package let report: InteractionReport
  /// Illnesses and states that somebody stated of the person.
  package let stated: Set<String>
  /// What was said of warnings, by their keys.
  package let notes: [String: InteractionNotes.Note]
  /// Whether allergies and illnesses were looked at: not everybody may see them.
  package let seesBody: Bool
  /// False if the person's medicines are not shared with the actor, so that only the incoming ones
  /// were checked.
  package let seesMedicines: Bool

  /// Returns the name shown for a medicine that was checked.
  package func name(_ substance: String) -> String {
    medicines.first { $0.id == substance }?.shownName ?? ""
  }
}

/// Checks the medicines that a person takes, as far as the actor is allowed to see them.
package enum InteractionReading {
  /// - Parameters:
  ///   - replacing: incoming medicines, which replace stored ones or are added to them.
  ///   - actor: the account that asks; only medicines, allergies and illnesses that it is allowed to
  ///     see are checked.
  package static func check(
    _ list: InteractionList, patient: PatientID, replacing drafts: [Substance] = [], actor: Actor,
    now: Timestamp, zone: Zone, in reader: any SQLReader
  ) throws -> CheckedMedicines {
    let purpose = actor.purpose(with: patient)
    let seesMedicines =
      if case .allow = decideSearch(
        actor: actor, resource: "MedicationRequest", patient: patient, purpose: purpose)
      { true } else { false }
    var medicines =
      seesMedicines ? try TakenMedicines.all(patient: patient, now: now, in: reader) : []
    for draft in drafts {
      medicines.removeAll { $0.id == draft.id }
      medicines.append(draft)
    }
    var conditions: Set<String> = []
    var allergies: [KnownAllergy] = []
    let stated = try StatedConditions.all(patient: patient, in: reader)
    let search = decideSearch(
      actor: actor, resource: "AllergyIntolerance", patient: patient, purpose: purpose)
    var seesBody = false
    if case .allow(let authorization) = search {
      seesBody = true
      conditions = stated
      allergies = try CareQueries.known(authorization, in: reader)
      if try isChild(patient, today: zone.date(at: Instant(now)), in: reader) {
        conditions.insert(InteractionList.child)
      }
    }
    return CheckedMedicines(
      medicines: medicines,
      report: list.check(medicines, conditions: conditions, allergies: allergies),
      stated: seesBody ? stated : [],
      notes: try InteractionNotes.all(patient: patient, in: reader), seesBody: seesBody,
      seesMedicines: seesMedicines)
  }

  /// Whether the person is known to be under sixteen.
  private static func isChild(
    _ patient: PatientID, today: CivilDate, in reader: any SQLReader
  ) throws -> Bool {
    guard let born = try PeopleQueries.details(patient, in: reader)?.details.birthDate else {
      return false
    }
    return born.adding(months: 16 * 12) > today
  }
}

extension CareQueries {
  /// What a person must not have, with what the handbook knows of it.
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

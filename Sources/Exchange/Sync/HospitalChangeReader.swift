// SPDX-License-Identifier: Apache-2.0

import FHIR
import Prescriptions
import Storage

/// The checked result of a fetch, not yet imported.
struct HospitalGathered: Sendable {
  /// The prescriptions, in the form of an import.
  var file = ImportFile()
  /// Allergies and heart rates.
  var further: [JSONValue] = []
  /// The dispenses.
  var dispensed = ImportFile()
  var marks: [String: HospitalMark] = [:]
  /// The prescriptions that the server still has.
  var presence = HospitalPresence()
}

/// Reads everything that has changed on a server since the last fetch.
struct HospitalChangeReader {
  let client: HospitalClient
  let connection: HospitalConnection
  let database: Database
  let marks: [String: HospitalMark]
  let now: Timestamp
  /// True to read all prescriptions, and not only those that changed since the last fetch.
  let readsAll: Bool

  func gather(_ person: String) async throws -> HospitalGathered {
    var gathered = HospitalGathered()
    let pages = HospitalPages(client: client, person: person)
    var resources: [(type: String, id: String, resource: JSONValue)] = []
    var medicines: [String: JSONValue] = [:]
    var dispenses: [String: JSONValue] = [:]
    let types = HospitalMetadata.prescriptionTypes[connection.version] ?? []
    for type in types where connection.types.contains(type) {
      let mark = marks[type] ?? HospitalMark()
      let isWhole = readsAll && type != "MedicationDispense"
      guard
        var harvest = try await changes(of: type, pages, since: isWhole ? HospitalMark() : mark)
      else { continue }
      // The latest resource may be the one that is gone.
      harvest.mark.since = [harvest.mark.since, mark.since].compactMap(\.self).max()
      gathered.marks[type] = harvest.mark
      if type != "MedicationDispense" {
        gathered.presence.add(harvest, of: type, base: client.base)
      }
      medicines.merge(harvest.medicines) { $1 }
      if type == "MedicationDispense" {
        dispenses = HospitalDispense.recent(harvest.matches, now: now, connection.version)
      }
      let matches =
        type == "MedicationDispense"
        ? HospitalPrescription.latest(harvest.matches) : harvest.matches
      for (id, resource) in matches.sorted(by: { $0.key < $1.key }) {
        resources.append((type, id, resource))
      }
    }
    for type in ["AllergyIntolerance", "Observation"] where connection.types.contains(type) {
      guard
        let harvest = try await changes(of: type, pages, since: marks[type] ?? HospitalMark())
      else { continue }
      gathered.marks[type] = harvest.mark
      gathered.further += harvest.matches.sorted { $0.key < $1.key }.map(\.value)
    }
    guard !resources.isEmpty || !dispenses.isEmpty else { return gathered }
    medicines = try await HospitalMedicines(
      client: client, connection: connection, database: database, now: now
    ).referred(by: resources.map(\.resource) + dispenses.values, sent: medicines)
    gathered.file = file(resources, medicines, person)
    gathered.dispensed = file(dispenses, medicines, person)
    return gathered
  }

  /// Returns the dispenses as packs, separately from prescriptions that a dispense may stand for.
  private func file(
    _ dispenses: [String: JSONValue], _ medicines: [String: JSONValue], _ person: String
  ) -> ImportFile {
    var reading = ImportReading()
    let all =
      medicines.sorted { $0.key < $1.key }.map { ("Medication", $0.key, $0.value) }
      + dispenses.sorted { $0.key < $1.key }.map { ("MedicationDispense", $0.key, $0.value) }
    for (number, (type, id, resource)) in all.enumerated() {
      var resource = resource
      if type == "MedicationDispense" { resource["id"] = nil }
      reading.add(
        StreamedEntry(
          number: number + 1, fullURL: client.base.url("\(type)/\(id)"),
          resource: .success(resource)))
    }
    return reading.result(hasFurtherPages: false)
      .only([client.base.url("Patient/\(person)")])
  }

  /// Returns the changes of a type.
  ///
  /// A type that the token does not allow is left out; prescriptions must be allowed.
  private func changes(
    of type: String, _ pages: HospitalPages, since mark: HospitalMark
  ) async throws(HospitalTrouble) -> HospitalHarvest? {
    do throws(HospitalTrouble) {
      return try await pages.changes(of: type, since: mark)
    } catch {
      let isNeeded = type == "MedicationRequest" || type == "MedicationOrder"
      switch error {
      case .forbidden where !isNeeded, .notFound where !isNeeded: return nil
      default: throw error
      }
    }
  }

  private func file(
    _ resources: [(type: String, id: String, resource: JSONValue)],
    _ medicines: [String: JSONValue], _ person: String
  ) -> ImportFile {
    var reading = ImportReading()
    var number = 0
    func add(_ type: String, _ id: String, _ resource: JSONValue) {
      number += 1
      reading.add(
        StreamedEntry(
          number: number, fullURL: client.base.url("\(type)/\(id)"), resource: .success(resource)))
    }
    for (id, medicine) in medicines.sorted(by: { $0.key < $1.key }) {
      add("Medication", id, medicine)
    }
    for (type, id, resource) in resources {
      guard
        var request = HospitalPrescription.request(from: resource, version: connection.version)
      else { continue }
      // An id is unique only on its own server, so the address identifies the resource.
      request["id"] = nil
      add(type, id, request)
    }
    return reading.result(hasFurtherPages: false)
      .only([client.base.url("Patient/\(person)")])
  }
}

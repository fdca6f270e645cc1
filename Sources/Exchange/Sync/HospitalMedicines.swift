// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// The medicines that prescriptions refer to: sent with them, cached, or read one by one.
struct HospitalMedicines {
  let client: HospitalClient
  let connection: HospitalConnection
  let database: Database
  let now: Timestamp

  /// The maximum number of medicines read one by one in a fetch; the next fetch reads the rest.
  static let maximumReads = 500
  /// The time for which a cached medicine is not requested again, in milliseconds.
  private static let lifetime: Int64 = 24 * 3_600_000

  /// Returns the medicines that the resources refer to, by id.
  func referred(
    by resources: some Collection<JSONValue>, sent: [String: JSONValue]
  ) async throws -> [String: JSONValue] {
    var wanted: Set<String> = []
    for resource in resources {
      guard let reference = resource["medicationReference"]?["reference"]?.string,
        let local = client.base.local(reference), local.type == "Medication"
      else { continue }
      wanted.insert(local.id)
    }
    var found = sent
    var keep: [(id: String, json: JSONValue, tag: String?)] = []
    for (id, json) in sent { keep.append((id, json, nil)) }
    let missing = wanted.subtracting(sent.keys).sorted()
    if !missing.isEmpty {
      let kept = try await kept(missing)
      var reads = 0
      for id in missing {
        if let own = kept[id], own.fetched.adding(milliseconds: Self.lifetime) > now {
          found[id] = own.json
          continue
        }
        guard reads < Self.maximumReads else { throw HospitalTrouble.endless }
        reads += 1
        do throws(HospitalTrouble) {
          let url = client.base.url("Medication/\(id)")
          switch try await client.get(url, tag: kept[id]?.tag) {
          case .unchanged:
            if let own = kept[id] {
              found[id] = own.json
              keep.append((id, own.json, own.tag))
            }
          case .document(let json, let tag):
            guard json["resourceType"]?.string == "Medication" else { throw .unexpected }
            found[id] = json
            keep.append((id, json, tag))
          }
        } catch {
          switch error {
          // Without it, the prescription uses the name that it contains itself.
          case .notFound, .gone, .forbidden: continue
          default: throw error
          }
        }
      }
    }
    try await self.keep(keep)
    return found
  }

  private func kept(_ ids: [String]) async throws -> [String: KeptMedicine] {
    let (patient, connection) = (connection.patient, connection.id)
    return try await database.read { reader in
      try HospitalMedicineStore.kept(ids, of: connection, patient: patient, in: reader)
    }
  }

  private func keep(_ medicines: [(id: String, json: JSONValue, tag: String?)]) async throws {
    guard !medicines.isEmpty else { return }
    let (patient, connection, now) = (connection.patient, connection.id, now)
    let rows = medicines.map { medicine in
      HospitalMedicineRow(
        patient: patient, connection: connection, medicine: medicine.id, body: medicine.json.text,
        tag: medicine.tag, fetched: now)
    }
    try await database.write { writer in
      for row in rows { try HospitalMedicineStore.put(row, in: writer) }
    }
  }
}

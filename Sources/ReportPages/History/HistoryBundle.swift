// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import FHIR
import Hummingbird
import Identifiers
import NIOCore
import Plans
import Presentation
import Records
import Statistics
import Storage
import Web

/// The history as a FHIR Bundle: the prescriptions, then the administrations in time order.
///
/// Stored resources are copied byte by byte. A dose without an answer has no resource.
struct HistoryBundle: Sendable {
  let export: HistoryExport
  /// The permission to read the prescriptions.
  let requests: Authorization
  let baseURL: String

  var response: Response {
    let name = "history.json"  // not a message
    return HistoryExport.file(name, mediaType: "application/fhir+json; charset=utf-8") { sink in
      let head: JSONValue = [
        "resourceType": "Bundle", "type": "collection",
        "timestamp": .string(
          FHIRDateTime.instantText(
            milliseconds: export.now.milliseconds, offsetMinutes: 0)),
      ]
      var bytes = Array(head.bytes.dropLast())
      // FHIR forbids empty arrays, so "entry" is written with the first entry.
      var isFirst = true
      func append(_ entries: [Entry]) {
        for entry in entries {
          bytes.append(contentsOf: (isFirst ? ",\"entry\":[" : ",").utf8)
          isFirst = false
          bytes.append(contentsOf: "{\"fullUrl\":".utf8)
          JSONValue.string("\(baseURL)/fhir/\(entry.address)").write(into: &bytes)
          bytes.append(contentsOf: ",\"resource\":".utf8)
          bytes.append(contentsOf: entry.body.utf8)
          bytes.append(UInt8(ascii: "}"))
        }
      }
      append(try await prescriptions())
      try await sink.write(ByteBuffer(bytes: bytes))
      try await export.each(administrations) { entries in
        bytes.removeAll(keepingCapacity: true)
        append(entries)
        try await sink.write(ByteBuffer(bytes: bytes))
      }
      try await sink.write(ByteBuffer(string: isFirst ? "}" : "]}"))
    }
  }

  private struct Entry: Sendable {
    let address: String
    let body: String
  }

  private func prescriptions() async throws -> [Entry] {
    try await export.environment.database.read { reader in
      try PlanQueries.names(patient: export.patient, in: reader)
        .filter { export.filter.plan == nil || $0.plan == export.filter.plan }
        .compactMap { plan -> Entry? in
          do {
            let record = try export.environment.records.read(
              "MedicationRequest", plan.plan.text, authorization: requests, in: reader)
            return Entry(address: "MedicationRequest/\(record.id)", body: record.body)
          } catch RecordsError.gone {
            // The plan stays when its prescription was deleted.
            return nil
          }
        }
    }
  }

  @Sendable private func administrations(
    _ from: Timestamp, _ until: Timestamp, _ reader: any SQLReader
  ) throws -> [Entry] {
    try HistoryQueries.administrations(
      export.filter, patient: export.patient, from: from, until: until, now: export.now,
      in: reader
    ).map { id in
      let record = try export.environment.records.read(
        "MedicationAdministration", id.text, authorization: export.authorization, in: reader)
      return Entry(address: "MedicationAdministration/\(id)", body: record.body)
    }
  }
}

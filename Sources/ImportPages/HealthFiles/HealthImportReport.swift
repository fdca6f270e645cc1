// SPDX-License-Identifier: Apache-2.0

import FHIR
import HealthData
import Identifiers
import Observations
import Presentation

/// The result of importing a file of measurements.
package struct HealthImportReport: Sendable, Hashable {
  /// The outcome of a phone's medicine reports.
  struct Medicines: Sendable, Hashable {
    var taken = 0
    var skipped = 0
  }

  let format: HealthFileFormat
  let read: ExportReport
  let counts: VitalCounts
  let isTrial: Bool
  /// The first values of a dry run.
  var examples: [VitalReading] = []
  /// The recognized meaning of a table's columns.
  var columns: [TableMapping.Question: String] = [:]
  var medicines: Medicines?
  /// The outcome of the prescriptions among the clinical records; nil if there are none.
  var prescriptions: JSONValue?

  /// Returns the corrections and omissions, by kind and in a fixed order.
  func faults(repaired: Bool) -> [(fault: ExportFault, count: Int)] {
    ExportFault.allCases.compactMap { fault in
      guard fault.isRepaired == repaired, let count = read.faults[fault] else { return nil }
      return (fault, count)
    }
  }

  /// Returns the counts as JSON.
  func json(patient: PatientID) -> JSONValue {
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    func object(_ faults: [(fault: ExportFault, count: Int)]) -> JSONValue {
      .object(JSONObject(faults.map { ($0.fault.rawValue, number($0.count)) }))
    }
    var json: JSONValue = [
      "format": .string(format.rawValue), "bytes": .number(JSONNumber(read.bytes)),
      "records": number(read.records),
      "values": .object(
        JSONObject(
          VitalKind.allCases.map { ($0.rawValue, number(read.values[$0] ?? 0)) })),
      "stored": number(counts.stored), "replaced": number(counts.replaced),
      "unchanged": number(counts.unchanged), "repaired": object(faults(repaired: true)),
      "skipped": object(faults(repaired: false)), "otherKinds": number(read.otherKinds),
      "correlated": number(read.correlated), "clinicalRecords": number(read.clinicalRecords),
      "patient": .string(patient.text), "dryRun": .bool(isTrial),
    ]
    json["prescriptions"] = prescriptions
    if let medicines {
      json["medicines"] = [
        "stored": number(medicines.taken), "skipped": number(medicines.skipped),
      ]
    }
    if !columns.isEmpty {
      json["columns"] = .object(
        JSONObject(
          columns.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { ($0.key.rawValue, JSONValue.string($0.value)) }))
    }
    if !read.leftOut.isEmpty {
      json["leftOut"] = .array(
        read.leftOut.map { entry in
          ["place": .string(entry.place), "error": .string(entry.fault.rawValue)]
        })
    }
    if isTrial {
      json["examples"] = .array(examples.map(Self.json))
    }
    return json
  }

  private static func json(_ reading: VitalReading) -> JSONValue {
    let offset = Int(reading.start.offset / 60)
    return [
      "type": .string(reading.kind.rawValue),
      "at": .string(
        FHIRDateTime.instantText(
          milliseconds: reading.start.seconds * 1_000, offsetMinutes: offset)),
      "value": .number(
        JSONNumber(text: ThousandthsText.decimal(reading.thousandths)) ?? JSONNumber(0)),
      "source": .string(reading.source),
    ]
  }
}

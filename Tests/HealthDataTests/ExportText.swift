// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthData

/// Exports as a phone writes them, made for a test.
enum ExportText {
  static let now: Int64 = 1_795_000_000
  static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    ]>
    <HealthData locale="nb_NO">
     <ExportDate value="2026-11-20 08:00:00 +0100"/>

    """
  static let tail = "</HealthData>\n"

  static func record(
    _ kind: String = "RestingHeartRate", value: String = "61", unit: String = "count/min",
    day: Int = 1, source: String = "Watch"
  ) -> String {
    let date = day < 10 ? "2026-10-0\(day)" : "2026-10-\(day)"
    return """
       <Record type="HKQuantityTypeIdentifier\(kind)" sourceName="\(source)" \
      device="&lt;&lt;HKDevice: 0x28&gt;, name:Apple Watch&gt;" unit="\(unit)" \
      creationDate="\(date) 20:00:00 +0100" startDate="\(date) 06:00:00 +0100" \
      endDate="\(date) 19:00:00 +0100" value="\(value)"/>

      """
  }

  static func whole(_ records: [String]) -> [UInt8] {
    Array((head + records.joined() + tail).utf8)
  }

  /// Reads an export from a temporary file.
  static func read(_ bytes: [UInt8], now: Int64 = now) throws -> (
    readings: [VitalReading], clinical: [String], report: ExportReport
  ) {
    let path = FileManager.default.temporaryDirectory.path + "/export-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    var readings: [VitalReading] = []
    var clinical: [String] = []
    let report = try AppleExport(try HealthFile(path: path)).read(now: now) { item in
      switch item {
      case .reading(let reading): readings.append(reading)
      case .clinicalRecord(let path): clinical.append(path)
      case .removal, .medication: break
      }
    }
    return (readings, clinical, report)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthData
import Identifiers
import Testing
import TestSupport

struct ZipTests {
  static let text = ExportText.whole((1...20).map { ExportText.record(day: $0) })

  @Test(arguments: [true, false], [true, false])
  func `An export is found and read in every archive format`(isDeflated: Bool, isWide: Bool) throws
  {
    for hasDescriptors in [true, false] {
      var zip = ZipWriter(isDeflated: isDeflated, isWide: isWide, hasDescriptors: hasDescriptors)
      zip.add("apple_health_export/export_cda.xml", Array("<ClinicalDocument/><Second/>".utf8))
      zip.add("apple_health_export/workout-routes/route_1.gpx", Array("<gpx/>".utf8))
      zip.add("apple_health_export/eksport.xml", Self.text)
      let (readings, _, report) = try ExportText.read(zip.finished())
      #expect(readings.count == 20)
      #expect(report.faults.isEmpty)
      #expect(report.bytes == Int64(Self.text.count))
    }
  }

  @Test func `A clinical record next to the export is read`() throws {
    var zip = ZipWriter()
    zip.add("apple_health_export/export.xml", Self.text)
    zip.add("apple_health_export/clinical-records/M-1.json", Array("{}".utf8))
    let path = FileManager.default.temporaryDirectory.path + "/zip-\(UUID().uuidString)"
    try Data(zip.finished()).write(to: URL(fileURLWithPath: path))
    defer { unlink(path) }
    let export = try AppleExport(try HealthFile(path: path))
    #expect(try export.clinicalRecord("/clinical-records/M-1.json") == Array("{}".utf8))
    #expect(try export.clinicalRecord("/clinical-records/M-2.json") == nil)
    #expect(try export.clinicalRecord("/../../etc/passwd") == nil)
  }

  @Test func `Names that lead out of the archive are skipped and counted`() throws {
    var zip = ZipWriter()
    zip.add("../export.xml", Self.text)
    zip.add("/etc/export.xml", Self.text)
    zip.add("C:\\export.xml", Self.text)
    zip.add("apple_health_export/export.xml", Self.text)
    let (readings, _, report) = try ExportText.read(zip.finished())
    #expect(readings.count == 20)
    #expect(report.faults == [.unsafeNames: 3])
  }

  @Test func `An archive that expands too much is stopped`() throws {
    var zip = ZipWriter()
    let bomb = Array((ExportText.head).utf8) + [UInt8](repeating: 0x20, count: 80 << 20)
    zip.add("apple_health_export/export.xml", bomb)
    #expect(throws: HealthFileError.archiveTooLarge) { try ExportText.read(zip.finished()) }
  }

  @Test func `Locked, damaged and unrelated archives are reported`() throws {
    var locked = ZipWriter()
    locked.isEncrypted = true
    locked.add("apple_health_export/export.xml", Self.text)
    #expect(throws: HealthFileError.encrypted) { try ExportText.read(locked.finished()) }
    var other = ZipWriter()
    other.add("holiday.jpg", [1, 2, 3])
    #expect(throws: HealthFileError.noExport) { try ExportText.read(other.finished()) }
    #expect(throws: HealthFileError.brokenArchive) {
      try ExportText.read(Array(locked.finished().dropLast(10)))
    }
  }

  @Test func `Damage in the compressed data is reported, earlier values count`() throws {
    var zip = ZipWriter(isDeflated: false)
    zip.add("apple_health_export/export.xml", Self.text)
    var bytes = zip.finished()
    let place = try #require(bytes.lastIndex(of: UInt8(ascii: "W")))
    bytes[place] = UInt8(ascii: "V")
    let (readings, _, report) = try ExportText.read(bytes)
    #expect(readings.count == 20)
    #expect(report.faults == [.damagedArchive: 1])
  }

  @Test func `No change of an archive's bytes makes it crash or hang`() throws {
    var zip = ZipWriter(isWide: true)
    zip.add("apple_health_export/export.xml", Self.text)
    let sound = zip.finished()
    var random = SeededGenerator(seed: 12)
    for _ in 0..<400 {
      var bytes = sound
      for _ in 0..<(1 + random.next() % 4) {
        // Mostly near the end, where the directory is.
        let back = Int(random.next() % UInt64(random.next() % 3 == 0 ? bytes.count : 250)) + 1
        bytes[bytes.count - back] = UInt8(truncatingIfNeeded: random.next())
      }
      do {
        #expect(try ExportText.read(bytes).readings.count <= 20)
      } catch is HealthFileError {
        continue
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import HealthData
import Testing

struct ExportReaderTests {
  @Test func `A value keeps its day, its offset and its source`() throws {
    let (readings, _, report) = try ExportText.read(
      ExportText.whole([ExportText.record(source: "Ann’s &amp; Bo&#8217;s Watch")]))
    let reading = try #require(readings.first)
    #expect(reading.kind == .restingHeartRate)
    #expect(reading.thousandths == 61_000)
    #expect(reading.source == "Ann’s & Bo’s Watch")
    #expect(CivilDays.text(reading.start.dayNumber) == "2026-10-01")
    #expect(reading.start.offset == 3_600)
    #expect(reading.created.seconds - reading.start.seconds == 14 * 3_600)
    #expect(report.faults.isEmpty)
  }

  @Test func `The supported kinds are read in their own units`() throws {
    let (readings, _, report) = try ExportText.read(
      ExportText.whole([
        ExportText.record("HeartRate", value: "64.5"),
        ExportText.record("WalkingHeartRateAverage", value: "98"),
        ExportText.record("StepCount", value: "1204", unit: "count"),
        ExportText.record("BodyMass", value: "165", unit: "lb"),
        ExportText.record("BodyMass", value: "74.25", unit: "kg"),
        ExportText.record("HeartRate", value: "1.2", unit: "count/s"),
        ExportText.record("ActiveEnergyBurned", value: "1", unit: "kcal"),
      ]))
    #expect(
      readings.map(\.thousandths) == [64_500, 98_000, 1_204_000, 74_843, 74_250, 72_000])
    #expect(
      readings.map(\.kind) == [
        .heartRate, .walkingHeartRate, .steps, .weight, .weight, .heartRate,
      ])
    #expect(report.otherKinds == 1)
    #expect(report.records == 7)
  }

  @Test func `The person's activity is read from the nested entry`() throws {
    let plain = ExportText.record("HeartRate")
    let entry =
      "<MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"%\"/>\n</Record>\n"
    let records = ["0", "1", "2", "7"].map {
      plain.replacing("/>", with: ">\n" + entry.replacing("%", with: $0))
    }
    let (readings, _, _) = try ExportText.read(ExportText.whole(records + [plain]))
    #expect(readings.map(\.motion) == [.unknown, .sedentary, .active, .unknown, .unknown])
  }

  @Test func `Values within a correlation count once`() throws {
    let record = ExportText.record("HeartRate")
    let (readings, _, report) = try ExportText.read(
      ExportText.whole(["<Correlation type=\"x\">\n", record, "</Correlation>\n", record]))
    #expect(readings.count == 1)
    #expect(report.correlated == 1)
  }

  @Test func `Clinical records are named with their files`() throws {
    let (_, clinical, _) = try ExportText.read(
      ExportText.whole([
        "<ClinicalRecord type=\"MedicationRequest\" resourceFilePath=\"/clinical-records/M-1.json\"/>"
      ]))
    #expect(clinical == ["/clinical-records/M-1.json"])
  }

  @Test func `Line ends and quote styles don't matter`() throws {
    let text = ExportText.whole((1...9).map { ExportText.record(day: $0) })
    let flat = Array(String(decoding: text, as: UTF8.self).replacing("\n", with: "").utf8)
    let other = Array(String(decoding: text, as: UTF8.self).replacing("\"", with: "'").utf8)
    let wanted = try ExportText.read(text).readings
    #expect(wanted.count == 9)
    #expect(try ExportText.read(flat).readings == wanted)
    #expect(try ExportText.read(other).readings == wanted)
  }

  @Test(arguments: ["", "<ClinicalDocument/>", "<html>", "{}", "PK\u{3}\u{4}"])
  func `Anything but an export is refused`(_ text: String) {
    #expect(throws: HealthFileError.self) { try ExportText.read(Array(text.utf8)) }
  }

  @Test func `A file that is empty or cannot be opened says so`() throws {
    #expect(throws: HealthFileError.empty) { try AppleExport(try HealthFile(path: "/dev/null")) }
    #expect(throws: HealthFileError.unreadable) { try HealthFile(path: "/no/such/file") }
  }
}

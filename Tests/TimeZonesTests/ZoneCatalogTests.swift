// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling
import Testing

@testable import TimeZones

@Suite struct ZoneCatalogTests {
  private let catalog = ZoneCatalog()

  /// UTC seconds and the offset at that time, from the tz database.
  @Test(arguments: [
    ("Europe/Oslo", 1_774_745_999, 3600), ("Europe/Oslo", 1_774_746_000, 7200),
    ("Europe/Oslo", 4_102_444_800, 3600), ("America/New_York", 1_793_512_799, -14_400),
    ("America/New_York", 1_793_512_800, -18_000), ("Pacific/Apia", 1_325_239_199, -36_000),
    ("Pacific/Apia", 1_325_239_200, 50_400), ("Asia/Bangkok", 1_772_348_400, 25_200),
    ("Australia/Lord_Howe", 1_782_864_000, 37_800), ("Australia/Lord_Howe", 1_798_761_600, 39_600),
    ("Africa/Casablanca", 1_782_864_000, 3600), ("America/St_Johns", 1_782_864_000, -9000),
    ("America/St_Johns", 5_000_000_000, -9000), ("Pacific/Auckland", 1_782_864_000, 43_200),
    ("Pacific/Honolulu", 1_782_864_000, -36_000), ("Europe/Dublin", 1_782_864_000, 3600),
    ("Europe/Dublin", 1_798_761_600, 0), ("Asia/Kathmandu", 0, 19_800), ("UTC", 0, 0),
    ("Etc/GMT+12", 0, -43_200),
  ])
  func knowsOffsets(identifier: String, seconds: Int64, expected: Int) throws {
    let zone = try catalog.zone(identifier)
    #expect(zone.identifier == identifier)
    #expect(zone.offsetSeconds(at: Instant(milliseconds: seconds * 1000)) == expected)
  }

  @Test func followsTheFooterForCenturies() throws {
    // The last Sundays of March and October at 01:00 UTC.
    let zone = try catalog.zone("Europe/Oslo")
    for year in stride(from: 2026, through: 9990, by: 7) {
      for (month, before, after) in [(3, 3600, 7200), (10, 7200, 3600)] {
        var date = try #require(CivilDate(year: year, month: month, day: 31))
        while date.weekday != .sunday { date = date.adding(days: -1) }
        let change = Int64(date.daysSinceEpoch) * 86_400_000 + 3_600_000
        #expect(zone.offsetSeconds(at: Instant(milliseconds: change - 1)) == before)
        #expect(zone.offsetSeconds(at: Instant(milliseconds: change)) == after)
      }
    }
  }

  @Test(arguments: [
    "", "/etc/passwd", "../../../etc/passwd", "Europe/../Europe/Oslo", "Europe//Oslo", "Europe/",
    "Europe", "europe/oslo", "localtime", "posix/Europe/Oslo", "right/Europe/Oslo", "zone.tab",
    "Europe/Oslo\0", "Europe/Oslo ", "Mars/Phobos", "Европа", "A\u{0}", ".", "tzdata.zi",
    String(repeating: "A", count: 5000), "Europe/Oslo/../Berlin", "~", "C:\\",
  ])
  func refusesWhatIsNoZone(identifier: String) {
    #expect(throws: ZoneError.unknown(identifier)) { try catalog.zone(identifier) }
  }

  @Test func offersZonesToChooseFrom() throws {
    let identifiers = catalog.identifiers
    #expect(identifiers.count > 250)
    #expect(identifiers == identifiers.sorted())
    #expect(Set(identifiers).count == identifiers.count)
    for name in ["Europe/Oslo", "Europe/Berlin", "Asia/Bangkok", "Europe/Istanbul", "UTC"] {
      #expect(identifiers.contains(name))
    }
    for identifier in identifiers { _ = try catalog.zone(identifier) }
    #expect(catalog.identifiers == identifiers)
  }

  @Test func everyZoneResolvesItsOwnClock() throws {
    for identifier in catalog.identifiers {
      let zone = try catalog.zone(identifier)
      for hour in stride(from: Int64(-700_000), to: 1_400_000, by: 30_011) {
        let instant = Instant(milliseconds: hour * 3_600_000)
        let local = zone.local(at: instant)
        let result = try #require(zone.instant(of: local.date, at: local.time))
        #expect(result.shift != .gap)
        #expect(result.instant <= instant, "the earlier one: \(identifier) \(local)")
        #expect(zone.local(at: result.instant) == local)
      }
    }
  }

  @Test func `a zone keeps its rules if its file is missing or damaged`() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("zones-\(#line)-\(ProcessInfo.processInfo.processIdentifier)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let place = ZoneCatalog(directory: directory)
    func install(_ offset: Int32?) throws {
      let content = offset.map {
        ZoneFileBytes.versionTwo(transitions: [], offsets: [$0], footer: "")
      }
      try Data(content ?? [1]).write(to: URL(filePath: directory + "/Place"))
    }
    func offset() throws -> Int {
      try place.zone("Place").offsetSeconds(at: Instant(milliseconds: 0))
    }
    try install(3600)
    #expect(try offset() == 3600)
    try install(7200)
    place.refresh()
    #expect(try offset() == 7200)
    try install(nil)
    #expect(throws: ZoneError.malformed("Place")) { try place.check("Place") }
    place.refresh()
    #expect(try offset() == 7200)
    try FileManager.default.removeItem(atPath: directory + "/Place")
    #expect(throws: ZoneError.unknown("Place")) { try place.check("Place") }
    place.refresh()
    #expect(try offset() == 7200)
  }

  @Test func readsADirectoryWithoutTables() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("zones-\(#line)-\(ProcessInfo.processInfo.processIdentifier)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(
      atPath: directory + "/Test", withIntermediateDirectories: true)
    let file = ZoneFileBytes.versionTwo(transitions: [], offsets: [5400], footer: "<+0130>-1:30")
    #expect(FileManager.default.createFile(atPath: directory + "/Test/Good", contents: Data(file)))
    #expect(FileManager.default.createFile(atPath: directory + "/Test/Bad", contents: Data([1])))
    let catalog = ZoneCatalog(directory: directory)
    #expect(catalog.identifiers == ["Test/Good"])
    #expect(try catalog.zone("Test/Good").offsetSeconds(at: Instant(milliseconds: 0)) == 5400)
    #expect(throws: ZoneError.malformed("Test/Bad")) { try catalog.zone("Test/Bad") }
    let table = Data("# comment\nXX\t+00\tTest/Good\nYY\t+00\tTest/Gone\n".utf8)
    #expect(FileManager.default.createFile(atPath: directory + "/zone.tab", contents: table))
    #expect(ZoneCatalog(directory: directory).identifiers == ["Test/Good"])
    #expect(ZoneCatalog(directory: directory + "/Missing").identifiers.isEmpty)
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage
import Testing
import TestSupport

@testable import Diary

/// The pure rules of sites.
@Suite struct SiteRuleTests {
  private static func at(_ day: Int64) -> Timestamp { Timestamp(milliseconds: day * 86_400_000) }

  @Test func `a site that was never used comes first, then the one used longest ago`() {
    let allowed: [BodySite] = [.thighRight, .thighLeft, .armRight]
    func suggested(_ uses: [(site: BodySite, used: Timestamp)]) -> SiteRotation? {
      SiteRotation(allowed, uses: uses)
    }
    let all: [(site: BodySite, used: Timestamp)] = [
      (site: .thighRight, used: Self.at(3)), (site: .thighLeft, used: Self.at(1)),
      (site: .armRight, used: Self.at(2)),
    ]
    func with(_ site: BodySite, _ day: Int64) -> [(site: BodySite, used: Timestamp)] {
      var uses = all
      uses.insert((site: site, used: Self.at(day)), at: 0)
      return uses
    }
    #expect(suggested([])?.site == .thighRight && suggested([])?.lastUsed == nil)
    #expect(suggested(Array(all.prefix(1)))?.site == .thighLeft)
    #expect(suggested(all)?.site == .thighLeft && suggested(all)?.lastUsed == Self.at(1))
    // The last use of each site counts, in whatever order they are listed; ties keep the order of the sites.
    #expect(suggested(with(.thighLeft, 9))?.site == .armRight)
    #expect(suggested(with(.thighLeft, 2))?.site == .thighLeft)
    // A site that is not allowed is never suggested.
    #expect(suggested(with(.bellyLowerLeft, 0))?.site == .thighLeft)
    #expect(SiteRotation([], uses: all) == nil)
  }

  @Test(
    arguments: [
      (-61, RemovalTiming.early(minutes: 61)), (-60, .onTime), (0, .onTime), (60, .onTime),
      (61, .late(minutes: 61)), (3_000, .late(minutes: 3_000)),
    ] as [(Int64, RemovalTiming)])
  func `an hour early or late is on time`(minutes: Int64, timing: RemovalTiming) {
    let due = Self.at(10)
    #expect(
      RemovalTiming(due: due, removed: due.adding(milliseconds: minutes * 60_000)) == timing)
  }

  @Test func `only sites of the kind are kept, and none means all`() {
    let patch = SiteChoice(isOn: true, kind: .patch, sites: [.eyeLeft, .armLeft], wearMinutes: 60)
    #expect(patch.sites == [.armLeft] && patch.wearMinutes == 60)
    let all = SiteChoice(isOn: true, kind: .injection, sites: [.eyeLeft], wearMinutes: 60)
    #expect(all.sites == SiteKind.injection.sites && all.wearMinutes == nil && all.text.isEmpty)
    for kind in SiteKind.allCases {
      #expect(Set(kind.sites).count == kind.sites.count && !kind.sites.isEmpty)
    }
  }

  @Test(
    arguments: [
      ("45890007", SiteKind.patch), ("34206005", .injection), ("78421000", .injection),
      ("54485002", .side), ("26643006", nil),
    ] as [(String, SiteKind?)])
  func `the route suggests the kind`(code: String, kind: SiteKind?) {
    let request = MedicationRequestView([
      "dosageInstruction": [
        ["route": ["coding": [["system": "http://snomed.info/sct", "code": .string(code)]]]]
      ]
    ])
    #expect(SiteKind(request) == kind)
  }

  @Test(
    arguments: [
      (#"{"frequency":1,"period":3,"periodUnit":"d"}"#, 4_320),
      (#"{"period":1,"periodUnit":"wk"}"#, 10_080),
      (#"{"timeOfDay":["08:00:00"],"frequency":1,"period":1,"periodUnit":"d"}"#, 1_440),
      (#"{"duration":16,"durationUnit":"h","frequency":1,"period":1,"periodUnit":"d"}"#, 960),
      (#"{"frequency":2,"period":1,"periodUnit":"wk"}"#, nil),
      (#"{"timeOfDay":["08:00:00","20:00:00"],"period":1,"periodUnit":"d"}"#, nil),
      (#"{"dayOfWeek":["mon"],"period":1,"periodUnit":"wk"}"#, nil),
      (#"{"period":1,"periodUnit":"mo"}"#, nil), (#"{"period":1,"periodUnit":"min"}"#, nil),
      (#"{"period":9000000000000000,"periodUnit":"wk"}"#, nil), ("{}", nil),
    ] as [(String, Int?)])
  func `the prescription proposes how long it is worn`(times: String, minutes: Int?) throws {
    let repeated = try JSONValue(parsing: Array(times.utf8))
    let request = MedicationRequestView([
      "dosageInstruction": [["timing": ["repeat": repeated]]]
    ])
    #expect(WearTime.minutes(of: request) == minutes)
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

@testable import HomeAutomation

/// The state of a day, its key, its events, and the presses that repeat the key.
@Suite struct HomeStateTests {
  static let date = CivilDate(daysSinceEpoch: 20_513)

  static func dose(_ slot: Int) -> DoseID {
    DoseID(plan: PlanID("plan"), era: 1, occurrence: .slot(date: date, slot: slot))
  }

  static let day = HomeDay(
    date: date,
    due: [
      HomeDay.Due(id: dose(1), version: 1, medicine: "Testolol"),
      HomeDay.Due(id: dose(2), version: 3, medicine: "Zinc"),
    ], next: Timestamp(milliseconds: 1_772_395_200_000), planned: 5, taken: 2, skipped: 1,
    missed: 1, adherence: 93, supplyDays: 12, changes: Timestamp(milliseconds: 0))

  private static func cipher() throws -> FieldCipher {
    let keys = try KeyRing.generate { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
    return FieldCipher(keys: keys)
  }

  @Test func `medicines are hidden unless chosen`() {
    let hidden = HomeState.json(Self.day, zone: .utc, namesMedicine: false, key: "k")
    #expect(
      String(decoding: hidden.bytes, as: UTF8.self)
        == #"{"next":"2026-03-01T20:00:00+00:00","due":"ON","due_count":2,"taken":2,"planned":5,"#
        + #""missed":1,"adherence":93,"supply_days":12,"dose_key":"k"}"#)
    let named = HomeState.json(Self.day, zone: .utc, namesMedicine: true, key: "k")
    #expect(named["medicines"]?.array?.compactMap(\.string) == ["Testolol", "Zinc"])
  }

  @Test func `unknown values are null`() {
    let empty = HomeDay(date: Self.day.date, changes: Timestamp(milliseconds: 0))
    let json = HomeState.json(empty, zone: .utc, namesMedicine: true, key: "")
    #expect(json["next"]?.isNull == true && json["adherence"]?.isNull == true)
    #expect(json["supply_days"]?.isNull == true && json["due"]?.string == "OFF")
  }

  @Test func `the key stands for the doses in their versions and for the place`() throws {
    let cipher = try Self.cipher()
    func key(_ change: (inout HomeDay) -> Void = { _ in }, place: String = "place") -> String {
      var day = Self.day
      change(&day)
      return HomeState.doseKey(day, place: place, cipher: cipher)
    }
    let first = key()
    let reversed = key { $0.due.reverse() }
    let later = key { $0.taken = 4 }
    #expect(first.count == 16 && first == key() && first == reversed && first == later)
    let other = [
      key { $0.due.removeLast() }, key(place: "elsewhere"),
      key { $0.due[0] = HomeDay.Due(id: $0.due[0].id, version: 2, medicine: "Testolol") },
    ]
    #expect(Set(other + [first]).count == 4)
    let none = key { $0.due = [] }
    #expect(none.isEmpty)
    let ids = ["a", "b", "c"].map { HomeTopics.id(of: $0, cipher: cipher) }
    #expect(Set(ids).count == 3 && ids.allSatisfy { $0.count == 24 && MQTTName.isPlain($0) })
  }

  @Test func `events are what changed within a day`() {
    func after(_ change: (inout HomeDay) -> Void) -> [HomeEvent] {
      var day = Self.day
      change(&day)
      return HomeEvent.between(Self.day, day)
    }
    #expect(after { _ in }.isEmpty)
    #expect(
      after {
        $0.taken += 1
        $0.due.removeFirst()
      } == [.taken])
    #expect(after { $0.skipped += 1 } == [.skipped])
    #expect(after { $0.later += 1 } == [.snoozed])
    #expect(after { $0.missed += 2 } == [.missed])
    #expect(after { $0.taken -= 1 }.isEmpty)
    let new = HomeDay.Due(id: Self.dose(3), version: 1, medicine: "Iron")
    #expect(after { $0.due.append(new) } == [.due])
    #expect(
      after {
        $0.date = $0.date.adding(days: 1)
        $0.due.append(new)
      }.isEmpty)
    #expect(HomeEvent.taken.json == ["event_type": "taken"])
  }

  @Test(arguments: [
    "", "null", "[]", "PRESS", #"{"press":"taken"}"#, #"{"dose_key":"k"}"#,
    #"{"press":"taken","dose_key":""}"#, #"{"press":"taken","dose_key":5}"#,
    #"{"press":"delete","dose_key":"k"}"#, #"{"press":["taken"],"dose_key":"k"}"#,
    #"{"press":"taken","dose_key":"k""#,
    #"{"press":"taken","dose_key":"\#(String(repeating: "k", count: 65))"}"#,
  ])
  func `other payloads are no press`(payload: String) {
    #expect(HomeCommand(payload: Array(payload.utf8)) == nil)
  }

  @Test func `large and invalid bytes are no press`() {
    #expect(HomeCommand(payload: [0xFF, 0xFE, 0x00]) == nil)
    let padded =
      #"{"press":"taken","dose_key":"k","x":"\#(String(repeating: "a", count: 600))"}"#
    #expect(HomeCommand(payload: Array(padded.utf8)) == nil)
    #expect(HomeCommand(payload: Array(repeating: UInt8(ascii: "["), count: 500)) == nil)
    #expect(
      HomeCommand(payload: Array(#"{"press":"skip","dose_key":"k"}"#.utf8))
        == HomeCommand(.skip, doseKey: "k"))
  }
}

/// The characters that a level of a topic and a discovery id may have.
private enum MQTTName {
  static func isPlain(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil
  }
}

// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Plans

@Suite struct LimitCheckTests {
  static let hour: Int64 = 3_600_000
  /// 2026-03-02T00:00:00+01:00.
  static let midnight = Timestamp("2026-03-02T00:00:00+01:00")

  static func at(_ hours: Int) -> Timestamp { midnight.adding(milliseconds: Int64(hours) * hour) }

  static func intake(_ hours: Int, _ amount: String? = nil, unit: String = "tablet") -> Intake {
    Intake(
      administration: "a\(hours)", plan: "p", medicineName: "Paracetamol", taken: at(hours),
      by: "Ann", amount: amount.flatMap { Amount(value: $0, unit: unit) })
  }

  static func check(_ limits: PlanLimits, _ intakes: [Intake], zone: String = "Europe/Berlin")
    throws -> LimitCheck
  {
    LimitCheck(
      plan: "p", medicineName: "Paracetamol", limits: limits, intakes: intakes,
      zone: try ZoneCatalog().zone(zone))
  }

  static func limits(
    gap: Int? = nil, count: Int? = nil, amount: String? = nil, days: Int? = nil
  ) -> PlanLimits {
    var limits = PlanLimits()
    limits.gap = gap.map { Int64($0) * hour }
    if let count { limits.counts = [.init(most: count, milliseconds: 24 * hour)] }
    if let amount {
      limits.amounts = [
        .init(value: amount, unit: "tablet", code: nil, milliseconds: 24 * hour)
      ]
    }
    limits.days = days
    limits.dose = Amount(value: "2", unit: "tablet")
    return limits
  }

  @Test func `the window rolls over midnight and ends after exactly 24 hours`() throws {
    let check = try Self.check(Self.limits(count: 2), [Self.intake(20), Self.intake(22)])
    #expect(check.breaches(at: Self.at(43), amount: nil).count == 1)
    #expect(check.breaches(at: Self.at(44), amount: nil).isEmpty)
    #expect(check.next(from: Self.at(30)) == Self.at(44))
    #expect(check.left(at: Self.at(30)) == 0)
    #expect(check.left(at: Self.at(44)) == 1)
    #expect(check.isLast(at: Self.at(44)))
  }

  @Test func `an intake logged late counts with later ones`() throws {
    let check = try Self.check(Self.limits(count: 2), [Self.intake(10), Self.intake(30)])
    // 10 and 30 are 20 hours apart: with 20 between them three are within 24 hours.
    let breach = try #require(check.breaches(at: Self.at(20), amount: nil).first)
    #expect(breach.reached == 3 && breach.intakes.map(\.taken) == [Self.at(10), Self.at(30)])
    #expect(check.breaches(at: Self.at(5), amount: nil).isEmpty)
  }

  @Test func `tablets of another plan count with their own strength`() throws {
    var limits = PlanLimits()
    limits.amounts = [.init(value: "4000", unit: "mg", code: "mg", milliseconds: 24 * Self.hour)]
    limits.dose = Amount(value: "1", unit: "tablet")
    func strength(_ value: String) -> PlanLimits.Strength {
      .init(
        value: value, unit: "mg", code: "mg", perValue: "1", perUnit: "tablet", perCode: nil)
    }
    limits.strength = strength("500")
    var strong = PlanLimits()
    strong.strength = strength("1000")
    strong.dose = Amount(value: "1", unit: "tablet")
    func other(_ hours: Int, _ amount: String?) -> Intake {
      Intake(
        administration: "b\(hours)", plan: "strong", medicineName: "Paracetamol",
        taken: Self.at(hours), by: "Ann",
        amount: amount.flatMap { Amount(value: $0, unit: "tablet") })
    }
    // 1 g without an amount, 2 g and 500 mg: 3.5 g.
    let taken = [other(1, nil), other(5, "2"), Self.intake(9, "1")]
    var check = try Self.check(limits, taken)
    check.sources = ["strong": strong]
    let one = Amount(value: "1", unit: "tablet")
    #expect(check.breaches(at: Self.at(10), amount: one).isEmpty)
    #expect(check.breaches(at: Self.at(10), amount: one, from: "strong").first?.reached == 4500)
  }

  @Test func `amounts are summed, and an intake without one counts as a dose`() throws {
    let check = try Self.check(
      Self.limits(amount: "8"), [Self.intake(1, "3"), Self.intake(2), Self.intake(3, "1,5")])
    // 3 and 2, and unreadable text was never stored: the dose again.
    #expect(check.breaches(at: Self.at(4), amount: Amount(value: "1", unit: "tablet")).isEmpty)
    let breach = try #require(
      check.breaches(at: Self.at(4), amount: Amount(value: "1.5", unit: "tablet")).first)
    #expect(breach.reached == Decimal(string: "8.5"))
  }

  @Test func `milligrams are counted using the tablet's strength`() throws {
    var limits = Self.limits()
    limits.strength = .init(
      value: "500", unit: "mg", code: "mg", perValue: "1", perUnit: "dose", perCode: "{dose}")
    limits.amounts = [.init(value: "4", unit: "g", code: "g", milliseconds: 24 * Self.hour)]
    let check = try Self.check(limits, [1, 2, 3].map { Self.intake($0, "2") })
    #expect(check.breaches(at: Self.at(5), amount: Amount(value: "2", unit: "tablet")).isEmpty)
    let breach = try #require(
      check.breaches(at: Self.at(5), amount: Amount(value: "3", unit: "tablet")).first)
    #expect(breach.reached == Decimal(string: "4.5"))
    #expect(check.left(at: Self.at(5)) == 1 && check.uncounted.isEmpty)
    limits.strength = nil
    #expect(try Self.check(limits, []).uncounted.count == 1)
    #expect(try Self.check(limits, []).left(at: Self.at(5)) == nil)
  }

  @Test func `a month's days follow the person's own clock`() throws {
    // 23:30 in Berlin on 31 March is still March there, and April in Auckland.
    let late = Intake(
      administration: "a", plan: "p", medicineName: "x",
      taken: Timestamp("2026-03-31T23:30:00+02:00"), by: "", amount: nil)
    let next = Timestamp("2026-04-01T12:00:00+02:00")
    let limits = Self.limits(days: 1)
    #expect(try Self.check(limits, [late]).breaches(at: next, amount: nil).isEmpty)
    #expect(
      try Self.check(limits, [late], zone: "Pacific/Auckland")
        .breaches(at: Timestamp("2026-04-02T12:00:00+13:00"), amount: nil).count == 1)
    // A second one on the same day is not another day.
    let again = Timestamp("2026-03-31T20:00:00+02:00")
    #expect(try Self.check(limits, [late]).allows(at: again))
    let soon = Timestamp("2026-03-15T12:00:00+01:00")
    #expect(
      try Self.check(limits, [late]).next(from: soon) == Timestamp("2026-04-01T00:00:00+02:00"))
  }

  @Test func `a dose above the maximum is never within it`() throws {
    let check = try Self.check(Self.limits(amount: "1"), [])
    #expect(check.next(from: Self.at(0)) == nil && check.left(at: Self.at(0)) == 0)
    #expect(check.breaches(at: Self.at(0), amount: nil).first?.intakes.isEmpty == true)
  }

  /// Trying every intake as the start of every window would never finish.
  @Test func `thousands of intakes within one hour are counted exactly`() throws {
    let count = 5_000
    let intakes = (0..<count).map { number in
      Intake(
        administration: "a\(number)", plan: "p", medicineName: "Paracetamol",
        taken: Self.midnight.adding(milliseconds: Int64(number) * 500), by: "Ann",
        amount: Amount(value: "1", unit: "tablet"))
    }
    let limits = Self.limits(gap: 1, count: 4, amount: "8")
    let check = try Self.check(limits, intakes)
    let breaches = check.breaches(at: Self.at(1), amount: Amount(value: "2", unit: "tablet"))
    #expect(breaches.map(\.reached) == [Decimal(count + 1), Decimal(count + 2)])
    #expect(breaches.allSatisfy { $0.intakes == intakes })
    // Two more tablets keep the maximum of eight once only six of the last 24 hours remain, and four doses
    // once three do.
    let fourth = intakes[count - 4].taken
    let seventh = intakes[count - 7].taken
    let day = 24 * Self.hour
    #expect(check.next(from: Self.at(1)) == max(fourth, seventh).adding(milliseconds: day))
    #expect(check.left(at: Self.at(1)) == 0)
  }

  /// Compared with a model that checks every hour: limits, next time and doses left.
  @Test(arguments: UInt64(0)..<60)
  func `limits and next times match a model that tries every hour`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let limits = Self.limits(
      gap: Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil,
      count: Bool.random(using: &random) ? Int.random(in: 1...5, using: &random) : nil,
      amount: Bool.random(using: &random) ? String(Int.random(in: 2...9, using: &random)) : nil,
      days: Bool.random(using: &random) ? Int.random(in: 1...6, using: &random) : nil)
    let zone = ["Europe/Berlin", "Asia/Bangkok", "America/New_York"].randomElement(using: &random)!
    var hours: Set<Int> = []
    for _ in 0..<Int.random(in: 0...14, using: &random) {
      hours.insert(Int.random(in: -300...60, using: &random))
    }
    let intakes = hours.map { hour in
      Self.intake(
        hour, Bool.random(using: &random) ? String(Int.random(in: 1...3, using: &random)) : nil)
    }.shuffled(using: &random)
    let check = try Self.check(limits, intakes, zone: zone)
    let model = LimitModel(limits: limits, intakes: intakes, zone: try ZoneCatalog().zone(zone))
    for hour in stride(from: -48, through: 72, by: 7) {
      let amount = Int.random(in: 1...3, using: &random)
      let breaches = check.breaches(
        at: Self.at(hour), amount: Amount(value: String(amount), unit: "tablet"))
      #expect(
        Set(breaches.map { LimitModel.name($0.rule) }) == model.broken(at: hour, by: amount),
        "hour \(hour)")
    }
    let now = 61
    let next = (now...(now + 24 * 45)).first { model.allows(at: $0) }
    #expect(check.next(from: Self.at(now)) == next.map(Self.at))
  }
}

/// The same limits, counted by trying every hour of every window, independently of the rule itself.
struct LimitModel {
  let limits: PlanLimits
  let intakes: [Intake]
  let zone: Zone

  static func name(_ rule: LimitBreach.Rule) -> String {
    switch rule {
    case .count: "count"
    case .amount: "amount"
    case .days: "days"
    }
  }

  private func hour(_ intake: Intake) -> Int {
    Int((intake.taken.milliseconds - LimitCheckTests.midnight.milliseconds) / LimitCheckTests.hour)
  }

  private func units(_ intake: Intake) -> Int {
    intake.amount.flatMap { Int($0.value) } ?? 2
  }

  private func day(_ hour: Int) -> CivilDate {
    zone.date(at: Instant(milliseconds: LimitCheckTests.at(hour).milliseconds))
  }

  func broken(at hour: Int, by amount: Int) -> Set<String> {
    var broken: Set<String> = []
    for start in (hour - 23)...hour {
      let inside = intakes.filter { (start..<(start + 24)).contains(self.hour($0)) }
      if let count = limits.counts.first, inside.count + 1 > count.most { broken.insert("count") }
      if let most = limits.amounts.first.flatMap({ Int($0.value) }),
        inside.map(units).reduce(amount, +) > most
      {
        broken.insert("amount")
      }
    }
    if let most = limits.days {
      let today = day(hour)
      let used = Set(
        intakes.map { day(self.hour($0)) }.filter {
          $0.year == today.year && $0.month == today.month
        })
      if !used.contains(today), used.count >= most { broken.insert("days") }
    }
    return broken
  }

  func allows(at hour: Int) -> Bool {
    if let gap = limits.gap.map({ Int($0 / LimitCheckTests.hour) }),
      intakes.contains(where: { abs(self.hour($0) - hour) < gap })
    {
      return false
    }
    return broken(at: hour, by: 2).isEmpty
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization
import People
import Plans
import Presentation
import Scheduling
import Web

/// The input of the form of a child's medicine, exactly as typed.
struct ChildPlanInput: Sendable, Hashable {
  enum When: String, Sendable, Hashable {
    case times
    case asNeeded = "as-needed"
  }

  /// The units offered for an amount.
  static let units: [DoseUnit] = [
    .milliliter, .milligram, .tablet, .capsule, .drop, .sachet, .suppository, .puff, .spray,
  ]
  static let fractions = ["0", "0.25", "0.5", "0.75"]
  /// The number of times of day that the form offers.
  static let offeredTimes = 6

  var name = ""
  /// The strength on the label: milligrams in so many millilitres, or milligrams per tablet.
  var strengthMass = ""
  var strengthVolume = ""
  var whole = ""
  var fraction = "0"
  var unit = DoseUnit.milliliter.rawValue
  /// Nothing is preselected.
  var when: When?
  var times: [MedicineInput.TimeRow] = []
  var gap = ""
  var most = ""
  var need = ""
  var start = ""
  var end = ""
  var note = ""

  init(today: CivilDate) { start = today.text }

  init(_ form: FormBody, today: CivilDate) {
    func typed(_ name: String) -> String { form.raw(name) ?? "" }
    name = typed("name")
    strengthMass = typed("strength-mg")
    strengthVolume = typed("strength-ml")
    whole = typed("whole")
    fraction = form.text("fraction") ?? "0"
    unit = form.text("unit") ?? DoseUnit.milliliter.rawValue
    when = When(rawValue: typed("when"))
    let slots = form.all("time-slot")
    times = form.all("time").prefix(24).enumerated().map { index, text in
      .init(slot: index < slots.count ? Int(slots[index]) : nil, text: text)
    }
    gap = typed("gap")
    most = typed("most")
    need = typed("need")
    start = form.text("start") ?? today.text
    end = typed("end")
    note = typed("note")
  }

  /// Creates the input from a stored medicine; nil if the form can't represent all of it.
  init?(_ draft: PlanDraft, localizer: Localizer) {
    guard let unit = DoseUnit(rawValue: draft.doseUnit), Self.units.contains(unit),
      let amount = Decimal(string: draft.doseValue), draft.limits.days == nil,
      draft.policy == .follow, draft.missedDoseAdvice == nil
    else { return nil }
    let (whole, fraction) = Self.parts(NSDecimalNumber(decimal: amount).stringValue)
    guard Self.fractions.contains(fraction) else { return nil }
    (self.whole, self.fraction, self.unit) = (whole, fraction, draft.doseUnit)
    name = draft.medicineName
    if let value = draft.strengthValue {
      switch draft.strengthUnit {
      case StrengthUnit.milligramPerMilliliter.rawValue:
        (strengthMass, strengthVolume) = (value, "1")
      case StrengthUnit.milligram.rawValue: strengthMass = value
      default: return nil
      }
    }
    switch draft.schedule {
    case .times(let times, let weekdays) where weekdays.count == 7 && draft.limits.amount == nil:
      when = .times
      self.times = times.map { .init(slot: $0.slot, text: String($0.time.text.prefix(5))) }
    case .asNeeded(let reason) where draft.limits.amount == nil:
      when = .asNeeded
      need = reason ?? ""
      gap = draft.limits.gapHours.map { String($0) } ?? ""
      most = draft.limits.count.map { String($0) } ?? ""
    default: return nil
    }
    start = draft.start.text
    end = draft.end?.text ?? ""
    note = draft.instruction ?? ""
  }

  /// Returns `7.5` as the picker shows it: the whole number and the fraction.
  static func parts(_ decimal: String) -> (whole: String, fraction: String) {
    let halves = decimal.split(separator: ".", maxSplits: 1)
    guard halves.count == 2 else { return (decimal, "0") }
    var places = String(halves[1])
    while places.last == "0" { places.removeLast() }
    return (String(halves[0]), places.isEmpty ? "0" : "0.\(places)")
  }
}

extension ChildPlanInput {
  /// A mistake that must be corrected before there is a draft.
  enum Issue: String, Sendable, Hashable {
    case whole, strength, volume, when, time, gap, most, start, end
    /// A number of milligrams that gives no measurable amount of this bottle.
    case unmeasurable

    var field: String {
      switch self {
      case .strength: "strength-mg"
      case .volume: "strength-ml"
      case .unmeasurable: "whole"
      default: rawValue
      }
    }
  }

  /// Returns the form as a draft; nil if it has mistakes.
  func read(today: CivilDate) -> (draft: PlanDraft?, issues: [Issue]) {
    var issues: [Issue] = []
    let unit = DoseUnit(rawValue: unit) ?? .milliliter
    let amount = Self.amount(whole: whole, fraction: fraction)
    if amount == nil { issues.append(.whole) }
    let (strength, strengthIssue) = readStrength(unit)
    if let strengthIssue { issues.append(strengthIssue) }
    var dose = amount
    var doseUnit = unit
    if unit == .milligram, let perMillilitre = strength.perMillilitre, let amount {
      // A liquid is measured in millilitres, so that is the unit of the recorded dose.
      dose = Self.exact(amount, dividedBy: perMillilitre, places: 3)
      doseUnit = .milliliter
      if dose == nil { issues.append(.unmeasurable) }
    }
    var schedule = DraftSchedule.asNeeded(reason: need.isEmpty ? nil : need)
    var limits = DraftLimits()
    switch when {
    case nil: issues.append(.when)
    case .times:
      var read: [DraftTime] = []
      for row in times where !TypedText.trimmed(row.text).isEmpty {
        guard let time = TypedText.clockTime(row.text) else {
          issues.append(.time)
          break
        }
        read.append(DraftTime(slot: row.slot, time: time))
      }
      if read.isEmpty, !issues.contains(.time) { issues.append(.time) }
      schedule = .times(read, weekdays: Set(Weekday.allCases))
    case .asNeeded:
      limits.gapHours = Self.number(gap, .gap, &issues)
      limits.count = Self.number(most, .most, &issues)
    }
    let first = CivilDate(text: TypedText.trimmed(start))
    if first == nil { issues.append(.start) }
    let last = CivilDate(text: TypedText.trimmed(end))
    if last == nil, !TypedText.trimmed(end).isEmpty { issues.append(.end) }
    guard issues.isEmpty, let dose else { return (nil, issues) }
    let words = TypedText.trimmed(note)
    return (
      PlanDraft(
        medicineName: TypedText.trimmed(name), form: Self.form(doseUnit),
        strengthValue: strength.value, strengthUnit: strength.unit,
        doseValue: NSDecimalNumber(decimal: dose).stringValue, doseUnit: doseUnit.rawValue,
        schedule: schedule, start: first ?? today, end: last,
        instruction: words.isEmpty ? nil : words, limits: limits), []
    )
  }

  private typealias Strength = (value: String?, unit: String?, perMillilitre: Decimal?)

  /// A liquid needs both milligrams and millilitres; otherwise its strength is undefined.
  private func readStrength(_ unit: DoseUnit) -> (Strength, Issue?) {
    let typedMass = TypedText.trimmed(strengthMass)
    let typedVolume = TypedText.trimmed(strengthVolume)
    if typedMass.isEmpty, typedVolume.isEmpty { return ((nil, nil, nil), nil) }
    guard let mass = Self.decimal(typedMass) else { return ((nil, nil, nil), .strength) }
    let isLiquid = unit == .milliliter || !typedVolume.isEmpty
    guard isLiquid else {
      return (
        (NSDecimalNumber(decimal: mass).stringValue, StrengthUnit.milligram.rawValue, nil), nil
      )
    }
    guard let volume = Self.decimal(typedVolume) else { return ((nil, nil, nil), .volume) }
    guard let each = Self.exact(mass, dividedBy: volume, places: 3) else {
      return ((nil, nil, nil), .volume)
    }
    return (
      (
        NSDecimalNumber(decimal: each).stringValue, StrengthUnit.milligramPerMilliliter.rawValue,
        each
      ), nil
    )
  }

  private static func amount(whole: String, fraction: String) -> Decimal? {
    let typed = TypedText.trimmed(whole)
    guard let number = typed.isEmpty ? 0 : TypedText.wholeNumber(typed),
      fractions.contains(fraction),
      let part = Decimal(string: fraction)
    else { return nil }
    let sum = Decimal(number) + part
    return sum > 0 ? sum : nil
  }

  private static func number(_ text: String, _ issue: Issue, _ issues: inout [Issue]) -> Int? {
    let typed = TypedText.trimmed(text)
    guard !typed.isEmpty else { return nil }
    let number = TypedText.wholeNumber(typed)
    if number == nil { issues.append(issue) }
    return number
  }

  private static func decimal(_ text: String) -> Decimal? {
    guard !TypedText.isAmbiguousNumber(text), let plain = DraftText.decimal(text),
      let value = Decimal(string: plain), value > 0, value <= 100_000
    else { return nil }
    return value
  }

  /// Returns an exact decimal quotient; nil if it has too many decimal places.
  private static func exact(_ number: Decimal, dividedBy other: Decimal, places: Int) -> Decimal? {
    guard other > 0 else { return nil }
    var quotient = number / other
    var rounded = Decimal()
    NSDecimalRound(&rounded, &quotient, places, .plain)
    return rounded * other == number && rounded > 0 ? rounded : nil
  }

  private static func form(_ unit: DoseUnit) -> MedicineForm? {
    switch unit {
    case .milliliter: .liquid
    case .tablet: .tablet
    case .capsule: .capsule
    case .drop: .drops
    case .sachet: .sachet
    case .suppository: .suppository
    case .puff: .puff
    case .spray: .spray
    default: nil
    }
  }
}

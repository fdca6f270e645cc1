// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Storage

/// The plan's own rule for a missed dose.
///
/// Entered with the plan, from the leaflet or a professional's advice; Regimen never makes one up.
package enum MissedDoseAdvice: Sendable, Hashable {
  /// It may be taken for a number of hours after its time, and is skipped afterwards.
  case takeUntil(hours: Int)
  /// It is skipped.
  case skip
  /// It is taken when remembered, and the next one at least a number of hours later.
  case shift(hours: Int)

  /// The extension of a MedicationRequest with the rule; see docs/plans.md.
  package static let url = "urn:regimen:after-miss"
  private static let rulePart = "rule"
  private static let hoursPart = "hours"
  /// The hours that a rule may name.
  package static let hours = 1...168

  /// The code in the extension.
  package var code: String {
    switch self {
    case .takeUntil: "take-until"
    case .skip: "skip"
    case .shift: "shift"
    }
  }

  /// The hours that the rule names; nil if it names none.
  package var hours: Int? {
    switch self {
    case .takeUntil(let hours), .shift(let hours): hours
    case .skip: nil
    }
  }

  /// Creates a rule from its code; nil if the code is unknown or lacks its hours.
  package init?(code: String, hours: Int?) {
    let named = hours.flatMap { Self.hours.contains($0) ? $0 : nil }
    switch (code, named) {
    case ("take-until", let hours?): self = .takeUntil(hours: hours)
    case ("shift", let hours?): self = .shift(hours: hours)
    case ("skip", _): self = .skip
    default: return nil
    }
  }

  /// Reads the rule of a request; nil if it states none that is valid.
  package init?(_ request: MedicationRequestView) {
    let own = request.json["extension"]?.array?.first { $0["url"]?.string == Self.url }
    let parts = own?["extension"]?.array ?? []
    func part(_ name: String) -> JSONValue? { parts.first { $0["url"]?.string == name } }
    guard let code = part(Self.rulePart)?["valueCode"]?.string else { return nil }
    let hours = part(Self.hoursPart)?["valuePositiveInt"]?.number?.integer
    self.init(code: code, hours: hours)
  }

  /// Writes a rule into a request, or takes it out.
  static func write(_ rule: MissedDoseAdvice?, into request: inout JSONValue) {
    var extensions = (request["extension"]?.array ?? []).filter { $0["url"]?.string != url }
    if let rule {
      var parts: [JSONValue] = [["url": .string(rulePart), "valueCode": .string(rule.code)]]
      if let hours = rule.hours {
        parts.append(
          ["url": .string(hoursPart), "valuePositiveInt": .number(JSONNumber(hours))])
      }
      extensions.append(["url": .string(url), "extension": .array(parts)])
    }
    request["extension"] = extensions.isEmpty ? nil : .array(extensions)
  }
}

/// The advice that the plan's rule gives for one dose at one moment.
package enum MissAdvice: Sendable, Hashable {
  /// It may still be taken until a given time.
  case takeUntil(Timestamp)
  /// The time for it has passed; it is skipped.
  case tooLate(since: Timestamp, next: Timestamp?)
  /// It is skipped.
  case skip(next: Timestamp?)
  /// It may be taken now; the next one not before a given time.
  case shift(hours: Int, nextFrom: Timestamp)
  /// The plan has no rule for this moment: ask a professional.
  case ask

  /// Applies the rule to the dose, by the clock only.
  ///
  /// Once the next dose is due, a rule that delays doses no longer applies, and the advice is to
  /// ask.
  package init(_ rule: MissedDoseAdvice?, for dose: Dose, now: Timestamp) {
    switch rule {
    case nil: self = .ask
    case .skip: self = .skip(next: Self.next(dose, now))
    case .takeUntil(let hours):
      let end = dose.due.adding(milliseconds: Int64(hours) * 3_600_000)
      self = now < end ? .takeUntil(end) : .tooLate(since: end, next: Self.next(dose, now))
    case .shift(let hours):
      if let next = dose.nextDue, next <= now {
        self = .ask
      } else {
        self = .shift(
          hours: hours, nextFrom: now.adding(milliseconds: Int64(hours) * 3_600_000))
      }
    }
  }

  /// Returns the time of the next dose if it is in the future.
  private static func next(_ dose: Dose, _ now: Timestamp) -> Timestamp? {
    dose.nextDue.flatMap { $0 > now ? $0 : nil }
  }
}

/// Queries for rules; the caller has decided access.
package enum MissedDoseAdviceQueries {
  /// Returns the rules of plans, by plan; plans without a rule are left out.
  package static func rules(
    of plans: Set<PlanID>, patient: PatientID, in reader: any SQLReader
  ) throws(PlanError) -> [PlanID: MissedDoseAdvice] {
    try planning {
      var rules: [PlanID: MissedDoseAdvice] = [:]
      for plan in plans {
        rules[plan] = try PlanSnapshot.load(plan, patient: patient, in: reader)
          .flatMap { MissedDoseAdvice($0.request) }
      }
      return rules
    }
  }

  /// Returns the rules of plans, by plan, from a snapshot that other queries share; plans without a
  /// rule are left out.
  package static func rules(
    of plans: Set<PlanID>, of patient: PatientSnapshot
  ) throws(PlanError) -> [PlanID: MissedDoseAdvice] {
    try planning {
      var rules: [PlanID: MissedDoseAdvice] = [:]
      for plan in plans {
        guard let row = try patient.plan(plan),
          patient.mayMention([MissedDoseAdvice.url], in: row)
        else { continue }
        rules[plan] = MissedDoseAdvice(try patient.request(of: row))
      }
      return rules
    }
  }
}

extension PlanClash {
  /// Returns the clash if the rule for a missed dose reaches past the next dose.
  static func ofMiss(_ rule: MissedDoseAdvice?, timeline: PlanTimeline?) -> PlanClash? {
    guard let rule, let hours = rule.hours, let shortest = timeline?.shortestIntervalMilliseconds
    else { return nil }
    let minutes = Int(clamping: shortest / 60_000)
    switch rule {
    case .takeUntil where hours * 60 >= minutes:
      return PlanClash(one: .takeUntil(hours: hours), other: .nextDose(minutes: minutes))
    case .shift where hours * 60 > minutes:
      return PlanClash(one: .waitAfterMiss(hours: hours), other: .nextDose(minutes: minutes))
    case .takeUntil, .skip, .shift:
      return nil
    }
  }
}

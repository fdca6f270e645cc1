// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import People
import Scheduling
import Storage
import TimeZones

/// The question if a prescription without an end is meant only for as long as its supply.
///
/// A sender who states for how long the supply lasts may mean a course of that length, or the first packs
/// of a medicine for life. Only a person can tell.
package struct SupplyQuestion: Sendable, Hashable {
  /// An answer.
  package enum Answer: String, Sendable, Hashable, CaseIterable {
    /// The doses end with the supply.
    case stop
    /// The doses go on until someone stops them.
    case goOn = "go-on"
  }

  /// The time for which the sender says that the supply lasts.
  ///
  /// The end of `validityPeriod` is not one: until then a pharmacy may hand the medicine out.
  package struct Length: Sendable, Hashable {
    /// The number of units.
    package let count: Int
    /// Days, weeks, months or years (UCUM `d wk mo a`).
    package let unit: String
  }

  /// The key in forms and confirmations.
  package static let key = "supply"

  /// The time that the sender states, with all refills.
  package let length: Length
  /// True if the length includes refills.
  package let hasRefills: Bool
  /// The last day with doses if they end with the supply.
  package let lastDay: CivilDate
  /// The positions of the dosages without an end.
  private let endless: Set<Int>

  /// Returns the question about a request; nil if its doses end, or if nothing is said about its supply.
  ///
  /// - Parameter today: the first day, if the request names none.
  package static func of(
    _ request: MedicationRequestView, zone: Zone, today: CivilDate
  ) -> SupplyQuestion? {
    guard let dispense = request.json["dispenseRequest"] else { return nil }
    let anchor = PlanAnchor(instant: zone.startOfDay(today), date: today, zone: zone)
    guard case .rules(let rules) = TimingReader.read(request, anchor: anchor, zone: zone),
      let start = rules.map(\.anchorDate).min()
    else { return nil }
    let endless = Set(rules.filter(\.isEndless).map(\.dosage))
    guard !endless.isEmpty, let (length, hasRefills) = statedLength(dispense) else { return nil }
    let lastDay = end(of: length, from: start)
    return SupplyQuestion(
      length: length, hasRefills: hasRefills, lastDay: lastDay, endless: endless)
  }

  /// The length as it is kept with the answer.
  package var stated: String { "\(length.count) \(length.unit)" }

  /// Returns the confirmation that answers it.
  package func confirmed(by answer: Answer) -> PlanConfirmation {
    PlanConfirmation(question: Self.key, stated: stated, typed: answer.rawValue)
  }

  /// Returns the answer that was given now or earlier for one of the subjects; nil if there is none.
  package func answer(
    among confirmed: [PlanConfirmation] = [], subjects: [String?], patient: PatientID,
    in reader: any SQLReader
  ) throws(StorageError) -> Answer? {
    var known = confirmed
    for case let subject? in subjects {
      known += try PlanConfirmations.all(of: subject, patient: patient, in: reader)
        .map(\.confirmation)
    }
    return known.first { $0.question == Self.key && $0.stated == stated }
      .flatMap { Answer(rawValue: $0.typed) }
  }

  /// Returns a request whose dosages without an end stop with the supply.
  package func ending(_ resource: JSONValue) -> JSONValue {
    guard var dosages = resource["dosageInstruction"]?.array else { return resource }
    for index in endless where dosages.indices.contains(index) {
      var timing = dosages[index]["timing"] ?? .object(JSONObject())
      var repeated = timing["repeat"] ?? .object(JSONObject())
      var period = repeated["boundsPeriod"] ?? .object(JSONObject())
      period["end"] = .string(lastDay.text)
      repeated["boundsRange"] = nil
      repeated["boundsPeriod"] = period
      timing["repeat"] = repeated
      dosages[index]["timing"] = timing
    }
    var ended = resource
    ended["dosageInstruction"] = .array(dosages)
    return ended
  }

  // MARK: Reading

  private static func statedLength(_ dispense: JSONValue) -> (length: Length, hasRefills: Bool)? {
    guard let (count, unit) = span(dispense["expectedSupplyDuration"]) else { return nil }
    let refills = min(max(dispense["numberOfRepeatsAllowed"]?.number?.integer ?? 0, 0), 1_000)
    return (Length(count: count * (refills + 1), unit: unit), refills > 0)
  }

  /// Returns whole days, weeks, months or years; nil for any other duration.
  private static func span(_ duration: JSONValue?) -> (count: Int, unit: String)? {
    guard let duration, duration["comparator"] == nil,
      let count = duration["value"]?.number?.integer, (1...10_000).contains(count)
    else { return nil }
    let names = [duration["code"]?.string, duration["unit"]?.string].compactMap(\.self)
    return names.lazy.compactMap { units[$0.lowercased()] }.first.map { (count, $0) }
  }

  private static let units = [
    "d": "d", "day": "d", "days": "d", "tag": "d", "tage": "d", "dag": "d", "dager": "d",
    "wk": "wk", "week": "wk", "weeks": "wk", "woche": "wk", "wochen": "wk",
    "mo": "mo", "month": "mo", "months": "mo", "monat": "mo", "monate": "mo",
    "a": "a", "year": "a", "years": "a", "jahr": "a", "jahre": "a",
  ]

  private static func end(of length: Length, from start: CivilDate) -> CivilDate {
    switch length.unit {
    case "wk": start.adding(days: 7 * length.count - 1)
    case "mo": start.adding(months: length.count).adding(days: -1)
    case "a": start.adding(months: 12 * length.count).adding(days: -1)
    default: start.adding(days: length.count - 1)
    }
  }
}

extension PlanCommands {
  /// Returns the question if a patient's prescription ends with its supply, answered or not; nil if there is
  /// none.
  package static func supplyQuestion(
    _ request: MedicationRequestView, patient: PatientID, _ context: CommandContext,
    in reader: any SQLReader
  ) throws -> SupplyQuestion? {
    let zone = try context.zones.zone(person(patient, in: reader).zone)
    return SupplyQuestion.of(request, zone: zone, today: zone.date(at: Instant(context.now)))
  }
}

extension PlanRule {
  /// True if its doses go on until someone stops them.
  fileprivate var isEndless: Bool {
    if case .instants = pattern { return false }
    return end == nil && count == nil
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Observations
import Records
import Scheduling
import Storage

/// A measure whose values can be laid beside a medicine.
package enum EffectMeasure: Sendable, Hashable {
  /// Heart rate, steps or weight.
  case vital(VitalMetric)
  /// The number of an Observation with a code, or of its part.
  case observation(ObservationCode, part: ObservationCode?)

  /// The measure as text, for addresses: a metric, or a system and a code, twice for a part.
  package var key: String {
    switch self {
    case .vital(let metric): metric.rawValue
    case .observation(let code, let part):
      [code, part].compactMap(\.self).map { "\($0.system)|\($0.code)" }.joined(separator: "|")
    }
  }

  /// Reads a key; nil for any other text.
  package init?(key: String) {
    if let metric = VitalMetric(rawValue: key) {
      self = .vital(metric)
      return
    }
    let parts = key.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 || parts.count == 4, !parts[1].isEmpty, parts.last?.isEmpty == false
    else { return nil }
    self = .observation(
      ObservationCode(system: parts[0], code: parts[1]),
      part: parts.count == 4 ? ObservationCode(system: parts[2], code: parts[3]) : nil)
  }
}

/// A measure with the name that its values carry.
package struct NamedMeasure: Sendable, Hashable {
  /// The measure.
  package let measure: EffectMeasure
  /// The name in the person's Observations; nil for heart rate, steps and weight, which the catalogues name.
  package let name: String?

  /// Returns the measures that a person has, the vitals first.
  ///
  /// - Parameter part: The Observations that may be seen.
  package static func all(
    of patient: PatientID, sources: [VitalSource], part: ObservationPart = .either,
    in reader: any SQLReader
  ) throws(StorageError) -> [NamedMeasure] {
    var found: [NamedMeasure] = []
    for source in sources where source.isPreferred {
      found.append(NamedMeasure(measure: .vital(source.metric), name: nil))
    }
    var others: [NamedMeasure] = []
    for (code, resource) in try NumericObservations.samples(
      of: patient, part: part, in: reader)
    {
      let name = Self.name(resource["code"])
      if NumericObservations.number(in: resource) != nil {
        others.append(NamedMeasure(measure: .observation(code, part: nil), name: name))
      }
      for component in resource["component"]?.array ?? [] {
        guard let part = ObservationCode(component["code"]),
          NumericObservations.number(in: resource, part) != nil
        else { continue }
        let own = Self.name(component["code"])
        others.append(
          NamedMeasure(
            measure: .observation(code, part: part),
            name: own == name ? own : "\(name): \(own)"))
      }
    }
    others.sort { ($0.name ?? "", $0.measure.key) < ($1.name ?? "", $1.measure.key) }
    return found + others
  }

  private static func name(_ concept: JSONValue?) -> String {
    concept?["text"]?.string ?? concept?["coding"]?[0]?["display"]?.string
      ?? concept?["coding"]?[0]?["code"]?.string ?? ""
  }
}

/// The daily values of a measure.
package struct EffectSeries: Sendable, Hashable {
  /// The measure.
  package let measure: NamedMeasure
  /// The code of the unit of an Observation; empty for vitals and for numbers without one.
  package let unit: String
  /// The number of values that have another unit and are left out.
  package let leftOut: Int
  /// The means of the days with a value, oldest first.
  package let days: [EffectDay]

  /// Returns the daily values between two days.
  ///
  /// Values in another unit than the last one are left out, because they can't be averaged with it.
  ///
  /// - Parameter part: The Observations that may be seen.
  static func load(
    _ measure: NamedMeasure, of patient: PatientID, from first: CivilDate, to last: CivilDate,
    zone: Zone, sources: [VitalSource], part: ObservationPart, in reader: any SQLReader
  ) throws(StorageError) -> EffectSeries {
    switch measure.measure {
    case .vital(let metric):
      let source = sources.first { $0.metric == metric && $0.isPreferred }
      var values: [VitalDayValue] = []
      if let source {
        values = try VitalQueries.days(
          of: source, patient: patient, from: first.text, to: last.text, part: part,
          in: reader)
      }
      return EffectSeries(
        measure: measure, unit: "", leftOut: 0,
        days: values.compactMap { value in
          CivilDate(text: value.day).map {
            EffectDay(day: $0, value: Double(value.thousandths) / 1_000)
          }
        })
    case .observation(let code, let component):
      // A bare date is stored as a day of UTC, which may begin half a day away.
      let numbers = try NumericObservations.numbers(
        code, component: component, of: patient, part: part,
        from: Timestamp(milliseconds: zone.startOfDay(first.adding(days: -1)).milliseconds),
        until: Timestamp(milliseconds: zone.startOfDay(last.adding(days: 2)).milliseconds),
        in: reader)
      return EffectSeries(numbers, of: measure, from: first, to: last, zone: zone)
    }
  }

  /// Creates the daily means of numbers.
  init(
    _ numbers: [ObservationNumber], of measure: NamedMeasure, from first: CivilDate,
    to last: CivilDate, zone: Zone
  ) {
    let unit = numbers.last?.unit ?? ""
    var sums: [CivilDate: (sum: Double, count: Double)] = [:]
    var leftOut = 0
    for number in numbers {
      let instant = Instant(milliseconds: number.at.milliseconds)
      let day = number.isDate ? Zone.utc.date(at: instant) : zone.date(at: instant)
      guard first <= day, day <= last else { continue }
      guard number.unit == unit else {
        leftOut += 1
        continue
      }
      let known = sums[day] ?? (sum: 0, count: 0)
      sums[day] = (sum: known.sum + number.value, count: known.count + 1)
    }
    self.init(
      measure: measure, unit: unit, leftOut: leftOut,
      days: sums.map { EffectDay(day: $0.key, value: $0.value.sum / $0.value.count) }
        .sorted { $0.day < $1.day })
  }

  /// Creates a series.
  package init(measure: NamedMeasure, unit: String, leftOut: Int, days: [EffectDay]) {
    self.measure = measure
    self.unit = unit
    self.leftOut = leftOut
    self.days = days
  }
}

// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Observations
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// All data on which the monitoring of one person's heart rate is based, with the resulting verdicts.
package struct HeartRateFacts: Sendable {
  /// The person's settings.
  package let settings: HeartRateSettings
  /// The limits that were set, the earliest first.
  package let boundaries: [BoundarySetting]
  /// The plans that warnings ask about, and those that could be selected.
  package let plans: MonitoredPlans
  /// The resting heart rate of each day from the source that counts, in beats per minute, by days
  /// since 1970.
  package let values: [Int: Double]
  /// The days, since 1970, with a dose of a monitored plan that is not recorded as taken although
  /// its late window has ended.
  package let missedDays: Set<Int>
  /// The verdicts on all days.
  package let outcome: HeartRateOutcome
  /// The date in the person's time zone.
  package let today: CivilDate
  /// The source whose values count: the selected one, otherwise the one worn on most of the last 28 days; nil
  /// without values.
  package let source: String?
  /// The time at which today's value was measured or calculated; nil if there is none.
  package let measured: Timestamp?
  /// The person's time zone.
  package let zone: Zone

  /// The setting of the limit made last; nil if none was ever made.
  package var boundary: BoundarySetting? { boundaries.last }

  /// The number of years that are judged and drawn.
  static let years = 5

  /// Reads the last five years and judges them.
  package static func load(
    _ patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> HeartRateFacts {
    let settings = try HeartRateRows.settings(patient, in: reader)
    let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
    let today = zone.date(at: Instant(now))
    let from = today.adding(days: -366 * years)
    let plans = try MonitoredPlans.load(settings, of: patient, in: reader)
    let sources = try VitalQueries.sources(patient, in: reader)
    let chosen = sources.first { $0.metric == .restingHeartRate && $0.isChosen }?.source
    let stored = try MonitoredValue.load(patient, from: from, in: reader)
    let steps = try VitalQueries.days(
      .steps, of: patient, from: from.text, to: today.text, in: reader)
    let doses = try MonitoredDose.load(
      plans, of: patient, from: Timestamp(zone.startOfDay(from)), until: now, in: reader)

    var input = HeartRateInput()
    input.settings = settings
    input.boundaries = try HeartRateRows.boundaries(patient, in: reader)
    input.preferredSource = chosen
    input.agent = plans.agent
    input.slot = doses.slot(in: zone)
    input.days =
      HeartRateDays(
        values: stored, steps: steps, doses: doses, settings: settings, zone: zone, now: now,
        answers: try WarningStore.answers(patient, from: from, in: reader)
      ).days
    let source = chosen ?? Self.mostWorn(stored, until: today)
    return HeartRateFacts(
      settings: settings, boundaries: input.boundaries, plans: plans,
      values: Dictionary(
        stored.filter { $0.source == source }.map { ($0.day, $0.bpm) },
        uniquingKeysWith: { first, _ in first }),
      missedDays: Set(
        doses.filter { $0.isInDoubt && $0.lateUntil <= now }.map {
          zone.date(at: Instant($0.due)).daysSinceEpoch
        }), outcome: HeartRateReplay.run(input), today: today, source: source,
      measured: stored.last { $0.day == today.daysSinceEpoch && $0.source == source }?.measured,
      zone: zone)
  }

  /// Returns the plans that a warning asks about, including plans that were still monitored when it asked.
  package static func monitoredPlans(
    of warning: Warning, in reader: any SQLReader
  ) throws(StorageError) -> Set<PlanID> {
    let settings = try HeartRateRows.settings(warning.patient, in: reader)
    let plans = try MonitoredPlans.load(settings, of: warning.patient, in: reader)
    return Set(plans.ids).union(plans.formerly.filter { $0.value >= warning.created }.keys)
  }

  /// Returns the average of the last seven days in beats per minute, and the number of days with a
  /// value; nil without values.
  package func weekAverage() -> (bpm: Double, days: Int)? {
    average(days: 7)
  }

  /// Returns the average of the last days in beats per minute, today included.
  ///
  /// - Parameter days: The number of days to look back.
  /// - Returns: The average and the number of days with a value; nil if none has one.
  package func average(days: Int) -> (bpm: Double, days: Int)? {
    let found = (0..<days).compactMap { values[today.daysSinceEpoch - $0] }
    guard !found.isEmpty else { return nil }
    return (found.reduce(0, +) / Double(found.count), found.count)
  }

  /// Returns the source worn on most days of the last four weeks; of several the first by name.
  private static func mostWorn(_ values: [MonitoredValue], until today: CivilDate) -> String? {
    var counts: [String: Int] = [:]
    for value in values where value.day > today.daysSinceEpoch - 28 {
      counts[value.source, default: 0] += 1
    }
    let lately = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    return lately ?? values.last?.source
  }
}

/// A resting value as it is stored.
struct MonitoredValue: Sendable, Hashable {
  let day: Int
  let source: String
  let bpm: Double
  /// The time of measurement or calculation, whichever is later, but not after it arrived here: a daily value
  /// without a time is dated to the day's end.
  let measured: Timestamp
  /// All values that the watch calculated that day, in order, if there was more than one.
  var readings: [Reading] = []

  struct Reading: Sendable, Hashable {
    let bpm: Double
    let measured: Timestamp
  }

  /// Returns the values by day, then by source.
  static func load(_ patient: PatientID, from: CivilDate, in reader: any SQLReader)
    throws(StorageError) -> [MonitoredValue]
  {
    var found: [MonitoredValue] = []
    for row in try reader.query(valuesStatement, [.text(patient), .text(from.text)]) {
      let row = row.read(MonitoredValueRow.self)
      guard let day = CivilDate(text: try row.text(.day)) else { continue }
      let changed = try row.timestamp(.changed)
      var value = MonitoredValue(
        day: day.daysSinceEpoch, source: try row.text(.source),
        bpm: Thousandths.number(try row.integer(.value)),
        measured: measured(
          at: try row.integer(.at), stamp: try row.integer(.stamp), changed: changed))
      let revisions = try row.optionalBlob(.revisions).flatMap { [VitalRevision](packed: $0) }
      if let revisions {
        value.readings = revisions.compactMap { revision in
          revision.value.map {
            Reading(
              bpm: Thousandths.number($0),
              measured: measured(at: revision.at, stamp: revision.stamp, changed: changed))
          }
        }.sorted { $0.measured < $1.measured }
      }
      found.append(value)
    }
    return found
  }

  private static let valuesStatement = SQLStatement(
    """
    SELECT \(MonitoredValueRow.columns) FROM vital_days
    WHERE patient = $1 AND metric = 'resting-heart-rate' AND day >= $2 AND value IS NOT NULL
    ORDER BY day, source
    """)

  private static func measured(at: Int64, stamp: Int64, changed: Timestamp) -> Timestamp {
    min(Timestamp(milliseconds: max(at, stamp).multipliedClamped(by: 1_000)), changed)
  }
}

/// The columns of a ``MonitoredValue``.
enum MonitoredValueRow: SQLRowType {
  enum Column: Int, SQLColumn { case day, source, value, at, stamp, changed, revisions }

  static let columns = SQLColumns<Column>()
}

/// Combines the stored data day by day.
struct HeartRateDays: Sendable {
  let values: [MonitoredValue]
  let steps: [VitalDayValue]
  /// The doses by due time.
  let doses: [MonitoredDose]
  let settings: HeartRateSettings
  let zone: Zone
  let now: Timestamp
  /// The answers to warnings, by day.
  let answers: [Int: HeartAnswer]

  private static let lookBack: Int64 = 48 * 3_600_000

  var days: [HeartRateInput.Day] {
    let today = zone.date(at: Instant(now)).daysSinceEpoch
    guard let first = values.first?.day, first <= today else { return [] }
    let valuesByDay = Dictionary(grouping: values, by: \.day)
    var stepsByDay: [Int: Int] = [:]
    for value in steps {
      guard let day = CivilDate(text: value.day) else { continue }
      stepsByDay[day.daysSinceEpoch] = Int(clamping: value.thousandths / 1_000)
    }
    let relative = doses.relativeDose(in: zone)
    var dose = 1.0
    var begin = 0
    return (first...today).map { number in
      var day = HeartRateInput.Day(day: number)
      day.values = (valuesByDay[number] ?? []).flatMap { readings($0, isOver: number < today) }
      day.steps = stepsByDay[number]
      // A day whose doses are not planned yet is treated like the day before.
      if let known = relative[number] { dose = known }
      day.dose = dose
      day.answer = answers[number]
      let judged = moment(number)
      let from = judged.adding(milliseconds: -Self.lookBack)
      while begin < doses.count, doses[begin].due <= from { begin += 1 }
      let lately = doses[begin...].prefix { $0.due <= judged }
      if lately.contains(where: \.isInDoubt) { day.doses = .inDoubt }
      return day
    }
  }

  /// Returns the time at which a day is judged: the start of its window.
  private func moment(_ day: Int) -> Timestamp {
    let date = CivilDate(daysSinceEpoch: day)
    let start = zone.startOfDay(date)
    guard let time = ClockTime(hour: settings.window.lowerBound, minute: 0) else {
      return Timestamp(start)
    }
    return Timestamp(zone.instant(of: date, at: time)?.instant ?? start)
  }

  /// Returns the values of a day that count: those calculated within the window, at least ten minutes apart.
  ///
  /// A morning value says little about a dose that was due then. A value calculated again within ten minutes
  /// replaces the earlier one. A past day without a value in the window counts by its daily value.
  private func readings(_ value: MonitoredValue, isOver: Bool) -> [HeartRateInput.Value] {
    let all =
      value.readings.isEmpty ? [.init(bpm: value.bpm, measured: value.measured)] : value.readings
    var counted: [HeartRateInput.Value] = []
    var last: Timestamp?
    for reading in all where reading.measured <= now {
      let local = zone.local(at: Instant(reading.measured))
      guard local.date.daysSinceEpoch == value.day, settings.window.contains(local.time.hour)
      else { continue }
      if let last, reading.measured < last.adding(milliseconds: Self.apart) {
        counted[counted.count - 1].bpm = reading.bpm
        continue
      }
      last = reading.measured
      counted.append(
        .init(
          bpm: reading.bpm, source: value.source,
          hour: Double(local.time.secondsOfDay) / 3_600))
    }
    guard counted.isEmpty, isOver else { return counted }
    return [
      .init(
        bpm: value.bpm, source: value.source, hour: Double(settings.window.lowerBound))
    ]
  }

  /// The minimum time between two readings that count separately, in milliseconds.
  private static let apart: Int64 = 10 * 60_000
}

extension Int64 {
  /// Returns the product, clamped to the range instead of trapping.
  fileprivate func multipliedClamped(by factor: Int64) -> Int64 {
    let (value, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? (self < 0 ? .min : .max) : value
  }
}

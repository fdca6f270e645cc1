// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import HeartRate
import Identifiers
import Observations
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// The content of a report for a visit: the plan, the adherence to it, and other facts that a doctor needs.
package struct ReportContent: Sendable {
  /// A medicine that was taken as needed or in addition to the plan.
  package struct WhenNeeded: Sendable, Hashable {
    /// The name of the medicine.
    package let name: String
    /// The number of days on which it was taken.
    package var days: Int
    /// The number of times it was taken.
    package var times: Int
    /// The time of the last intake.
    package var last: Timestamp

    /// Creates the line of a medicine.
    package init(name: String, days: Int, times: Int, last: Timestamp) {
      self.name = name
      self.days = days
      self.times = times
      self.last = last
    }
  }

  /// A reason that a person gave for not taking doses.
  package struct Reason: Sendable, Hashable {
    /// The reason as it was recorded.
    package let words: String
    /// True if the doses were refused, false if they were skipped.
    package let isRefusal: Bool
    /// The number of doses it was given for.
    package let count: Int
  }

  /// The resting heart rate of one week.
  package struct HeartWeek: Sendable, Hashable {
    /// The Monday of the week.
    package let monday: CivilDate
    /// The average in beats per minute, rounded.
    package let average: Int
    /// The number of days with a value.
    package let days: Int
  }

  /// The heart rate, warnings and weight, for a reader who may see them.
  package struct Vitals: Sendable, Hashable {
    /// The last weeks with a value, at most ten, the earliest first.
    package var weeks: [HeartWeek] = []
    /// The limit that was set last, in beats per minute; nil if it is found from the average.
    package var limit: Int?
    /// The heart rate warnings of the reported days, the latest first.
    package var warnings: [Warning] = []
    /// The latest weight measured by the last day; nil if there is none.
    package var weight: BodyWeight?
  }

  /// The name and other details of the patient.
  package let details: PatientDetails
  /// The first day of the report.
  package let first: CivilDate
  /// The last day of the report, which is included.
  package let last: CivilDate
  /// The time at which the report was made.
  package let now: Timestamp
  /// The patient's time zone.
  package let zone: Zone
  /// The plans in use, and those that ended but have statistics in these days, in the order of their names.
  package let plans: [Plan]
  /// The appearance of the medicines that have one, by plan.
  package let appearances: [PlanID: MedicineAppearance]
  /// The adherence statistics of these days.
  package let statistics: ReportStatistics
  /// The medicines taken as needed or in addition to the plan, by name.
  package let whenNeeded: [WhenNeeded]
  /// The most frequent reasons for not taking doses, at most ten, the most frequent first.
  package let reasons: [Reason]
  /// The heart rate and weight; nil if the reader may not see them.
  package let vitals: Vitals?
  /// The allergies; nil if the reader may not see them.
  package let allergies: [Allergy]?
}

extension ReportContent {
  /// The parts that a reader may see in addition to medicines and doses.
  package struct Reach: Sendable {
    /// The Observations of which the reader may see the heart rate and weight; nil for none.
    package let vitals: ObservationPart?
    /// The permission to read the allergies; nil if there is none.
    package let allergies: SearchAuthorization?

    /// Creates the reach of a reader.
    package init(vitals: ObservationPart?, allergies: SearchAuthorization?) {
      self.vitals = vitals
      self.allergies = allergies
    }
  }

  /// The maximum number of reasons, weeks and warnings.
  private static let most = 10

  /// Reads the report for the days from `first` to `last`, both included.
  ///
  /// The caller has checked that medicines and doses may be seen.
  ///
  /// - Throws: ``PlanError/notFound`` if there is no such patient.
  package static func load(
    _ patient: PatientID, from first: CivilDate, to last: CivilDate, reach: Reach, now: Timestamp,
    zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> ReportContent {
    guard let (details, _) = try PeopleQueries.details(patient, in: reader) else {
      throw PlanError.notFound
    }
    let zone = try zones.zone(details.zone)
    let statistics = try ReportStatistics.between(
      first, last, patient: patient, zone: zone, zoneName: details.zone, now: now, in: reader)
    let plans = try PlanQueries.all(patient: patient, in: reader).filter { plan in
      statistics.plans[plan.id] != nil || !PlanCommands.hasEnded(plan.status)
    }.sorted { ($0.medicineName, $0.id) < ($1.medicineName, $1.id) }
    let from = Timestamp(zone.startOfDay(first))
    let until = Timestamp(zone.startOfDay(last.adding(days: 1)))
    return ReportContent(
      details: details, first: first, last: last, now: now, zone: zone, plans: plans,
      appearances: try AppearanceQueries.all(of: patient, in: reader).compactMapValues(\.look),
      statistics: statistics,
      whenNeeded: try WhenNeeded.all(patient, from: from, until: until, zone: zone, in: reader),
      reasons: try reasons(patient, from: from, until: until, in: reader),
      vitals: try reach.vitals.map {
        try vitals(patient, from: first, to: last, part: $0, in: reader)
      },
      allergies: try reach.allergies.map { try HealthProfileQueries.allergies($0, in: reader) })
  }

  private static func reasons(
    _ patient: PatientID, from: Timestamp, until: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Reason] {
    let rows = try reader.query(
      reasonsStatement, [.text(patient), SQLValue(from), SQLValue(until), SQLValue(most)])
    var reasons: [Reason] = []
    for row in rows {
      let row = row.read(ReportReasonRow.self)
      reasons.append(
        Reason(
          words: try row.text(.reason), isRefusal: try row.bool(.isRefusal),
          count: Int(try row.integer(.count))))
    }
    return reasons
  }

  private static let reasonsStatement = SQLStatement(
    """
    SELECT \(ReportReasonRow.columns)
    FROM doses d JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND d.state IN ('skipped', 'refused')
      AND a.reason IS NOT NULL AND a.reason <> ''
    GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC, 1 LIMIT $4
    """)

  private static func vitals(
    _ patient: PatientID, from first: CivilDate, to last: CivilDate, part: ObservationPart,
    in reader: any SQLReader
  ) throws(StorageError) -> Vitals {
    var weeks: [CivilDate: (sum: Int64, days: Int)] = [:]
    for value in try VitalQueries.days(
      .restingHeartRate, of: patient, from: first.text, to: last.text, part: part, in: reader)
    {
      guard let day = CivilDate(text: value.day) else { continue }
      let monday = StatisticsPeriod.week.start(of: day)
      weeks[monday, default: (0, 0)].sum += value.thousandths
      weeks[monday, default: (0, 0)].days += 1
    }
    var vitals = Vitals()
    vitals.weeks = weeks.sorted { $0.key < $1.key }.suffix(most).map { monday, week in
      let count = Int64(week.days) * 1_000
      return HeartWeek(
        monday: monday, average: Int((week.sum + count / 2) / count), days: week.days)
    }
    vitals.limit = try HeartRateRows.boundaries(patient, in: reader).last?.value
      .map { Int($0.rounded()) }
    vitals.warnings = try HeartRateQueries.warnings(
      of: patient, from: first, limit: 400, in: reader
    ).filter { $0.kind == .heart && $0.day <= last }
      .sorted { ($0.day, $0.created) > ($1.day, $1.created) }
    vitals.weight = try HealthProfileQueries.weights(patient, part: part, in: reader)
      .first { $0.date <= last }
    return vitals
  }
}

extension ReportContent.WhenNeeded {
  /// Returns the medicines taken as needed or in addition to the plan between two instants, in the
  /// order of their names.
  ///
  /// - Parameter only: The plan to read; nil for all of them and for medicines without a plan.
  package static func all(
    _ patient: PatientID, plan only: PlanID? = nil, from: Timestamp, until: Timestamp, zone: Zone,
    in reader: any SQLReader
  ) throws(StorageError) -> [Self] {
    // Counted by quarters of an hour: in every zone, days begin at the start of one.
    let rows = try reader.query(statement, [.text(patient), SQLValue(from), SQLValue(until)])
    var found: [String: Self] = [:]
    for row in rows {
      let row = row.read(WhenNeededRow.self)
      let plan: PlanID = try row.id(.plan)
      let (name, taken) = (try row.text(.medicineName), try row.timestamp(.last))
      let times = Int(clamping: try row.integer(.times))
      guard only == nil || only == plan else { continue }
      let key = plan.text.isEmpty ? "name:\(name)" : plan.text
      guard var medicine = found[key] else {
        found[key] = Self(name: name, days: 1, times: times, last: taken)
        continue
      }
      if zone.date(at: Instant(taken)) != zone.date(at: Instant(medicine.last)) {
        medicine.days += 1
      }
      medicine.times += times
      medicine.last = max(medicine.last, taken)
      found[key] = medicine
    }
    return found.sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }.map(\.value)
  }

  private static let statement = SQLStatement(
    """
    SELECT \(WhenNeededRow.columns) FROM intakes i
    WHERE i.patient = $1 AND i.occurrence IS NULL AND i.taken >= $2 AND i.taken < $3
    GROUP BY COALESCE(i.plan, ''), i.medicine_name, i.taken / 900000
    ORDER BY MIN(i.taken), i.medicine_name
    """)
}

/// A reason given for doses `d`, in answers `a`, with its frequency and last time.
enum ReportReasonRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case reason, isRefusal, count, last
  }

  static let columns = SQLColumns<Column>(
    of: "a",
    [
      .isRefusal: "CASE WHEN d.state = 'refused' THEN 1 ELSE 0 END", .count: "COUNT(*)",
      .last: "MAX(d.due)",
    ])
}

/// The intakes `i` of one medicine within a quarter of an hour.
enum WhenNeededRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, medicineName, last, times
  }

  static let columns = SQLColumns<Column>(
    of: "i", [.plan: "COALESCE(i.plan, '')", .last: "MAX(i.taken)", .times: "COUNT(*)"])
}

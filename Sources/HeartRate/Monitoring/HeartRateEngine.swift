// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Observations
import Plans
import Reminders
import Scheduling
import Storage

/// Judges stored heart rates and asks the person if there is a reason.
///
/// Each patient is one transaction. The key of a warning keeps a second node from asking again.
package enum HeartRateEngine {
  /// Returns the patients to judge now: their next check has come, or new vitals arrived.
  ///
  /// - Parameters:
  ///   - last: The last patient of the page before; empty for the first page. Patients are in the
  ///     order of their identifiers.
  ///   - limit: The maximum number of patients.
  package static func waiting(
    _ now: Timestamp, after last: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID] {
    // The day before yesterday in UTC is no later than yesterday anywhere.
    let day = Zone.utc.date(at: Instant(now)).adding(days: -2).text
    return try HeartRateRows.waiting(now, since: day, after: last, limit: limit, in: reader)
  }

  /// Judges a patient's days, adds warnings with their reminders, and stores when to check next.
  ///
  /// Does nothing while monitoring is off.
  ///
  /// - Returns: True if a warning was added.
  package static func look(
    at patient: PatientID, _ context: ReminderContext, in writer: any SQLWriter
  ) throws -> Bool {
    let now = context.now
    let facts = try HeartRateFacts.load(patient, now: now, zones: context.zones, in: writer)
    guard facts.settings.isOn else { return false }
    var next = facts.nextWindow(after: now)
    var isAsked = try ask(facts, patient, context, in: writer)
    if facts.settings.hasWear {
      let check = try WearFacts.load(patient, facts, now: now, in: writer)
      let second = facts.zone.local(at: Instant(now)).time.secondsOfDay
      switch check.outcome(at: second) {
      case .quiet: break
      case .lookAgain(let later):
        next = min(next, now.adding(milliseconds: Int64(max(60, later - second)) * 1_000))
      case .notice:
        let notice = facts.warning(
          .wear, HeartRateFinding(), id: context.newID(), patient: patient, at: now)
        if try add(notice, context, in: writer) { isAsked = true }
      }
    }
    try HeartRateRows.looked(patient, at: now, next: next, in: writer)
    return isAsked
  }

  /// Asks about today's heart rate, within the window.
  private static func ask(
    _ facts: HeartRateFacts, _ patient: PatientID, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws -> Bool {
    let local = facts.zone.local(at: Instant(context.now))
    guard facts.settings.window.contains(local.time.hour),
      let today = facts.outcome.days.last, today.day == facts.today.daysSinceEpoch, today.isAlert
    else { return false }
    let warning = facts.warning(
      .heart, today.finding, id: context.newID(), patient: patient, at: context.now)
    return try add(warning, context, in: writer)
  }

  private static func add(
    _ warning: Warning, _ context: ReminderContext, in writer: any SQLWriter
  ) throws -> Bool {
    guard try WarningStore.add(warning, in: writer) else { return false }
    let now = context.now
    try ReminderStore.insert(
      ReminderRow(
        patient: warning.patient, subject: ReminderID(warning.id.text),
        kind: warning.kind == .heart ? .warning : .wear, starts: now, due: now,
        ends: now.adding(milliseconds: worthMilliseconds), opened: now), in: writer)
    return true
  }

  /// The time for which a question is sent, in milliseconds: later it would seem to be about another day.
  static let worthMilliseconds: Int64 = 4 * 3_600_000
}

extension HeartRateFacts {
  func warning(
    _ kind: Warning.Kind, _ finding: HeartRateFinding, id: WarningID, patient: PatientID,
    at now: Timestamp
  ) -> Warning {
    Warning(
      patient: patient, id: id, kind: kind, day: today, created: now, method: settings.method,
      isMonitored: !plans.monitored.isEmpty, finding: finding, answer: nil, answered: nil,
      answeredBy: nil, done: nil, doneAt: nil)
  }

  /// Returns the start of the next window.
  func nextWindow(after now: Timestamp) -> Timestamp {
    for days in 0...2 {
      let date = today.adding(days: days)
      guard let time = ClockTime(hour: settings.window.lowerBound, minute: 0),
        let found = zone.instant(of: date, at: time)?.instant
      else { continue }
      if Timestamp(found) > now { return Timestamp(found) }
    }
    return now.adding(milliseconds: 24 * 3_600_000)
  }
}

/// Today's data for the check of the watch.
enum WearFacts {
  static func load(
    _ patient: PatientID, _ facts: HeartRateFacts, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> WearCheck {
    let today = facts.today
    let steps = try samples(.steps, of: patient, on: today, in: reader)
    let beats = try samples(.heartRate, of: patient, on: today, in: reader)
    let lately: Int64? = try reader.first(
      """
      SELECT COUNT(*) FROM vital_days WHERE patient = $1 AND metric = 'heart-rate'
        AND day >= $2 AND day < $3 AND value IS NOT NULL
      """, [.text(patient), .text(today.adding(days: -7).text), .text(today.text)]
    )?.value()
    // A watch and a phone may both count steps: each moment counts once, with the larger number.
    var movements: [Int: Double] = [:]
    for sample in steps {
      movements[sample.second] = max(movements[sample.second] ?? 0, sample.value)
    }
    return WearCheck(
      movements: movements.map { .init(second: $0.key, steps: $0.value) },
      lastHeartRate: beats.map(\.second).max(),
      hasResting: facts.values[today.daysSinceEpoch] != nil,
      isUsuallyMeasured: lately ?? 0 > 0)
  }

  /// Returns the samples of a day from every source, without daily totals, which have no time.
  private static func samples(
    _ metric: VitalMetric, of patient: PatientID, on day: CivilDate, in reader: any SQLReader
  ) throws(StorageError) -> [(second: Int, value: Double)] {
    var found: [(second: Int, value: Double)] = []
    let days: [[UInt8]?] = try reader.query(
      "SELECT samples FROM vital_days WHERE patient = $1 AND metric = $2 AND day = $3",
      [.text(patient), .text(metric.rawValue), .text(day.text)]
    ).values()
    for packed in days {
      guard let samples = packed.flatMap(DaySamples.init(packed:)) else { continue }
      for (second, sample) in samples.bySecond where second != DaySamples.total {
        found.append((second, Double(sample.tenths) / 10))
      }
    }
    return found
  }
}

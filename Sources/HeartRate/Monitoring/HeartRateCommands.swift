// SPDX-License-Identifier: Apache-2.0

import Access
import HeartRateMonitoring
import Identifiers
import Observations
import People
import Plans
import Scheduling
import Storage

/// Changes to the monitoring of a person's heart rate.
package enum HeartRateCommands {
  /// The resource name in audit entries.
  package static let resource = "HeartWatching"

  /// Saves the settings that a person chose.
  ///
  /// Doses that were due before a plan was deselected stay in question.
  ///
  /// - Throws: ``HeartRateError/window``, ``HeartRateError/budget`` or ``HeartRateError/plans`` for
  ///   settings that cannot be chosen, and ``HeartRateError/setByProvider`` if the method, the window or
  ///   the budget changes while a provider's limit is in force.
  package static func save(
    _ settings: HeartRateSettings, of patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    guard settings.window.lowerBound >= 0, settings.window.upperBound <= 24,
      !settings.window.isEmpty
    else { throw HeartRateError.window }
    let before = try HeartRateRows.settings(patient, in: writer)
    guard
      before.budget == settings.budget || HeartRateSettings.budgets.contains(settings.budget)
    else { throw HeartRateError.budget }
    if before.method != settings.method || before.window != settings.window
      || before.budget != settings.budget,
      try isLocked(for: context, patient, in: writer)
    {
      throw HeartRateError.setByProvider
    }
    if let plans = settings.plans {
      let known = Set(try MonitoredPlans.load(before, of: patient, in: writer).all.map(\.plan))
      // A plan that was selected before and has ended since is not a mistake.
      guard known.union(before.plans ?? []).isSuperset(of: plans) else {
        throw HeartRateError.plans
      }
    }
    let monitored = try MonitoredPlans.load(settings, of: patient, in: writer).ids
    let ended = before.isOn ? try MonitoredPlans.load(before, of: patient, in: writer).ids : []
    try HeartRateRows.save(settings, of: patient, at: context.now, in: writer)
    try HeartRateRows.note(
      unmonitored: Set(ended).subtracting(monitored), monitored: monitored, of: patient,
      at: context.now,
      in: writer)
    audit(patient, context, in: writer)
  }

  /// Sets the person's own limit from today on.
  ///
  /// A number keeps its current distance from the average as its gap, so that a limit that follows the
  /// average starts at the number.
  ///
  /// - Parameters:
  ///   - value: the limit in beats per minute, within ``HeartRateSettings/values``; nil finds it from the
  ///     average.
  ///   - gap: the distance above the average in beats per minute, within ``HeartRateSettings/gaps``.
  /// - Throws: ``HeartRateError/setByProvider``, ``HeartRateError/gap`` or ``HeartRateError/value``.
  package static func setOwn(
    _ value: Double?, gap: Double, of patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    if try isLocked(for: context, patient, in: writer) { throw HeartRateError.setByProvider }
    guard HeartRateSettings.gaps.contains(gap) else { throw HeartRateError.gap }
    if let value, !HeartRateSettings.values.contains(value) { throw HeartRateError.value }
    var gap = gap
    if let value {
      let facts = try HeartRateFacts.load(
        patient, now: context.now, zones: context.zones, in: writer)
      let usual = facts.outcome.days.last?.finding.usual ?? facts.average(days: 14)?.bpm
      gap = usual.map { max(HeartRateSettings.gaps.lowerBound, value - $0) } ?? gap
    }
    try add(
      BoundarySetting(
        since: try today(patient, context, in: writer), owner: .own, value: value, gap: gap,
        byName: context.byName, created: context.now), patient, context, in: writer)
  }

  /// Sets a provider's limit from today on.
  ///
  /// - Parameters:
  ///   - value: The limit in beats per minute; ignored with a phase.
  ///   - gap: The distance from the average in beats per minute: 4 to 7 with a phase.
  ///   - phase: Calculates the limit from the average of the last 7 to 14 days that have a value;
  ///     nil takes `value`.
  /// - Throws: ``HeartRateError/noProvider``, ``HeartRateError/gap``, ``HeartRateError/value`` or
  ///   ``HeartRateError/tooFewDays``.
  package static func setAsProvider(
    value: Double?, gap: Double, phase: BoundarySetting.Phase?, of patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    try requireProvider(patient, context)
    var setting: BoundarySetting
    let since = try today(patient, context, in: writer)
    if let phase {
      let facts = try HeartRateFacts.load(
        patient, now: context.now, zones: context.zones, in: writer)
      guard BoundaryCalibration.gap.contains(gap) else { throw HeartRateError.gap }
      let reckoned = try reckon(facts, phase: phase, gap: gap)
      setting = BoundarySetting(
        since: since, owner: .provider, value: reckoned.boundary, gap: gap,
        byName: context.byName, created: context.now)
      setting.calibration = reckoned.calibration
    } else {
      guard let value, HeartRateSettings.values.contains(value) else { throw HeartRateError.value }
      setting = BoundarySetting(
        since: since, owner: .provider, value: value, gap: gap, byName: context.byName,
        created: context.now)
    }
    try add(setting, patient, context, in: writer)
  }

  /// Returns a provider's limit as it would be calculated now, in beats per minute rounded to tenths.
  ///
  /// - Throws: ``HeartRateError/tooFewDays`` if fewer than 7 of the last 28 days have a value, and
  ///   ``HeartRateError/gap`` for a distance that cannot be chosen.
  package static func reckon(
    _ facts: HeartRateFacts, phase: BoundarySetting.Phase, gap: Double
  ) throws(HeartRateError) -> (boundary: Double, calibration: BoundarySetting.Calibration) {
    let averages = facts.lastValues(days: BoundaryCalibration.days.upperBound)
    guard averages.count >= BoundaryCalibration.days.lowerBound else { throw .tooFewDays }
    guard
      let boundary = BoundaryCalibration.provider(
        dailyAverages: averages, phase: phase == .onMedicine ? .onMedicine : .beforeMedicine,
        gap: gap)
    else { throw .gap }
    let rounded = (boundary.value * 10).rounded() / 10
    let average = averages.reduce(0, +) / Double(averages.count)
    return (
      rounded,
      BoundarySetting.Calibration(phase: phase, average: average, days: averages.count)
    )
  }

  /// Ends a provider's limit: from today on the limit is the person's own and found from the average.
  ///
  /// - Throws: ``HeartRateError/noProvider`` unless a provider asks.
  package static func release(
    of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    try requireProvider(patient, context)
    try add(
      BoundarySetting(
        since: try today(patient, context, in: writer), owner: .own, value: nil,
        gap: HeartRateSettings.usualGap, byName: context.byName, created: context.now),
      patient, context, in: writer)
  }

  /// Saves how a provider wants the heart rate judged.
  ///
  /// The person cannot change this while the provider's limit is in force.
  ///
  /// - Parameters:
  ///   - method: The method that judges the days.
  ///   - window: Whole hours of the person's clock, from 0 up to 24, whose values count.
  ///   - budget: The days with a false question in thirty days that the model may cost.
  /// - Throws: ``HeartRateError/noProvider``, ``HeartRateError/window`` or ``HeartRateError/budget``.
  package static func judgeAsProvider(
    _ method: HeartRateMethod, window: Range<Int>, budget: Double, of patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    try requireProvider(patient, context)
    guard window.lowerBound >= 0, window.upperBound <= 24, !window.isEmpty else {
      throw HeartRateError.window
    }
    guard HeartRateSettings.budgets.contains(budget) else { throw HeartRateError.budget }
    var settings = try HeartRateRows.settings(patient, in: writer)
    settings.method = method
    settings.window = window
    settings.budget = budget
    try HeartRateRows.save(settings, of: patient, at: context.now, in: writer)
    audit(patient, context, in: writer)
  }

  /// True if a provider's limit is in force that this actor cannot change.
  ///
  /// It stays in force while the provider who set it looks after the person and sees the heart
  /// rate; after that the person can set a new one.
  package static func isLocked(
    for context: CommandContext, _ patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard !isProvider(patient, context) else { return false }
    return try lockedBy(patient, at: context.now, in: reader) != nil
  }

  /// Returns the name of the provider whose limit is in force; nil if the person can change it.
  package static func lockedBy(
    _ patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> String? {
    let last = try reader.first(lastOwnerStatement, [.text(patient)])?
      .decode(as: BoundaryOwnerRow.self)
    guard let last, last.owner == BoundarySetting.Owner.provider.rawValue else { return nil }
    let grant = try reader.first(
      """
      SELECT 1 FROM grants WHERE patient = $1 AND account = $2 AND relationship = 'practitioner'
        AND ' ' || categories || ' ' LIKE '% heart-rate %' AND starts <= $3
        AND (ends IS NULL OR ends > $3)
      """, [.text(patient), .text(last.account), SQLValue(now)])
    return grant == nil ? nil : last.byName
  }

  private static let lastOwnerStatement = SQLStatement(
    """
    SELECT \(BoundaryOwnerRow.columns) FROM heart_rate_boundaries WHERE patient = $1
    ORDER BY created DESC, boundary DESC LIMIT 1
    """)

  /// True if the heart rate is shared with the actor as a provider.
  package static func isProvider(_ patient: PatientID, _ context: CommandContext) -> Bool {
    isProvider(patient, context.actor)
  }

  /// True if the heart rate is shared with an actor as a provider.
  package static func isProvider(_ patient: PatientID, _ actor: Actor) -> Bool {
    guard let right = actor.rights[patient] else { return false }
    return right.relationship == .practitioner && right.shares(.heartRate)
  }

  // MARK: A person's own wordings

  /// The maximum number of a person's own wordings.
  package static let mostWords = 20

  /// Adds a wording of 1 to 200 characters that is shown in turn with the program's own.
  ///
  /// - Throws: ``HeartRateError/words`` for another length, or if there are ``mostWords`` already.
  package static func addWords(
    _ words: String, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.create, patient: patient, context)
    let trimmed = DraftText.trimmed(words)
    guard (1...200).contains(trimmed.count) else { throw HeartRateError.words }
    guard try HeartRateQueries.words(of: patient, in: writer).count < mostWords else {
      throw HeartRateError.words
    }
    try writer.execute(
      "INSERT INTO heart_rate_messages (patient, message, words, created) VALUES ($1, $2, $3, $4)",
      [.text(patient), .text(context.newIdentifier()), .text(trimmed), SQLValue(context.now)])
    audit(patient, context, in: writer)
  }

  /// Removes one of the person's own wordings.
  ///
  /// - Throws: ``HeartRateError/notFound`` if there is none with this identifier.
  package static func removeWords(
    _ id: WordingID, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.delete, patient: patient, context)
    let count = try writer.execute(
      "DELETE FROM heart_rate_messages WHERE patient = $1 AND message = $2",
      [.text(patient), .text(id)])
    guard count == 1 else { throw HeartRateError.notFound }
    audit(patient, context, in: writer)
  }

  // MARK: Parts

  private static func add(
    _ setting: BoundarySetting, _ patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    try HeartRateRows.add(
      setting, id: context.newIdentifier(), of: patient, by: context.actor.accountID, in: writer)
    audit(patient, context, in: writer)
  }

  private static func requireProvider(_ patient: PatientID, _ context: CommandContext) throws {
    _ = try VitalCommands.authorize(.read, patient: patient, context)
    guard isProvider(patient, context) else { throw HeartRateError.noProvider }
  }

  private static func today(
    _ patient: PatientID, _ context: CommandContext, in reader: any SQLReader
  ) throws -> CivilDate {
    try PeopleQueries.zone(patient, zones: context.zones, in: reader)
      .date(at: Instant(context.now))
  }

  static func audit(_ patient: PatientID, _ context: CommandContext, in writer: any SQLWriter) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .update, patient: patient,
        resource: resource, purpose: context.purpose.rawValue))
  }
}

extension HeartRateFacts {
  /// Returns the values of up to a number of days that have one, the earliest first; none older than four
  /// weeks.
  func lastValues(days: Int) -> [Double] {
    let found = (0..<28).compactMap { values[today.daysSinceEpoch - $0] }
    return found.prefix(days).reversed()
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import HeartRateMonitoring
import Identifiers
import Observations
import People
import Plans
import Scheduling
import Storage

/// Changes of how a person's heart rate is watched.
package enum HeartRateCommands {
  /// What stands in the audit.
  package static let resource = "HeartWatching"

  /// Keeps what a person chose.
  ///
  /// - Throws: ``HeartRateError/setByProvider`` where a provider's limit would be judged another way.
  package static func save(
    _ settings: HeartRateSettings, of patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    guard settings.window.lowerBound >= 0, settings.window.upperBound <= 24,
      !settings.window.isEmpty
    else { throw HeartRateError.window }
    let before = try HeartRateRows.settings(patient, in: writer)
    if before.method != settings.method || before.window != settings.window,
      try isLocked(for: context, patient, in: writer)
    {
      throw HeartRateError.setByProvider
    }
    if let plans = settings.plans {
      let known = Set(try MonitoredPlans.load(before, of: patient, in: writer).all.map(\.plan))
      // One that was chosen before and has ended since is no mistake.
      guard known.union(before.plans ?? []).isSuperset(of: plans) else { throw HeartRateError.plans }
    }
    let monitored = try MonitoredPlans.load(settings, of: patient, in: writer).ids
    let ended = before.isOn ? try MonitoredPlans.load(before, of: patient, in: writer).ids : []
    try HeartRateRows.save(settings, of: patient, at: context.now, in: writer)
    try HeartRateRows.note(
      unmonitored: Set(ended).subtracting(monitored), monitored: monitored, of: patient, at: context.now,
      in: writer)
    audit(patient, context, in: writer)
  }

  /// Sets one's own limit from today on; without a value it is found from the average.
  ///
  /// A number that is to follow the average keeps the distance that it has from it now: else it would leave the
  /// number at once.
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
  /// With a phase it is reckoned from the average of the last 7 to 14 days that have a value; without, it is
  /// the number that was given.
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

  /// A provider's limit as it would be reckoned now.
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

  /// Gives the limit back to the person, by a provider.
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

  /// Keeps how a provider wants the heart rate judged: the method, and the hours of the person's clock whose
  /// values count.
  ///
  /// The person cannot change them while the provider's limit holds.
  package static func judgeAsProvider(
    _ method: HeartRateMethod, window: Range<Int>, of patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    try requireProvider(patient, context)
    guard window.lowerBound >= 0, window.upperBound <= 24, !window.isEmpty else {
      throw HeartRateError.window
    }
    var settings = try HeartRateRows.settings(patient, in: writer)
    settings.method = method
    settings.window = window
    try HeartRateRows.save(settings, of: patient, at: context.now, in: writer)
    audit(patient, context, in: writer)
  }

  /// Whether a provider's limit holds that this actor may not change.
  ///
  /// It holds as long as who set it looks after the person and sees the heart rate; after that the person may set
  /// a new one.
  package static func isLocked(
    for context: CommandContext, _ patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard !isProvider(patient, context) else { return false }
    return try lockedBy(patient, at: context.now, in: reader) != nil
  }

  /// Who locked the limit, by name; nil where the person may change it.
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

  /// Whether the heart rate is shared with the actor as a provider.
  package static func isProvider(_ patient: PatientID, _ context: CommandContext) -> Bool {
    guard let right = context.actor.rights[patient] else { return false }
    return right.relationship == .practitioner && right.shares(.heartRate)
  }

  // MARK: Words of one's own

  package static let mostWords = 20

  /// Adds words that are shown in turn with those of the program.
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

  /// Removes words of one's own.
  package static func removeWords(
    _ id: String, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
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
  /// The values of the last days that have one, at most so many, the earliest first; none older than four
  /// weeks.
  func lastValues(days: Int) -> [Double] {
    let found = (0..<28).compactMap { values[today.daysSinceEpoch - $0] }
    return found.prefix(days).reversed()
  }
}

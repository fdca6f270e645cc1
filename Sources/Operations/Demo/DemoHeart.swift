// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HeartRate
import HeartRateMonitoring
import Identifiers
import Observations
import People
import Presentation
import Scheduling
import Storage

/// The heart rate of someone who takes a beta-blocker and wears a watch: it rises for a day or two
/// after a missed dose, and now and then for other reasons.
struct DemoHeart: Sendable {
  static let source = "Watch"
  /// The minute of the day at which the watch has calculated the value.
  private static let measured = 15 * 60 + 20
  private static let restingBeats = 61.0
  private static let beatsOfAMissedDose = 9.0

  /// The day from which the heart rate is monitored.
  let monitoredFrom: Int
  /// The practitioner who sets the limit.
  let provider: Account
  private var strain = 0.0

  init(monitoredFrom: Int, provider: Account) {
    self.monitoredFrom = monitoredFrom
    self.provider = provider
  }

  /// Records whether a dose of the beta-blocker was taken.
  mutating func dose(isTaken: Bool) {
    strain = isTaken ? strain * 0.35 : Self.beatsOfAMissedDose
  }

  /// Adds a measurement, and asks and answers the monitoring's questions.
  func live(
    _ day: Int, _ date: CivilDate, chance: Double, _ story: DemoStory, in writer: any SQLWriter
  ) throws {
    let at = story.instant(date, minutes: Self.measured)
    guard at < story.now else { return }
    let context = story.context(at: at)
    _ = try VitalCommands.take(
      VitalBatch([sample(day, date, chance: chance, at: at, in: story.zone)]),
      patient: story.patient, context: context, in: writer)
    if day == monitoredFrom { try begin(context, of: story.patient, in: writer) }
    guard day > monitoredFrom else { return }
    let asked = at.adding(milliseconds: 60_000)
    guard asked < story.now else { return }
    if try HeartRateEngine.look(
      at: story.patient, story.environment.reminderContext(at: asked), in: writer)
    {
      try answer(on: date, story, at: asked.adding(milliseconds: 25 * 60_000), in: writer)
    }
  }

  private func sample(
    _ day: Int, _ date: CivilDate, chance: Double, at: Timestamp, in zone: Zone
  ) -> VitalSample {
    // A slow seasonal wave with daily noise.
    let wave = Double(day % 60 < 30 ? day % 30 : 30 - day % 30) / 15
    let beats = (Self.restingBeats + wave + strain + (chance - 0.5) * 3).rounded()
    let seconds = at.milliseconds / 1000
    let local = zone.local(at: Instant(milliseconds: at.milliseconds))
    let second = Int(local.time.secondsOfDay)
    let ahead = Int(date.daysSinceEpoch) * 86_400 + second - Int(seconds)
    return VitalSample(
      metric: .restingHeartRate, day: date.text, second: second, at: seconds, zoneOffset: ahead,
      stamp: seconds, thousandths: Int64(beats) * 1000, source: Self.source)
  }

  private func begin(_ context: CommandContext, of patient: PatientID, in writer: any SQLWriter)
    throws
  {
    var settings = HeartRateSettings()
    settings.isOn = true
    settings.method = .boundary
    settings.hasWear = false
    settings.news = HeartRateSettings.latestNews
    try HeartRateCommands.save(settings, of: patient, context, in: writer)
    try HeartRateCommands.setAsProvider(
      value: nil, gap: BoundaryCalibration.gap.lowerBound, phase: .onMedicine, of: patient,
      CommandContext(
        actor: Actor(
          accountID: provider.id, kind: .session, relationships: [patient: .practitioner],
          scope: .session),
        byName: provider.displayName, now: context.now, newIdentifier: context.newIdentifier,
        zones: context.zones, consequences: context.consequences),
      in: writer)
  }

  /// Answers as the person would: No after a missed dose, and handles it alone.
  private func answer(
    on date: CivilDate, _ story: DemoStory, at moment: Timestamp, in writer: any SQLWriter
  ) throws {
    guard moment < story.now,
      let warning = try HeartRateQueries.open(of: story.patient, on: date, in: writer)
    else { return }
    let context = story.context(at: moment)
    let isMissed = strain > Self.beatsOfAMissedDose / 4
    _ = try WarningCommands.answer(isMissed ? .no : .yes, to: warning.id, context, in: writer)
    if isMissed {
      _ = try WarningCommands.remind(inHours: nil, of: warning.id, context, in: writer)
    }
  }
}

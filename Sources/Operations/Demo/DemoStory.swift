// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Identifiers
import Localization
import People
import Plans
import Records
import Scheduling
import Storage
import TimeZones
import Web

/// The habits of a person of the demonstration.
struct DemoLife: Sendable {
  var medicines: [DemoMedicines.Medicine]
  /// The number of days of history.
  var days: Int
  /// The relationship of whoever answers the doses: the person or a guardian.
  var relationship = Relationship.self_
  /// The probability of a missed dose, relative to the most careful person.
  var forgetfulness = 1.0
  var hasSpray = false
}

/// The history of one person, created day by day.
struct DemoStory: Sendable {
  /// The number of random values from 0 to 1 for each day.
  static let chancesPerDay = 80

  let patient: PatientID
  let account: Account
  let zone: Zone
  let first: CivilDate
  /// The start of the demonstration; nothing happens after it.
  let now: Timestamp
  let localizer: Localizer
  let environment: ServerEnvironment
  let life: DemoLife
  var heart: DemoHeart?
  /// The plans by the names of their medicines.
  private var plans: [String: PlanID] = [:]

  private var zones: ZoneCatalog { environment.zones }

  init(
    _ life: DemoLife, patient: PatientID, account: Account, zone: Zone, first: CivilDate,
    now: Timestamp, localizer: Localizer, environment: ServerEnvironment
  ) {
    self.life = life
    self.patient = patient
    self.account = account
    self.zone = zone
    self.first = first
    self.now = now
    self.localizer = localizer
    self.environment = environment
  }

  /// Creates one day: medicines begin and end, doses are answered or missed.
  mutating func live(_ day: Int, chances: [Double], in writer: any SQLWriter) throws {
    let date = first.adding(days: day)
    try turns(of: day, date, in: writer)
    _ = try PlanCommands.extendHorizon(
      now: min(instant(date, minutes: 5), now), limit: 1000, zones: zones, in: writer)
    let listing = try DoseQueries.listing(
      patient: patient, from: instant(date, minutes: 0),
      until: instant(date.adding(days: 1), minutes: 0), now: now, zones: zones, in: writer)
    let ofTheHeart = chances.last ?? 0.5
    var chances = chances[...]
    // Doses at the same time share their outcome: someone who forgets, forgets the whole box.
    var moods: [Timestamp: Double] = [:]
    for dose in listing.doses where dose.state != .cancelled && dose.due < now {
      guard let own = chances.popFirst(), let shared = chances.popFirst() else { return }
      let mood = moods[dose.due] ?? shared
      moods[dose.due] = mood
      let isTaken = try answer(dose, on: date, day: day, mood: mood, own: own, in: writer)
      if dose.plan == plans[DemoMedicines.betaBlocker] { heart?.dose(isTaken: isTaken) }
    }
    if life.hasSpray { try sprayWhenNeeded(day, date, in: writer) }
    try heart?.live(day, date, chance: ofTheHeart, self, in: writer)
  }

  // MARK: Medicines

  private mutating func turns(of day: Int, _ date: CivilDate, in writer: any SQLWriter) throws {
    let morning = context(at: instant(date, minutes: 7 * 60))
    for medicine in life.medicines {
      if medicine.begins == day {
        plans[medicine.name] = try PlanCommands.add(
          medicine.draft(from: date), patient: patient, context: morning, in: writer
        ).id
        if let plan = plans[medicine.name], let look = try medicine.look.look() {
          try AppearanceCommands(patient: patient, context: morning).keep(
            look, ofPlan: plan, in: writer)
        }
      }
      guard let plan = plans[medicine.name] else { continue }
      if medicine.stops == day {
        _ = try PlanCommands.stop(
          plan, reason: localizer.text("demo.stop-reason"), context: morning, in: writer)
      }
      if let before = medicine.pausedBeforeEnd, day == life.days - before {
        _ = try PlanCommands.pause(
          plan, reason: localizer.text("demo.pause-reason"), context: morning, in: writer)
      }
    }
    if day == life.days - DemoStock.days, let plan = plans[DemoMedicines.betaBlocker] {
      try DemoStock.begin(
        plan, patient: patient, on: date, context: context(at: instant(date, minutes: 6 * 60)),
        in: writer)
    }
    if day == 10, life.hasSpray {
      let spray = DemoMedicines(localizer: localizer).asNeeded(patient: patient)
      let received = try PlanCommands.receive(
        spray, id: nil, ifVersion: nil, context: morning, in: writer)
      plans[DemoMedicines.asNeededName] = PlanID(received.record.id)
    }
  }

  private func sprayWhenNeeded(_ day: Int, _ date: CivilDate, in writer: any SQLWriter) throws {
    let moment = instant(date, minutes: 15 * 60 + day % 90)
    guard [23, 61, 62, 118, 171].contains(day), moment < now,
      let plan = plans[DemoMedicines.asNeededName]
    else { return }
    _ = try IntakeCommands.record(
      AdministrationRequest(
        patient: patient, medicine: plan.text, at: moment,
        amount: Amount(value: "1", unit: "puff"), confirm: true),
      context: context(at: moment), in: writer)
  }

  // MARK: Answers

  /// Records an answer: mornings go well, evenings less so, and two weeks of travel worst; it
  /// improves with time.
  ///
  /// - Returns: True if the dose was taken.
  private func answer(
    _ dose: Dose, on date: CivilDate, day: Int, mood: Double, own: Double, in writer: any SQLWriter
  ) throws -> Bool {
    let minutes = zone.local(at: Instant(milliseconds: dose.due.milliseconds)).time.hour * 60
    let isEvening = minutes >= 17 * 60
    let isAway = (88..<101).contains(day)
    let care = (1 - Double(day) / Double(life.days) * 0.5) * life.forgetfulness
    let missed = (isEvening ? 0.07 : 0.025) * care + (isAway ? 0.12 : 0)
    let late = missed + (isEvening ? 0.06 : 0.04) + (isAway ? 0.1 : 0)
    if mood < missed { return false }
    if own < 0.012 {
      let reasons = ["unwell", "doctor", "ran-out"]
      let reason = localizer.text(
        MessageKey("dose.reason.\(reasons[day % reasons.count])"))
      try give(
        AnswerRequest(action: .skipped, reason: reason), to: dose, after: 10 + own * 1000,
        in: writer)
      return false
    }
    if own > 0.993 {
      try give(AnswerRequest(action: .refused), to: dose, after: 5, in: writer)
      return false
    }
    let delay = mood < late ? 70 + mood * 600 : own * 34 - 4
    guard let answered = try give(AnswerRequest(action: .taken), to: dose, after: delay, in: writer)
    else { return false }
    if (0.48..<0.486).contains(own) {
      try correct(answered, after: delay, in: writer)
    }
    return true
  }

  /// Corrects an answer: the dose was taken half an hour later than first recorded.
  private func correct(_ dose: Dose, after delay: Double, in writer: any SQLWriter) throws {
    let at = dose.due.adding(milliseconds: Int64((delay + 30) * 60_000))
    guard at < now else { return }
    _ = try AnswerCommands.answer(
      dose.id, patient: patient,
      AnswerRequest(action: .taken, at: at, corrects: dose.version, confirm: true),
      context: context(at: at.adding(milliseconds: 120_000)), in: writer)
  }

  /// Records an answer some minutes after the dose was due, unless that is in the future.
  @discardableResult
  private func give(
    _ request: AnswerRequest, to dose: Dose, after minutes: Double, in writer: any SQLWriter
  ) throws -> Dose? {
    let at = dose.due.adding(milliseconds: Int64(minutes * 60) * 1000)
    guard at < now else { return nil }
    var request = request
    request.at = at
    request.confirm = true
    return try AnswerCommands.answer(
      dose.id, patient: patient, request, context: context(at: at), in: writer)
  }

  // MARK: Time

  func instant(_ date: CivilDate, minutes: Int) -> Timestamp {
    Timestamp(milliseconds: zone.startOfDay(date).milliseconds)
      .adding(milliseconds: Int64(minutes) * 60_000)
  }

  func context(at moment: Timestamp) -> CommandContext {
    environment.commandContext(
      for: Actor(
        accountID: account.id, kind: .session, relationships: [patient: life.relationship],
        scope: .session),
      byName: account.displayName, now: moment)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Identifiers
import Localization
import People
import Plans
import Storage
import Web

/// A preview of the doses that saving a medicine form would give.
///
/// Nothing is saved.
package struct MedicineTrial: Error, Sendable {
  /// The number of days shown, including today.
  static let days = 3

  /// The plan as it would be saved.
  package let plan: Plan
  let now: Timestamp
  /// The coming doses within the days of the preview.
  package let doses: [Dose]
  /// The time of the first dose if it is after those days; nil otherwise, or if there is none.
  package let firstDue: Timestamp?
  /// The doses that saving would move; nil for a new medicine.
  let moves: [DoseMove]?
  /// Today's doses whose times had passed before they were saved.
  var passed: [PassedDoses.OfPlan] = []
  /// The amounts by day, if the preview was asked for a calendar.
  package var calendar: PlanCalendar?

  /// Previews a save in a transaction that is rolled back, so that the doses shown are those that
  /// saving would give, including anchor, slots and intakes.
  ///
  /// - Parameters:
  ///   - stored: The plan that the form changes; nil for a new medicine.
  ///   - calendarDays: The number of days in the calendar of amounts; nil for none.
  package static func run(
    for patient: PatientID, replacing stored: PlanID? = nil, clock: MedicineClock,
    context: CommandContext, calendarDays: Int? = nil, in database: Database,
    save: @escaping @Sendable (any SQLWriter) throws -> Plan
  ) async throws -> MedicineTrial {
    do {
      try await database.write { (writer) throws -> Void in
        let before = try stored.map { try toCome($0, patient: patient, clock, context, writer) }
        let moved = try DoseRescheduling.moved(by: patient, dueAfter: context.now, in: writer)
        let plan = try save(writer)
        let after = try toCome(plan.id, patient: patient, clock, context, writer)
        let upcoming = try UpcomingDoses.read(
          plan, patient: patient, days: days, clock: clock, now: context.now,
          zones: context.zones, in: writer)
        var trial = MedicineTrial(
          plan: plan, now: context.now, doses: upcoming.doses, firstDue: upcoming.firstDue,
          moves: before.map {
            DoseRescheduling.between(
              $0, after, moved: moved, until: clock.startOfDay(context.now, days: days))
          })
        trial.passed = try PassedDoses.today(
          of: patient, plan: plan.id, now: context.now, zones: context.zones, in: writer)
        let first = upcoming.doses.first?.due ?? upcoming.firstDue
        trial.calendar = try calendarDays.flatMap { days in
          try PlanCalendar.read(
            plan, patient: patient, days: days, first: first,
            clock: clock, context: context, in: writer)
        }
        throw trial
      }
    } catch let trial as MedicineTrial {
      return trial
    }
    throw Failure.notFound
  }

  /// Returns the sentences that list today's passed doses; empty if there are none.
  package func passedText(_ clock: MedicineClock) -> Markup {
    let words = DoseFormatter(localizer: clock.localizer, zone: clock.zone, now: now)
    let lines = passed.map { passed in
      clock.localizer.text(
        "medicines.passed.preview", ["times": .text(words.times(of: passed))])
    }
    return "\(each: lines, { "<p><strong>\($0)</strong></p>" })"
  }

  /// Returns the doses of a plan in the days shown, with a margin.
  private static func toCome(
    _ plan: PlanID, patient: PatientID, _ clock: MedicineClock, _ context: CommandContext,
    _ reader: any SQLReader
  ) throws -> [Dose] {
    try DoseQueries.listing(
      patient: patient, from: context.now, until: clock.startOfDay(context.now, days: days + 2),
      now: context.now, zones: context.zones, in: reader
    ).doses.filter { $0.plan == plan }
  }
}

/// The card that shows a preview of a medicine, with the button that saves it.
package struct MedicineTrialCard: PagePart {
  /// The preview to show.
  package let trial: MedicineTrial
  /// The formatter of days and times in the patient's zone.
  package let clock: MedicineClock
  /// The name of the patient for the button, if the account has several; nil otherwise.
  package var person: String?
  /// The label of the button; nil for "Save".
  package var saves: String?

  /// Creates the card of a preview.
  package init(
    trial: MedicineTrial, clock: MedicineClock, person: String? = nil, saves: String? = nil
  ) {
    self.trial = trial
    self.clock = clock
    self.person = person
    self.saves = saves
  }

  private var localizer: Localizer { clock.localizer }

  /// The card with dosage, doses, calendar, moved doses and the button.
  package var markup: Markup {
    let words = DosageFormatter(trial.plan.request, language: localizer.language)
    return """
      <section aria-labelledby="preview-title" class="card"><h2 class="card-title" \
      id="preview-title" tabindex="-1">\(localizer.text("medicines.preview.title"))</h2>\
      <p>\(words.sentence)</p>\(reason)\(trial.passedText(clock))\(doses)\(trial.calendar?.markup(clock))\(moves)\
      <p class="muted">\(localizer.text("medicines.preview.not-saved"))</p>\
      \(ButtonRow("""
        \(Button(saves ?? localizer.text("medicines.form.save"), icon: .check, person: person))
        """))</section>
      """
  }

  private var reason: Markup? {
    trial.plan.unplanned.map { reason in
      "<p>\(localizer.text("medicines.no-reminders", ["reason": .text(reason.text(localizer))]))</p>"
    }
  }

  private var moves: Markup {
    guard let moves = trial.moves, !moves.isEmpty else { return Markup() }
    return """
      <h3>\(localizer.text("medicines.moves.title"))</h3>\
      \(DoseReschedulingPart(moves: moves, before: clock, after: clock, isOfOneMedicine: true))
      """
  }

  private var doses: Markup {
    if !trial.doses.isEmpty {
      return DosesByDay(doses: trial.doses, clock: clock, areStored: false).markup
    }
    guard let first = trial.firstDue else {
      return "<p>\(localizer.text("medicines.no-more-doses"))</p>"
    }
    return """
      <p>\(localizer.text("medicines.preview.none-yet", ["when": .text(clock.text(first))]))</p>
      """
  }
}

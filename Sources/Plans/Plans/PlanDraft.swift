// SPDX-License-Identifier: Apache-2.0
import Localization
import Scheduling

/// A medicine as a person enters it in the form.
package struct PlanDraft: Sendable, Hashable {
  /// The name as typed.
  package var medicineName: String
  /// The form of the medicine; nil if none was chosen.
  package var form: MedicineForm?
  /// The strength of one unit, a decimal as typed; nil for none.
  package var strengthValue: String?
  /// The unit of the strength, such as "mg"; nil for none.
  package var strengthUnit: String?
  /// The dose, a decimal as typed.
  package var doseValue: String
  /// The unit of the dose, the raw value of a `DoseUnit`.
  package var doseUnit: String
  /// Several tablets for one dose, as typed: `1 x 5 + 1 x 2.5`; nil for a plain amount.
  package var mix: String?
  /// The times at which it is taken.
  package var schedule: DraftSchedule
  /// The first day.
  package var start: CivilDate
  /// The last day; nil for no end.
  package var end: CivilDate?
  /// Further instructions as typed, at most 1,000 characters; nil for none.
  package var instruction: String?
  /// The instruction about food; nil leaves the one that the request has.
  package var food: FoodInstruction?
  /// The rule for its doses when the patient's time zone changes.
  package var policy: ZonePolicy
  /// The limits on doses and amounts.
  package var limits: DraftLimits
  /// The rule for a missed dose; nil if the person does not know one.
  package var missedDoseAdvice: MissedDoseAdvice?
  /// The reasons for which contraindications were set aside, added to those that the request
  /// already has.
  package var contraindicationNotes: [ContraindicationNote] = []
  /// The warnings that the person confirmed; stored in `plan_confirmations`.
  package var confirmations: [PlanConfirmation] = []

  /// Creates a draft without confirmations and notes.
  package init(
    medicineName: String, form: MedicineForm? = nil, strengthValue: String? = nil,
    strengthUnit: String? = nil, doseValue: String, doseUnit: String, schedule: DraftSchedule,
    start: CivilDate, end: CivilDate? = nil, instruction: String? = nil,
    policy: ZonePolicy = .follow, limits: DraftLimits = DraftLimits(),
    missedDoseAdvice: MissedDoseAdvice? = nil
  ) {
    self.medicineName = medicineName
    self.form = form
    self.strengthValue = strengthValue
    self.strengthUnit = strengthUnit
    self.doseValue = doseValue
    self.doseUnit = doseUnit
    self.schedule = schedule
    self.start = start
    self.end = end
    self.instruction = instruction
    self.policy = policy
    self.limits = limits
    self.missedDoseAdvice = missedDoseAdvice
  }

  /// The slots that the form's times came from, by time.
  var namedSlots: [SlotTime: Int] {
    var named: [SlotTime: Int] = [:]
    switch schedule {
    case .times(let times, _), .everyDays(_, let times):
      for time in times { if let slot = time.slot { named[.clock(time.time)] = slot } }
    case .meals(let meals, _):
      for meal in meals { if let slot = meal.slot { named[meal.slotTime] = slot } }
    case .cycle(let cycle):
      for time in cycle.times { if let slot = time.slot { named[.clock(time.time)] = slot } }
    case .steps(let steps):
      for time in steps.flatMap(\.times) {
        if let slot = time.slot, named[.clock(time.time)] == nil {
          named[.clock(time.time)] = slot
        }
      }
    case .varying(let entries):
      for entry in entries {
        if let slot = entry.time.slot, named[.clock(entry.time.time)] == nil {
          named[.clock(entry.time.time)] = slot
        }
      }
    case .spread(let spread):
      for (time, slot) in zip(spread.times.sorted(), spread.slots) { named[.clock(time)] = slot }
    case .everyHours, .asNeeded, .afterIntake: break
    }
    return named
  }
}

/// The form in which a medicine is taken.
package enum MedicineForm: String, Sendable, Hashable, CaseIterable {
  case tablet, capsule, drops, liquid, puff, injection, patch, sachet, suppository, cream, spray
  case other
}

/// The times at which a medicine is taken, in the form's terms.
package enum DraftSchedule: Sendable, Hashable {
  case times([DraftTime], weekdays: Set<Weekday>)
  case everyHours(Int, first: ClockTime)
  case everyDays(Int, times: [DraftTime])
  case meals([DraftMeal], weekdays: Set<Weekday>)
  /// Taken as needed, with an optional reason; nothing rings.
  case asNeeded(reason: String?)
  case cycle(DraftCycle)
  /// Consecutive steps, the first of which begins with the draft.
  case steps([DraftStep])
  case varying([DraftEntry])
  case spread(DraftSpread)
  case afterIntake(DraftInterval)

  var isAsNeeded: Bool {
    if case .asNeeded = self { true } else { false }
  }
}

/// A time of day, with the slot that it had when the form was opened.
package struct DraftTime: Sendable, Hashable {
  /// The slot; nil for a new time.
  package var slot: Int?
  /// The time of day.
  package var time: ClockTime

  /// Creates a time.
  package init(slot: Int? = nil, time: ClockTime) {
    self.slot = slot
    self.time = time
  }
}

/// An event of the person's day, with the slot that it had when the form was opened.
package struct DraftMeal: Sendable, Hashable {
  /// The slot; nil for a new time.
  package var slot: Int?
  /// The event, such as before breakfast.
  package var event: DayEvent
  /// The minutes before or after the event; nil for the usual distance.
  package var offsetMinutes: Int?

  /// Creates a meal time.
  package init(slot: Int? = nil, event: DayEvent, offsetMinutes: Int? = nil) {
    self.slot = slot
    self.event = event
    self.offsetMinutes = offsetMinutes
  }

  var slotTime: SlotTime { .event(event, offsetMinutes: offsetMinutes) }
}

extension DraftSchedule {
  /// True if it counts hours regardless of the clock; a schedule within waking hours does not.
  package var countsHours: Bool {
    switch self {
    case .everyHours: true
    case .afterIntake(let hours): hours.waking == nil
    default: false
    }
  }
}

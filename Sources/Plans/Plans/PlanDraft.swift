// SPDX-License-Identifier: Apache-2.0
import Localization
import Scheduling

/// A medicine as a person types it into the form.
package struct PlanDraft: Sendable, Hashable {
  package var medicineName: String
  package var form: MedicineForm?
  /// A decimal as typed.
  package var strengthValue: String?
  package var strengthUnit: String?
  /// A decimal as typed.
  package var doseValue: String
  /// The raw value of a `DoseUnit`.
  package var doseUnit: String
  /// Several tablets for one dose, as typed: `1 x 5 + 1 x 2.5`.
  package var mix: String?
  package var schedule: DraftSchedule
  package var start: CivilDate
  /// The last day.
  package var end: CivilDate?
  package var instruction: String?
  package var policy: ZonePolicy
  /// What it allows at most.
  package var limits: DraftLimits
  /// What to do about a forgotten dose, where the person knows it.
  package var missedDoseAdvice: MissedDoseAdvice?
  /// Why what speaks against it was set aside; added to what the request holds already.
  package var contraindicationNotes: [ContraindicationNote] = []
  /// The warnings that the person confirmed; stored in `plan_confirmations`.
  package var confirmations: [PlanConfirmation] = []

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

/// What a medicine looks like.
package enum MedicineForm: String, Sendable, Hashable, CaseIterable {
  case tablet, capsule, drops, liquid, puff, injection, patch, sachet, suppository, cream, spray
  case other
}

/// When a medicine is taken, in the form's own terms.
package enum DraftSchedule: Sendable, Hashable {
  case times([DraftTime], weekdays: Set<Weekday>)
  case everyHours(Int, first: ClockTime)
  case everyDays(Int, times: [DraftTime])
  case meals([DraftMeal], weekdays: Set<Weekday>)
  /// Taken when needed, with what for; nothing rings.
  case asNeeded(reason: String?)
  case cycle(DraftCycle)
  /// Steps one after the other, the first of which begins with the draft.
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
  package var slot: Int?
  package var time: ClockTime

  package init(slot: Int? = nil, time: ClockTime) {
    self.slot = slot
    self.time = time
  }
}

/// An event of the person's day, with the slot that it had when the form was opened.
package struct DraftMeal: Sendable, Hashable {
  package var slot: Int?
  package var event: DayEvent
  /// Minutes before or after, as the event says; nil for the usual.
  package var offsetMinutes: Int?

  package init(slot: Int? = nil, event: DayEvent, offsetMinutes: Int? = nil) {
    self.slot = slot
    self.event = event
    self.offsetMinutes = offsetMinutes
  }

  var slotTime: SlotTime { .event(event, offsetMinutes: offsetMinutes) }
}

extension DraftSchedule {
  /// Whether it counts hours, whatever the clock says; what keeps to the hours awake does not.
  package var countsHours: Bool {
    switch self {
    case .everyHours: true
    case .afterIntake(let hours): hours.waking == nil
    default: false
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
import Localization
import Scheduling

/// A reason for which a request is stored but gives no doses and no reminders.
package enum UnplannedReason: Sendable, Hashable {
  /// The status, a MedicationRequest.status code, is not `active`.
  case status(String)
  /// The intent, a MedicationRequest.intent code, does not ask for the medicine to be taken.
  case intent(String)
  /// The request says that the medicine must not be taken.
  case doNotPerform
  /// A modifierExtension or implicitRules may change the meaning.
  case unknownModifier
  /// A dosage consists only of text; it is quoted, never parsed.
  case textOnly
  /// A dosage is taken as needed.
  case asNeeded
  /// An element of the Timing that this program does not expand.
  case unsupportedTiming(element: String)
  /// An element of the Timing is valid in form but has no meaning as a schedule.
  case invalidTiming(element: String)
  /// No dosage, or a Timing without any pattern.
  case nothingToExpand
  /// No dose can ever fall within the bounds.
  case neverFires
  /// The bounds had passed before it arrived; carries their last day. A plan that gave doses and has run
  /// out has no reason.
  case ended(on: CivilDate)
  /// Two dosages count hours, so that their doses could not be told apart.
  case severalIntervals
  /// Dosages follow one another.
  case sequence
  /// There are more doses than a person can take.
  case tooFrequent
  /// The zone that the plan runs in is not among the system's zone files.
  case unknownZone
  /// The schedule is more frequent than the medicine's rule and unconfirmed; carries the id of the rule.
  case tooOften(rule: String)

  /// The form stored in `plans.unplanned_reason` and returned by the API: `code` or `code:detail`.
  package var code: String {
    detail.map { "\(name):\($0)" } ?? name
  }

  /// Reads the form of ``code``; nil for an unknown code.
  package init?(code: String) {
    let parts = code.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let detail = parts.count == 2 ? String(parts[1]) : nil
    switch (parts[0], detail) {
    case ("status", let detail?): self = .status(detail)
    case ("intent", let detail?): self = .intent(detail)
    case ("unsupported-timing", let detail?): self = .unsupportedTiming(element: detail)
    case ("invalid-timing", let detail?): self = .invalidTiming(element: detail)
    case ("too-often", let detail?): self = .tooOften(rule: detail)
    case ("do-not-perform", nil): self = .doNotPerform
    case ("unknown-modifier", nil): self = .unknownModifier
    case ("text-only", nil): self = .textOnly
    case ("as-needed", nil): self = .asNeeded
    case ("nothing-to-expand", nil): self = .nothingToExpand
    case ("never-fires", nil): self = .neverFires
    case ("ended", let detail?):
      guard let date = CivilDate(text: detail) else { return nil }
      self = .ended(on: date)
    case ("several-intervals", nil): self = .severalIntervals
    case ("sequence", nil): self = .sequence
    case ("too-frequent", nil): self = .tooFrequent
    case ("unknown-zone", nil): self = .unknownZone
    default: return nil
    }
  }

  /// Returns the reason in the person's language.
  package func text(_ localizer: Localizer) -> String {
    switch self {
    case .status(let status):
      localizer.text("plans.unplanned.status", ["status": .text(status)])
    case .intent: localizer.text("plans.unplanned.intent")
    case .doNotPerform: localizer.text("plans.unplanned.do-not-perform")
    case .unknownModifier: localizer.text("plans.unplanned.unknown-modifier")
    case .textOnly: localizer.text("plans.unplanned.text-only")
    case .asNeeded: localizer.text("plans.unplanned.as-needed")
    case .unsupportedTiming(let element):
      localizer.text("plans.unplanned.unsupported-timing", ["element": .text(element)])
    case .invalidTiming(let element):
      localizer.text("plans.unplanned.invalid-timing", ["element": .text(element)])
    case .nothingToExpand: localizer.text("plans.unplanned.nothing-to-expand")
    case .neverFires: localizer.text("plans.unplanned.never-fires")
    case .ended(let date):
      localizer.text(
        "plans.unplanned.ended",
        [
          "date": .text(
            localizer.date(
              LocalDay(
                year: date.year, month: date.month, day: date.day,
                isoWeekday: date.weekday.rawValue), .medium))
        ])
    case .severalIntervals: localizer.text("plans.unplanned.several-intervals")
    case .sequence: localizer.text("plans.unplanned.sequence")
    case .tooFrequent: localizer.text("plans.unplanned.too-frequent")
    case .unknownZone: localizer.text("plans.unplanned.unknown-zone")
    case .tooOften: localizer.text("plans.unplanned.too-often")
    }
  }

  /// True if Today must show it, as for every plan that has not ended.
  package var standsOnToday: Bool {
    guard case .status(let status) = self else { return true }
    return !PlanCommands.hasEnded(status)
  }

  private var name: String {
    switch self {
    case .status: "status"
    case .intent: "intent"
    case .doNotPerform: "do-not-perform"
    case .unknownModifier: "unknown-modifier"
    case .textOnly: "text-only"
    case .asNeeded: "as-needed"
    case .unsupportedTiming: "unsupported-timing"
    case .invalidTiming: "invalid-timing"
    case .nothingToExpand: "nothing-to-expand"
    case .neverFires: "never-fires"
    case .ended: "ended"
    case .severalIntervals: "several-intervals"
    case .sequence: "sequence"
    case .tooFrequent: "too-frequent"
    case .unknownZone: "unknown-zone"
    case .tooOften: "too-often"
    }
  }

  private var detail: String? {
    switch self {
    case .status(let detail), .intent(let detail): detail
    case .unsupportedTiming(let element), .invalidTiming(let element): element
    case .tooOften(let rule): rule
    case .ended(let date): date.text
    default: nil
    }
  }
}

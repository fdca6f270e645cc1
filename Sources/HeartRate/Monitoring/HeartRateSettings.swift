// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Scheduling
import Storage

/// A method by which a person's resting heart rate is judged.
package enum HeartRateMethod: String, Sendable, Hashable, CaseIterable {
  /// A limit that stays as it was set.
  case boundary
  /// A limit that follows the average.
  case dynamic
  /// A model that learns the person's usual heart rate.
  case model
}

/// A person's choices about the monitoring of their heart rate.
package struct HeartRateSettings: Sendable, Hashable {
  /// True if the heart rate is monitored.
  package var isOn = false
  /// The method by which days are judged.
  package var method = HeartRateMethod.dynamic
  /// Whole hours of the person's clock: values calculated within them are judged, and questions asked.
  package var window = 14..<20
  /// The plans that a warning asks about; nil means all beta-blockers.
  package var plans: [PlanID]?
  /// True if the person is told when a watch does not seem to be worn.
  package var hasWear = true
  /// True if relatives who are informed about unanswered doses are informed about unanswered warnings too.
  package var tellsFamily = true
  /// The number of the latest news that the person has read; 0 before any.
  package var news = 0
  /// The days with a false question in thirty days that the model may cost, one of ``budgets``.
  package var budget = HeartRateSettings.usualBudget

  /// Creates the settings of a person who has not chosen anything: monitoring is off.
  package init() {}

  /// The number of the latest news about the monitoring.
  package static let latestNews = 2

  /// The budget of a person for whom no one chose another.
  package static let usualBudget = 0.5
  /// The budgets that can be chosen.
  package static let budgets = [0.25, 0.5, 1, 2]
  /// The gap in beats per minute of a limit that follows the average, unless the person chose another.
  package static let usualGap = 7.0
  /// The gaps, in beats per minute, that a person can choose for their own limit.
  package static let gaps = 4.0...15.0
  /// The limits, in beats per minute, that can be set.
  package static let values = 40.0...150.0
}

/// A limit as it was set, or the choice to have it found from the average.
package struct BoundarySetting: Sendable, Hashable {
  /// The party that set a limit.
  package enum Owner: String, Sendable, Hashable, CaseIterable {
    /// A provider: the limit never moves automatically, and only providers change it.
    case provider
    /// The person.
    case own
  }

  /// The phase of treatment whose average a provider calculates a limit from.
  package enum Phase: String, Sendable, Hashable, CaseIterable {
    case onMedicine = "on-medicine"
    case beforeMedicine = "before-medicine"
  }

  /// The values that a provider calculated a limit from.
  package struct Calibration: Sendable, Hashable {
    /// The phase of treatment in which the average was measured.
    package let phase: Phase
    /// The average in beats per minute.
    package let average: Double
    /// The number of days in the average.
    package let days: Int
  }

  /// The day from which it applies, in the person's time zone.
  package let since: CivilDate
  /// The party that set it and can change it.
  package let owner: Owner
  /// The limit in beats per minute; nil if it is found from the average.
  package let value: Double?
  /// The distance from the average, in beats per minute: above it, but below it for a limit
  /// calculated before the medicine.
  package let gap: Double
  /// The values that a provider calculated it from; nil for a number that was entered.
  package var calibration: Calibration?
  /// The name of the person who set it; empty if no one did.
  package let byName: String
  /// The time at which it was set.
  package let created: Timestamp

  /// Returns the setting that applies until someone sets a limit.
  static func none(since: CivilDate) -> BoundarySetting {
    BoundarySetting(
      since: since, owner: .own, value: nil, gap: HeartRateSettings.usualGap, byName: "",
      created: Timestamp(milliseconds: 0))
  }
}

/// An error of a change to the heart rate monitoring.
package enum HeartRateError: Error, Sendable, Equatable {
  /// A provider set the limit; others cannot change it or how days are judged.
  case setByProvider
  /// The heart rate is not shared with the actor as a provider.
  case noProvider
  /// Fewer than 7 of the last 28 days have a value.
  case tooFewDays
  /// The number is outside the allowed range, or the limit of addresses is reached.
  case value
  /// The gap is outside the range that can be chosen.
  case gap
  /// The window is empty or not within the hours from 0 to 24.
  case window
  /// The number of false questions cannot be chosen.
  case budget
  /// A chosen plan is not one of the person's plans with doses.
  case plans
  /// There is no such warning, wording or address.
  case notFound
  /// The wording does not have 1 to 200 characters, or the limit of twenty is reached.
  case words
}

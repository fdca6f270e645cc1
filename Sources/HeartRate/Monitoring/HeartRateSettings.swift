// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Scheduling
import Storage

/// How a person's resting heart rate is watched.
package enum HeartRateMethod: String, Sendable, Hashable, CaseIterable {
  /// A limit that stays.
  case boundary
  /// A limit that follows the average.
  case dynamic
  /// What is learned of the person.
  case model
}

/// What a person chose about the watching of their heart rate.
package struct HeartRateSettings: Sendable, Hashable {
  package var isOn = false
  package var method = HeartRateMethod.dynamic
  /// Whole hours of the person's clock: values that were worked out in them are judged, and asked about.
  package var window = 14..<20
  /// The plans that a warning asks about; nil watches those of beta-blockers.
  package var plans: [PlanID]?
  /// Whether to say that a watch seems not to be worn.
  package var hasWear = true
  /// Whether those of the family who are told of unanswered doses are told of unanswered questions too.
  package var tellsFamily = true
  /// Up to which news somebody has read.
  package var news = 0

  package init() {}

  /// The number of the latest news about the watching.
  package static let latestNews = 2

  /// False alert days in a month that the model takes into account.
  static let budget = 0.5
  /// The gap of the limit that follows, in bpm, where nobody chose another.
  package static let usualGap = 7.0
  /// Gaps that may be chosen for one's own limit.
  package static let gaps = 4.0...15.0
  /// Limits that may be set.
  package static let values = 40.0...150.0
}

/// A limit as it was set, or the wish that it be found from the average.
package struct BoundarySetting: Sendable, Hashable {
  package enum Owner: String, Sendable, Hashable, CaseIterable {
    /// Never moves by itself, and is changed by providers alone.
    case provider
    case own
  }

  package enum Phase: String, Sendable, Hashable, CaseIterable {
    case onMedicine = "on-medicine"
    case beforeMedicine = "before-medicine"
  }

  /// What a provider reckoned it from.
  package struct Calibration: Sendable, Hashable {
    package let phase: Phase
    /// In bpm.
    package let average: Double
    /// How many days the average is of.
    package let days: Int
  }

  /// The day from which it counts.
  package let since: CivilDate
  package let owner: Owner
  /// In bpm; nil where it is found from the average.
  package let value: Double?
  /// How far over the average it lies, in bpm.
  package let gap: Double
  package var calibration: Calibration?
  /// The name of who set it; empty where nobody did.
  package let byName: String
  package let created: Timestamp

  /// What holds before anybody sets a limit.
  static func none(since: CivilDate) -> BoundarySetting {
    BoundarySetting(
      since: since, owner: .own, value: nil, gap: HeartRateSettings.usualGap, byName: "",
      created: Timestamp(milliseconds: 0))
  }
}

/// Why a wish about the watching was not followed.
package enum HeartRateError: Error, Sendable, Equatable {
  /// A provider set the limit; others cannot change it, nor what judges by it.
  case setByProvider
  /// Only somebody with whom the heart rate is shared as a provider may do this.
  case noProvider
  /// The average is not of 7 to 14 days.
  case tooFewDays
  /// The number lies outside what may be chosen.
  case value
  case gap
  case window
  /// A plan of another person, or none.
  case plans
  /// No such warning, message or address.
  case notFound
  /// Words of 1 to 200 characters, and at most twenty of them.
  case words
}

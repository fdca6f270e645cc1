// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Observations

/// A tracker that everyone has.
package enum StandardTracker: String, Sendable, Hashable, CaseIterable {
  case mood, pain, sleep, symptom
  case sideEffect = "side-effect"
  case note
  case bloodPressure = "blood-pressure"
  case glucose, weight, temperature, oxygen
  case peakFlow = "peak-flow"
  case inr, pulse

  /// The identifier of the tracker.
  package var id: TrackerID { TrackerID(rawValue) }

  /// The kind of answer that the tracker takes.
  package var shape: TrackerShape {
    switch self {
    case .mood, .pain: .score
    case .sleep: .measurement([.hours])
    case .symptom, .sideEffect: .gradedText
    case .note: .text
    case .bloodPressure: .pressure
    case .glucose: .measurement([.millimolesPerLitre, .milligramsPerDecilitre])
    case .weight: .measurement([.kilograms, .pounds])
    case .temperature: .measurement([.celsius, .fahrenheit])
    case .oxygen: .measurement([.percent])
    case .peakFlow: .measurement([.litresPerMinute])
    case .inr: .measurement([.ratio])
    case .pulse: .measurement([.beats])
    }
  }

  /// The LOINC code of its Observations in a unit; nil if none fits.
  package func loinc(_ unit: DiaryUnit? = nil) -> String? {
    switch self {
    case .mood, .symptom, .sideEffect, .note: nil
    case .pain: "72514-3"
    case .sleep: "93832-4"
    case .bloodPressure: "85354-9"
    case .glucose: unit == .milligramsPerDecilitre ? "2339-0" : "15074-8"
    case .weight: "29463-7"
    case .temperature: "8310-5"
    case .oxygen: "59408-5"
    case .peakFlow: "19935-6"
    case .inr: "34714-6"
    case .pulse: "8867-4"
    }
  }

  /// The FHIR category of its Observations.
  var category: String {
    switch self {
    case .bloodPressure, .weight, .temperature, .oxygen, .peakFlow, .pulse: "vital-signs"
    case .glucose, .inr: "laboratory"
    case .mood, .pain, .sleep, .symptom, .sideEffect, .note: "survey"
    }
  }

  /// The kind of measurement that also counts for the health profile and the heart rate; nil for the others.
  package var metric: VitalMetric? {
    switch self {
    case .weight: .weight
    case .pulse: .heartRate
    default: nil
    }
  }

  /// The numbers that are accepted, in the first unit; nil for trackers without a measurement.
  ///
  /// They find typing errors. They are no limits of health: nothing is said about a value within them.
  package var range: PlausibleRange? {
    switch self {
    case .sleep: PlausibleRange(possible: 0...24, likely: 2...14)
    case .glucose: PlausibleRange(possible: 0.5...60, likely: 2.5...25)
    case .weight: PlausibleRange(possible: (Decimal(2) / 10)...650, likely: 2...250)
    case .temperature: PlausibleRange(possible: 25...45, likely: 34...41.5)
    case .oxygen: PlausibleRange(possible: 30...100, likely: 85...100)
    case .peakFlow: PlausibleRange(possible: 30...1_000, likely: 60...850)
    case .inr: PlausibleRange(possible: 0.5...20, likely: (Decimal(8) / 10)...6)
    case .pulse: PlausibleRange(possible: 20...300, likely: 40...180)
    case .mood, .pain, .symptom, .sideEffect, .note, .bloodPressure: nil
    }
  }

  /// True if a reminder to measure makes sense: for everything but what just happens.
  package var canRemind: Bool { self != .symptom && self != .sideEffect && self != .note }
}

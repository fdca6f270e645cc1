// SPDX-License-Identifier: Apache-2.0

import Access
import Localization

/// The limit of a permission in plain words, such as "vital signs".
struct LimitWords {
  private let resource: String
  private let conditions: [SMARTCondition]

  /// Creates the words for the limit of a permission.
  init(_ grant: SMARTGrant) {
    resource = grant.resource
    conditions = grant.constraint.sorted()
  }

  /// Returns all conditions, which must hold together; empty for a permission without a limit.
  func text(_ localizer: Localizer) -> String {
    conditions.map { words($0, localizer) }.joined(separator: "; ")
  }

  /// Returns one condition: its values in words if all are known, and otherwise their codes.
  private func words(_ condition: SMARTCondition, _ localizer: Localizer) -> String {
    let values = condition.value.split(separator: ",", omittingEmptySubsequences: false)
    let known = values.compactMap { word(for: $0, of: condition.name) }
    if known.count == values.count {
      return localizer.list(known.map { localizer.text("apps.limit-word", ["word": .text($0)]) })
    }
    // A modifier such as `:not`, or a comparison of dates, turns the meaning of a code around.
    guard Self.marks.contains(condition.name) else { return localizer.text("apps.limit-rule") }
    let codes = values.map { String($0.split(separator: "|").last ?? $0) }
    return localizer.text("apps.limit-marked", ["code": .text(codes.joined(separator: ", "))])
  }

  /// Returns the name of a value among the words; nil if the value has none, or comes from another list of codes.
  private func word(for value: Substring, of parameter: String) -> String? {
    let parts = value.split(
      separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    guard let code = parts.last, let words = words(of: parameter) else { return nil }
    if parts.count == 2 {
      guard words.systems.contains(String(parts[0])) else { return nil }
    }
    return words.named[String(code)]
  }

  /// The codes of a parameter that have a word, and the lists that they come from.
  private struct Words {
    let systems: Set<String>
    let named: [String: String]
  }

  private func words(of parameter: String) -> Words? {
    switch (resource, parameter) {
    case ("Observation", "category"): Self.observationCategories
    case ("Condition", "category"): Self.conditionCategories
    case ("Observation", "code"): Self.measurements
    case ("Condition", "clinical-status"), ("AllergyIntolerance", "clinical-status"): Self.courses
    case (_, "status"): Self.states
    default: nil
    }
  }

  /// The parameters whose values are codes that an entry carries.
  private static let marks: Set<String> = [
    "_security", "_tag", "category", "clinical-status", "code", "intent", "status", "type",
    "verification-status",
  ]

  private static let observationCategories = Words(
    systems: ["http://terminology.hl7.org/CodeSystem/observation-category"],
    named: [
      "activity": "activity", "exam": "exam", "imaging": "imaging", "laboratory": "laboratory",
      "procedure": "procedure", "social-history": "lifestyle", "survey": "survey",
      "therapy": "therapy", "vital-signs": "vitalsigns",
    ])

  private static let conditionCategories = Words(
    systems: ["http://terminology.hl7.org/CodeSystem/condition-category"],
    named: ["encounter-diagnosis": "diagnosis", "problem-list-item": "problem"])

  /// The values that people measure at home, by their LOINC codes.
  private static let measurements = Words(
    systems: ["http://loinc.org"],
    named: [
      "2339-0": "sugar", "2345-7": "sugar", "2708-6": "oxygen", "29463-7": "weight",
      "3141-9": "weight", "39156-5": "bmi", "41950-7": "steps", "55284-4": "pressure",
      "55423-8": "steps", "59408-5": "oxygen", "8302-2": "height", "8310-5": "temperature",
      "85354-9": "pressure", "8867-4": "heartrate", "9279-1": "breathing",
    ])

  private static let courses = Words(
    systems: [
      "http://terminology.hl7.org/CodeSystem/condition-clinical",
      "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical",
    ],
    named: ["active": "active", "inactive": "past", "resolved": "past"])

  private static let states = Words(
    systems: [],
    named: [
      "active": "active", "amended": "corrected", "cancelled": "cancelled",
      "completed": "completed", "corrected": "corrected", "draft": "draft",
      "entered-in-error": "mistaken", "final": "final", "in-progress": "begun",
      "not-done": "undone", "on-hold": "paused", "preliminary": "preliminary",
      "stopped": "stopped",
    ])
}

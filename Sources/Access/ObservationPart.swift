// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// The Observations that an access is about, because two categories share them.
///
/// The diary is everything that a person writes about their own state: entries of the diary, answers about a dose, and
/// scores of questionnaires. All other Observations, such as the values of a watch, are shared with the heart rate.
package enum ObservationPart: Sendable, Hashable, CaseIterable {
  /// The heart rate and all other measurements.
  case measurements
  /// The diary.
  case diary
  /// Either of them; the caller leaves out what the actor may not see, by its ``Actor/limits(on:_:isShared:)``.
  case either

  /// The name of the resources.
  static let resource = "Observation"
  /// The code system of the entries of the diary.
  package static let diarySystem = "urn:regimen:diary"

  /// Returns true if someone with whom categories are shared may see some of the part.
  func isVisible(with categories: Set<DataCategory>) -> Bool {
    switch self {
    case .measurements: categories.contains(.heartRate)
    case .diary: categories.contains(.diary)
    case .either: categories.contains(.heartRate) || categories.contains(.diary)
    }
  }

  /// The search parameters of each part, as alternatives; an Observation is in exactly one of the two parts.
  var alternatives: [[SMARTCondition]] {
    let code = "\(Self.diarySystem)|"
    return switch self {
    case .measurements:
      [
        [
          SMARTCondition(name: "category:not", value: "survey"),
          SMARTCondition(name: "code:not", value: code),
        ]
      ]
    case .diary:
      [
        [SMARTCondition(name: "category", value: "survey")],
        [SMARTCondition(name: "code", value: code)],
      ]
    case .either: [[]]
    }
  }
}

extension Actor {
  /// Returns the part of a patient's Observations that the actor sees; nil for none.
  package func observations(of patient: PatientID) -> ObservationPart? {
    if reachesEveryPatient { return .either }
    guard let right = rights[patient] else { return nil }
    return
      switch (
        right.reaches(ObservationPart.resource, .measurements),
        right.reaches(ObservationPart.resource, .diary)
      )
    {
    case (true, true): .either
    case (true, false): .measurements
    case (false, true): .diary
    case (false, false): nil
    }
  }

  /// Returns the limits that follow from what patients share; nil if they share all that the actor reaches.
  ///
  /// Only those who act for a patient change anything, and they see everything.
  func sharingLimits(on resource: String, _ action: Action) -> [ScopeLimit]? {
    guard resource == ObservationPart.resource, !reachesEveryPatient,
      [.read, .search, .export].contains(action)
    else { return nil }
    var parts: [ObservationPart: Set<PatientID>] = [:]
    for patient in rights.keys {
      guard let part = observations(of: patient) else { continue }
      parts[part, default: []].insert(patient)
    }
    guard parts.keys.contains(where: { $0 != .either }) else { return nil }
    return ObservationPart.allCases.flatMap { part -> [ScopeLimit] in
      guard let patients = parts[part] else { return [] }
      return part.alternatives.map { ScopeLimit(patients: patients, conditions: $0) }
    }
  }
}

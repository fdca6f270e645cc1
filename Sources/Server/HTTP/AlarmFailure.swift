// SPDX-License-Identifier: Apache-2.0

import Adherence
import FHIR
import HTTPTypes
import Storage

extension Failure {
  init(_ error: AlarmError) {
    switch error {
    case .notFound: self = .notFound
    case .invalid(let issues):
      self.init(
        .unprocessableContent, code: "value", detail: "The alarm is not valid.",
        issues: issues.map {
          FHIRIssue(
            severity: .error, code: .value, expression: $0.rawValue, diagnostics: $0.rawValue)
        })
    case .tooMany(let maximum):
      self.init(.conflict, code: "conflict", detail: "A person has \(maximum) alarms at most.")
    case .versionConflict(let current):
      self.init(
        .conflict, code: "conflict", detail: "It has changed meanwhile.",
        members: ["version": .number(JSONNumber(current))])
    case .storage(let error): self = Failure(mapping: error) ?? .notFound
    }
  }

  init(_ error: OccasionError) {
    switch error {
    case .notFound: self = .notFound
    case .answered:
      self.init(.conflict, code: "answered", detail: "Another answer came first.")
    case .cancelled: self.init(.conflict, code: "cancelled", detail: "It was called off.")
    case .minutesOutOfRange(let maximum):
      self = .wrong(
        "minutes", maximum > 0 ? "must be from 1 to \(maximum)" : "no longer fit: answer instead")
    case .missingMinutes: self = .wrong("minutes", "must be given with later")
    case .eventUsedElsewhere: self = .wrong("event", "was used before for something else")
    case .storage(let error): self = Failure(mapping: error) ?? .notFound
    }
  }
}

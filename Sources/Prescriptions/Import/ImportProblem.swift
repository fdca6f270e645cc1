// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The reason why an entry of a file was not imported.
package struct ImportProblem: Sendable, Hashable {
  /// The place of the entry in the file, from 1.
  package let number: Int
  /// The resource type; nil if it is unknown.
  package let type: String?
  /// The reason.
  package let reason: ImportProblemReason

  /// Creates a problem.
  ///
  /// - Parameter number: The place of the entry in the file, from 1.
  package init(number: Int, type: String? = nil, _ reason: ImportProblemReason) {
    self.number = number
    self.type = type
    self.reason = reason
  }
}

/// A reason why an entry cannot be imported.
package enum ImportProblemReason: Error, Sendable, Hashable {
  /// The bytes cannot be read as an entry.
  case unreadable(StreamedEntryProblem)
  /// The entry is a JSON object without `resourceType`.
  case notFHIR
  /// It is in a version of FHIR that is not supported, such as STU3 or R5.
  case otherVersion(String)
  /// An element breaks a rule of FHIR R4.
  case invalid(expression: String, diagnostics: String)
  /// It is a Bundle inside a Bundle.
  case nestedBundle
  /// An earlier entry of the file has the same address.
  case duplicate
  /// It does not name a patient.
  case noPatient
  /// It belongs to someone else.
  case otherPatient
  /// The medicine that it refers to is not in the file and has no name.
  case medicationMissing
  /// It carries out another prescription of the file, whose doses it repeats (`basedOn`).
  case covered
  /// Its contained resources refer to each other in a cycle.
  case cyclicReference
  /// The administration is neither completed nor not-done.
  case notFinal(status: String)
  /// The administration has no time, or one in the future.
  case noTime, futureTime
  /// The dose is zero or larger than any medicine's.
  case dose
  /// The measurement has no value, or one that no person has.
  case value
  /// The unit does not fit the kind of measurement.
  case unit
  /// The file has more entries than one import can handle.
  case tooMany
  /// It conflicts with stored data, by a constraint of the database.
  case conflict
  /// The import rejected it for another reason.
  case refused

  /// A short, stable code for programs.
  package var code: String {
    switch self {
    case .unreadable(let problem):
      switch problem {
      case .syntax: "syntax"
      case .tooLarge: "too-large"
      case .noResource: "no-resource"
      case .notAnObject: "not-an-object"
      case .notJSON: "not-json"
      case .endsEarly: "ends-early"
      case .notABundle: "not-a-bundle"
      case .missingComma: "missing-comma"
      }
    case .notFHIR: "not-fhir"
    case .otherVersion: "other-version"
    case .invalid: "invalid"
    case .nestedBundle: "nested-bundle"
    case .duplicate: "duplicate"
    case .noPatient: "no-patient"
    case .otherPatient: "other-patient"
    case .medicationMissing: "medication-missing"
    case .covered: "covered"
    case .cyclicReference: "cyclic-reference"
    case .notFinal: "not-final"
    case .noTime: "no-time"
    case .futureTime: "future-time"
    case .dose: "dose"
    case .value: "value"
    case .unit: "unit"
    case .tooMany: "too-many"
    case .conflict: "conflict"
    case .refused: "refused"
    }
  }

  /// Details for developers in addition to the code; nil if there are none.
  ///
  /// They never include a value from the content.
  package var detail: String? {
    switch self {
    case .unreadable(.syntax(let error)): error.description
    case .otherVersion(let version): version
    case .invalid(let expression, let diagnostics): "\(expression): \(diagnostics)"
    case .notFinal(let status): status
    default: nil
    }
  }

  /// Returns the reason in the person's language.
  package func text(_ localizer: Localizer) -> String {
    localizer.text("import.problem", ["reason": .text(code), "detail": .text(detail ?? "")])
  }
}

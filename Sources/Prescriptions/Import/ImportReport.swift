// SPDX-License-Identifier: Apache-2.0
import Dosing
import FHIR
import Identifiers
import Observations
import Plans
import Records

/// The result of an import, as counts and problems.
package struct ImportReport: Sendable, Hashable {
  /// The number of entries in the file.
  package private(set) var entries: Int
  /// The number of prescriptions that wait for the person.
  package private(set) var proposed = 0
  /// The number of prescriptions that became or changed plans.
  package private(set) var accepted = 0
  /// The number of prescriptions that stopped or paused a plan.
  package private(set) var stopped = 0
  /// The number of prescriptions that had already ended and are kept for the history.
  package private(set) var ended = 0
  /// The number of prescriptions that were already known.
  package private(set) var unchanged = 0
  /// The number of administrations that are new.
  package private(set) var recorded = 0
  /// The number of administrations that their source has changed.
  package private(set) var corrected = 0
  /// The number of administrations that were already known.
  package private(set) var unchangedAdministrations = 0
  /// The number of dispenses that are offered as packs.
  package private(set) var offered = 0
  /// The number of dispenses that their source has changed.
  package private(set) var changedDispenses = 0
  /// The number of dispenses that were already known.
  package private(set) var unchangedDispenses = 0
  /// The numbers of measurements that were stored, replaced or already known.
  package internal(set) var measurements = VitalCounts()
  /// The plans that were made and give no doses, each with its entry in the file and the reason.
  package private(set) var unplanned: [UnplannedImport] = []
  /// The numbers of ignored entries, by resource type or by reason.
  package private(set) var ignored: [String: Int]
  /// The first problems, in the order of the file.
  package private(set) var problems: [ImportProblem]
  /// The number of all problems, including those that are not kept.
  package private(set) var problemCount: Int
  /// True if the Bundle is one page of several.
  package private(set) var hasFurtherPages: Bool

  /// Creates the report of an import that has not started, with the problems found by reading the file.
  package init(_ file: ImportFile) {
    entries = file.entryCount
    ignored = file.ignored
    problems = file.problems
    problemCount = file.problemCount
    hasFurtherPages = file.hasFurtherPages
  }

  mutating func add(_ result: ImportStepResult) {
    for outcome in result.outcomes {
      switch outcome {
      case .proposed: proposed += 1
      case .accepted: accepted += 1
      case .stopped: stopped += 1
      case .ended: ended += 1
      case .unchanged: unchanged += 1
      case .ignored: ignored["entered-in-error", default: 0] += 1
      }
    }
    for outcome in result.administrations {
      switch outcome {
      case .recorded: recorded += 1
      case .corrected: corrected += 1
      case .unchanged: unchangedAdministrations += 1
      case .ignored: ignored["entered-in-error", default: 0] += 1
      }
    }
    for outcome in result.dispenses {
      switch outcome {
      case .offered: offered += 1
      case .changed: changedDispenses += 1
      case .unchanged: unchangedDispenses += 1
      case .kept: ignored["not-handed-out", default: 0] += 1
      case .ignored: ignored["entered-in-error", default: 0] += 1
      }
    }
    unplanned += result.unplanned
    unplanned.sort { $0.number < $1.number }
    add(problems: result.problems)
  }

  mutating func add(problems found: [ImportProblem]) {
    problemCount += found.count
    problems += found.prefix(max(0, ImportFile.keptProblems - problems.count))
    problems.sort { $0.number < $1.number }
  }

  /// The report as the JSON API returns it.
  package var json: JSONValue {
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    return [
      "entries": number(entries),
      "prescriptions": [
        "proposed": number(proposed), "accepted": number(accepted), "stopped": number(stopped),
        "ended": number(ended), "unchanged": number(unchanged),
      ],
      "administrations": [
        "recorded": number(recorded), "corrected": number(corrected),
        "unchanged": number(unchangedAdministrations),
      ],
      "dispenses": [
        "offered": number(offered), "changed": number(changedDispenses),
        "unchanged": number(unchangedDispenses),
      ],
      "measurements": [
        "stored": number(measurements.stored), "replaced": number(measurements.replaced),
        "unchanged": number(measurements.unchanged),
      ],
      "unplanned": .array(unplanned.map(\.json)),
      "ignored": .object(
        JSONObject(ignored.sorted { $0.key < $1.key }.map { ($0.key, number($0.value)) })),
      "furtherPages": .bool(hasFurtherPages),
      "problemCount": number(problemCount),
      "problems": .array(
        problems.map { problem in
          var json: JSONValue = [
            "entry": number(problem.number), "reason": .string(problem.reason.code),
          ]
          if let type = problem.type { json["type"] = .string(type) }
          if let detail = problem.reason.detail { json["detail"] = .string(detail) }
          return json
        }),
    ]
  }
}

/// The entries of one transaction.
struct ImportStep: Sendable {
  var prescription: ImportPrescription?
  var administrations: [ImportAdministration] = []
  var dispenses: [ImportDispense] = []

  var count: Int { (prescription == nil ? 0 : 1) + administrations.count + dispenses.count }

  /// Returns each part separately, the prescription first.
  var split: [ImportStep] {
    [prescription].compactMap(\.self).map { ImportStep(prescription: $0, administrations: []) }
      + administrations.map { ImportStep(prescription: nil, administrations: [$0]) }
      + dispenses.map { ImportStep(dispenses: [$0]) }
  }

  /// Returns the result for a step that was rejected as a whole.
  func refused(_ error: ImportError) -> ImportStepResult {
    var result = ImportStepResult()
    let reason: ImportProblemReason =
      switch error {
      case .problem(let reason): reason
      case .plan(.invalidResource(let issues)):
        issues.first.map {
          .invalid(expression: $0.expression ?? "", diagnostics: $0.diagnostics)
        } ?? .refused
      case .plan(.records(.invalid(let issues))), .answer(.records(.invalid(let issues))):
        issues.first.map {
          .invalid(expression: $0.expression ?? "", diagnostics: $0.diagnostics)
        } ?? .refused
      case .answer(.invalid(.futureTime)): .futureTime
      case _ where error.isConstraintViolation: .conflict
      default: .refused
      }
    if let prescription {
      result.problems.append(
        ImportProblem(number: prescription.number, type: "MedicationRequest", reason))
    }
    for administration in administrations {
      result.problems.append(
        ImportProblem(number: administration.number, type: "MedicationAdministration", reason))
    }
    for dispense in dispenses {
      result.problems.append(
        ImportProblem(number: dispense.number, type: "MedicationDispense", reason))
    }
    return result
  }
}

/// A plan that an import made and that gives no doses.
package struct UnplannedImport: Sendable, Hashable {
  /// The place of the prescription in the file, from 1.
  package let number: Int
  /// The plan.
  package let plan: PlanID
  /// The reason why it gives no doses.
  package let reason: UnplannedReason

  fileprivate var json: JSONValue {
    [
      "entry": .number(JSONNumber(number)), "plan": .string(plan.text),
      "reason": .string(reason.code),
    ]
  }
}

struct ImportStepResult: Sendable {
  var outcomes: [ImportOutcome] = []
  var unplanned: [UnplannedImport] = []
  var administrations: [ImportedAdministrations.Outcome] = []
  var dispenses: [DispenseOutcome] = []
  var problems: [ImportProblem] = []

  var count: Int { outcomes.count + administrations.count + dispenses.count + problems.count }

  mutating func add(_ other: ImportStepResult) {
    outcomes += other.outcomes
    unplanned += other.unplanned
    administrations += other.administrations
    dispenses += other.dispenses
    problems += other.problems
  }
}

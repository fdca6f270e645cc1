// SPDX-License-Identifier: Apache-2.0

import FHIR

/// A rule that a questionnaire breaks, with the place.
package struct QuestionnaireFinding: Sendable, Hashable {
  /// The rules beyond those of FHIR itself.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// A rule of FHIR R4; the message states which.
    case fhir
    /// There are too many items or levels, or a text is too long.
    case tooLarge = "too-large"
    /// A condition names no earlier question, or compares with a value of another type.
    case condition
    /// The smallest value is above the greatest, or a scale has no ends.
    case limits
    /// Two options are the same.
    case options
    /// The expression of the score is not valid.
    case score
    /// The questionnaire has no canonical address, by which it could be assigned.
    case address
    /// The type of an item cannot be asked on a page.
    case itemType = "item-type"
    /// A group cannot be answered several times.
    case repeatedGroup = "repeated-group"
    /// A choice has no options, or refers to a value set that is not part of this server.
    case valueSet = "value-set"
    /// A quantity has no unit.
    case unit

    /// True if the questionnaire is valid, but cannot be asked here: it can be stored over FHIR.
    package var onlyPreventsAsking: Bool {
      switch self {
      case .address, .itemType, .repeatedGroup, .valueSet, .unit: true
      case .fhir, .tooLarge, .condition, .limits, .options, .score: false
      }
    }
  }

  /// The place, such as `Questionnaire.item[2].enableWhen[0].question`.
  package let path: String
  /// The rule.
  package let rule: Rule
  /// A sentence about it, in English.
  package let message: String

  /// Creates a finding.
  package init(_ path: String, _ rule: Rule, _ message: String) {
    self.path = path
    self.rule = rule
    self.message = message
  }

  /// The finding in one line.
  package var line: String { "\(path): \(rule.rawValue): \(message)" }

  /// The finding as an issue of an OperationOutcome.
  package var issue: FHIRIssue {
    FHIRIssue(code: .businessRule, expression: path, diagnostics: "\(message) (\(rule.rawValue))")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization

/// The value sets that a questionnaire may name as `answerValueSet`, in every language of the program.
package enum QuestionnaireSets {
  /// A set of options, from the smallest to the greatest.
  package enum Name: String, Sendable, Hashable, CaseIterable {
    case frequency, agreement

    /// The canonical address of the set.
    package var url: String { "urn:regimen:value-set:\(rawValue)" }

    /// The codes, which count 0, 1, 2 and so on for a score.
    package var codes: [String] {
      switch self {
      case .frequency: ["never", "rarely", "sometimes", "often", "always"]
      case .agreement: ["no", "rather-no", "neutral", "rather-yes", "yes"]
      }
    }
  }

  /// Returns the options of a set; none for a set that is not part of the program.
  static func options(of url: String) -> [QuestionnaireOption] {
    guard let set = Name.allCases.first(where: { $0.url == url }) else { return [] }
    return set.codes.enumerated().map { index, code in
      let label = QuestionnaireInstruments.text("set.\(set.rawValue)", ["option": .text(code)])
      return QuestionnaireOption(
        value: .coding(system: set.url, code: code, display: label.base), label: label,
        ordinal: Decimal(index))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization

/// A questionnaire that can be asked on a page, read from a FHIR Questionnaire by ``QuestionnaireReader``.
package struct Questionnaire: Sendable, Hashable {
  /// The most items, with all nested ones.
  package static let mostItems = 200
  /// The most levels of nested items.
  package static let mostLevels = 5

  /// The canonical address, without a version.
  package let url: String
  /// The version; nil for none.
  package let version: String?
  /// The name that is shown.
  package let title: QuestionnaireText
  /// An introduction; nil for none.
  package let introduction: QuestionnaireText?
  /// The items at the top.
  package let items: [QuestionnaireItem]
  /// The rule for the score; nil for a questionnaire without one.
  package let score: QuestionnaireScore?

  /// The canonical address with the version, as a response names it.
  package var canonical: String { version.map { "\(url)|\($0)" } ?? url }

  /// All items in the order of the document, each before its nested items.
  package var allItems: [QuestionnaireItem] { items.flatMap(\.withDescendants) }
}

/// A text with its translations.
package struct QuestionnaireText: Sendable, Hashable {
  /// The text in the language of the questionnaire.
  package let base: String
  /// The translations.
  package let translations: [Language: String]

  /// Creates a text.
  package init(_ base: String, translations: [Language: String] = [:]) {
    self.base = base
    self.translations = translations
  }

  /// Returns the text in a language, or else as it was written.
  package func text(in language: Language) -> String { translations[language] ?? base }
}

/// One item of a questionnaire: a question, a heading with questions, or a text.
package struct QuestionnaireItem: Sendable, Hashable {
  /// The kinds of items.
  package enum Kind: Sendable, Hashable {
    case group, display
    case choice([QuestionnaireOption], QuestionnaireControl)
    /// A whole number on a scale, with the names of its ends.
    case scale(ClosedRange<Int>, low: QuestionnaireText?, high: QuestionnaireText?)
    case text(isLong: Bool)
    case integer
    case decimal
    case quantity(QuestionnaireUnit)
    case date
    case dateTime
    case boolean
  }

  /// The identifier within the questionnaire.
  package let link: String
  /// The question.
  package let text: QuestionnaireText
  /// The kind.
  package let kind: Kind
  /// True if an answer is needed while the item is enabled.
  package let isRequired: Bool
  /// The most answers.
  package let mostAnswers: Int
  /// The smallest number; the limits of a scale are in its kind.
  package let minimum: Decimal?
  /// The greatest number.
  package let maximum: Decimal?
  /// The first date, as `yyyy-MM-dd`.
  package let earliest: String?
  /// The last date, as `yyyy-MM-dd`.
  package let latest: String?
  /// The most characters of a text.
  package let maximumLength: Int
  /// The conditions under which the item is asked; none for always.
  package let conditions: [QuestionnaireCondition]
  /// True if every condition must hold, false if one is enough.
  package let needsAllConditions: Bool
  /// The nested items.
  package let items: [QuestionnaireItem]

  /// True if the item takes answers.
  package var isQuestion: Bool {
    switch kind {
    case .group, .display: false
    default: true
    }
  }

  /// The item and all below it, in the order of the document.
  package var withDescendants: [QuestionnaireItem] { [self] + items.flatMap(\.withDescendants) }

  /// The smallest and the greatest value that counts for a score; nil for a kind without such limits.
  package var scoreLimits: ClosedRange<Decimal>? {
    switch kind {
    case .choice(let options, _):
      let ordinals = options.compactMap(\.ordinal)
      guard ordinals.count == options.count, let low = ordinals.min(), let high = ordinals.max()
      else { return nil }
      return low...high
    case .scale(let range, _, _): return Decimal(range.lowerBound)...Decimal(range.upperBound)
    case .boolean: return 0...1
    case .integer, .decimal:
      guard let minimum, let maximum, minimum <= maximum else { return nil }
      return minimum...maximum
    case .group, .display, .text, .quantity, .date, .dateTime: return nil
    }
  }
}

/// The control that asks a choice.
package enum QuestionnaireControl: String, Sendable, Hashable, CaseIterable {
  case radios = "radio-button"
  case select = "drop-down"
  case checkboxes = "check-box"
}

/// One answer that can be chosen.
package struct QuestionnaireOption: Sendable, Hashable {
  /// The value as the response states it.
  package let value: QuestionnaireValue
  /// The text that is shown.
  package let label: QuestionnaireText
  /// The value that counts for a score; nil for none.
  package let ordinal: Decimal?
}

/// The unit of a quantity.
package struct QuestionnaireUnit: Sendable, Hashable {
  /// The unit as it is shown.
  package let name: String
  /// The system of the code, usually UCUM.
  package let system: String?
  /// The code.
  package let code: String?
}

/// An answer.
package enum QuestionnaireValue: Sendable, Hashable {
  case boolean(Bool)
  case integer(Int)
  case decimal(Decimal)
  case string(String)
  case date(String)
  case dateTime(String)
  case coding(system: String?, code: String, display: String?)
  case quantity(Decimal, QuestionnaireUnit)
}

/// A condition under which an item is asked.
package struct QuestionnaireCondition: Sendable, Hashable {
  /// The comparisons of FHIR.
  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case exists
    case equal = "="
    case notEqual = "!="
    case greater = ">"
    case less = "<"
    case greaterOrEqual = ">="
    case lessOrEqual = "<="
  }

  /// The link of the question that decides.
  package let question: String
  /// The comparison.
  package let comparison: Operator
  /// The value to compare with.
  package let value: QuestionnaireValue
}

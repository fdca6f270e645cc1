// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rule for the score of a questionnaire, read from a short expression.
///
/// `sum(a, -b, c) * 2.5 missing mean 1`: the sum of the values of the items, of which `-b` counts in reverse
/// (smallest plus greatest value minus the answer), times 2.5; one missing answer is replaced by the mean of the
/// others. `mean` instead of `sum` gives the mean. Without `missing …`, one missing answer means that there is no
/// score. Nothing else can be written.
package struct QuestionnaireScore: Sendable, Hashable {
  /// The most items of an expression.
  package static let mostItems = 100
  /// The most characters of an expression.
  package static let longest = 8_000

  /// The ways to combine values.
  package enum Function: String, Sendable, Hashable, CaseIterable { case sum, mean }

  /// One item of an expression.
  package struct Term: Sendable, Hashable {
    /// The link of the item.
    package let link: String
    /// True if it counts in reverse.
    package let isReversed: Bool
  }

  /// The way to combine values.
  package let function: Function
  /// The items.
  package let terms: [Term]
  /// The factor.
  package let factor: Decimal
  /// The most missing answers that are replaced by the mean of the others.
  package let mostMissing: Int

  /// Reads an expression; nil if it does not follow the grammar.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let open = text.firstIndex(of: "("),
      let close = text.firstIndex(of: ")"), open < close,
      let function = Function(rawValue: Self.trimmed(text[..<open]))
    else { return nil }
    let parts = text[text.index(after: open)..<close].split(
      separator: ",", omittingEmptySubsequences: false)
    let terms = parts.map { part in
      let name = Self.trimmed(part)
      return name.hasPrefix("-")
        ? Term(link: Self.trimmed(name.dropFirst()), isReversed: true)
        : Term(link: name, isReversed: false)
    }
    guard (1...Self.mostItems).contains(terms.count),
      terms.allSatisfy({ !$0.link.isEmpty && !$0.link.contains(where: \.isWhitespace) }),
      Set(terms.map(\.link)).count == terms.count
    else { return nil }
    var words = text[text.index(after: close)...].split(whereSeparator: \.isWhitespace)[...]
    var factor: Decimal = 1
    if words.first == "*" {
      guard words.count >= 2, let number = Self.number(words[words.startIndex + 1]) else {
        return nil
      }
      factor = number
      words = words.dropFirst(2)
    }
    var mostMissing = 0
    if !words.isEmpty {
      guard words.count == 3, words.first == "missing",
        words[words.startIndex + 1] == "mean",
        let count = Int(words[words.startIndex + 2]), (1..<terms.count).contains(count)
      else { return nil }
      mostMissing = count
    }
    self.function = function
    self.terms = terms
    self.factor = factor
    self.mostMissing = mostMissing
  }

  /// Returns the score of answers, rounded to two decimals; nil if too many are missing.
  ///
  /// - Parameter answers: The answers to items that are asked.
  package func value(
    of questionnaire: Questionnaire, _ answers: QuestionnaireAnswers
  ) -> Decimal? {
    let items = Dictionary(
      questionnaire.allItems.map { ($0.link, $0) }, uniquingKeysWith: { first, _ in first })
    var values: [Decimal] = []
    for term in terms {
      guard let item = items[term.link], let answer = answers[term.link]?.first,
        let value = Self.value(answer, item)
      else { continue }
      if term.isReversed {
        guard let limits = item.scoreLimits else { continue }
        values.append(limits.lowerBound + limits.upperBound - value)
      } else {
        values.append(value)
      }
    }
    guard !values.isEmpty, terms.count - values.count <= mostMissing else { return nil }
    let mean = values.reduce(0, +) / Decimal(values.count)
    let combined: Decimal
    switch function {
    case .mean: combined = mean
    case .sum:
      combined = values.reduce(0, +) + mean * Decimal(terms.count - values.count)
    }
    return Self.rounded(combined * factor)
  }

  /// Returns the smallest and the greatest possible score; nil if an item has no limits.
  package func limits(of questionnaire: Questionnaire) -> ClosedRange<Decimal>? {
    let items = Dictionary(
      questionnaire.allItems.map { ($0.link, $0) }, uniquingKeysWith: { first, _ in first })
    var (low, high): (Decimal, Decimal) = (0, 0)
    for term in terms {
      guard let limits = items[term.link]?.scoreLimits else { return nil }
      low += limits.lowerBound
      high += limits.upperBound
    }
    if function == .mean {
      low /= Decimal(terms.count)
      high /= Decimal(terms.count)
    }
    let ends = [Self.rounded(low * factor), Self.rounded(high * factor)].sorted()
    return ends[0]...ends[1]
  }

  /// Returns the number that an answer counts; nil for none.
  private static func value(_ answer: QuestionnaireValue, _ item: QuestionnaireItem) -> Decimal? {
    if case .choice(let options, _) = item.kind {
      return options.first { QuestionnaireEvaluator.order($0.value, answer) == .orderedSame }?
        .ordinal
    }
    switch answer {
    case .integer(let number): return Decimal(number)
    case .decimal(let number), .quantity(let number, _): return number
    case .boolean(let flag): return flag ? 1 : 0
    case .string, .date, .dateTime, .coding: return nil
    }
  }

  private static func rounded(_ value: Decimal) -> Decimal {
    var exact = value
    var result = Decimal()
    NSDecimalRound(&result, &exact, 2, .plain)
    return result
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    text.trimmingCharacters(in: .whitespaces)
  }

  /// Reads a plain number with at most six digits before and after the point.
  private static func number(_ text: Substring) -> Decimal? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2,
      parts.allSatisfy({
        (1...6).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
      })
    else { return nil }
    return Decimal(string: String(text))
  }
}

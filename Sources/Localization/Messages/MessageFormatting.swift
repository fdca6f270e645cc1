// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Message {
  /// Formats the message with its arguments.
  ///
  /// A missing argument appears as its name in braces; in a select it takes the branch `none` if there is
  /// one, so that a sentence can have optional parts.
  func write(
    into result: inout String, _ arguments: MessageArguments, language: SentenceLanguage
  ) {
    Self.write(parts, into: &result, arguments, language)
  }

  private static func write(
    _ parts: [Part], into result: inout String, _ arguments: MessageArguments,
    _ language: SentenceLanguage
  ) {
    for part in parts {
      switch part {
      case .text(let text):
        result += text
      case .argument(let name):
        if let argument = arguments[name] {
          result += text(of: argument, language)
        } else {
          result += "{" + name + "}"
        }
      case .plural(let name, let cases):
        guard let number = arguments[name]?.numericValue else {
          result += "{" + name + "}"
          continue
        }
        if let parts = branch(of: cases, for: number, language) {
          write(parts, into: &result, arguments, language)
        }
      case .select(let name, let cases):
        let value = arguments[name].map { text(of: $0, language) } ?? "none"
        if let parts = branch(of: cases, for: value) {
          write(parts, into: &result, arguments, language)
        }
      }
    }
  }

  private static func branch(
    of cases: [PluralCase], for number: PlainNumber, _ language: SentenceLanguage
  ) -> [Part]? {
    let category = PluralCategory(of: number, in: language)
    var inCategory: [Part]?
    var other: [Part]?
    for one in cases {
      switch one.selector {
      case .exactly(let value): if value == number { return one.parts }
      case .category(let value):
        if value == category { inCategory = inCategory ?? one.parts }
        if value == .other { other = other ?? one.parts }
      }
    }
    return inCategory ?? other
  }

  private static func branch(of cases: [SelectCase], for value: String) -> [Part]? {
    for one in cases where one.value == value { return one.parts }
    return cases.first { $0.value == "other" }?.parts
  }

  private static func text(of argument: MessageArgument, _ language: SentenceLanguage) -> String {
    switch argument {
    case .text(let text): text
    case .number(let number): NumberFormat(language).text(number)
    case .decimal(let number): NumberFormat(language).text(number)
    case .exact(let number): NumberFormat(language).text(number)
    }
  }
}

extension MessageArgument {
  /// The number that selects a plural form; nil for text.
  fileprivate var numericValue: PlainNumber? {
    switch self {
    case .text: nil
    case .number(let number): PlainNumber(number)
    // A number with more digits than fit never has its own plural branch.
    case .decimal(let number): PlainNumber(number) ?? PlainNumber(Int.max)
    case .exact(let number): number
    }
  }
}

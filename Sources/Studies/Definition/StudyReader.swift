// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization

/// Reads the members of a study file, and notes what is wrong with them.
struct StudyReader {
  /// The most characters of a text.
  static let longestText = 20_000
  /// The most characters of an id.
  static let longestID = 60

  private let bytes: [UInt8]
  /// The faults that were found, in the order of reading.
  private(set) var problems: [StudyProblem] = []
  /// The languages in which texts are needed.
  var languages: [Language] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Notes a fault.
  mutating func refuse(_ place: JSONPlace, _ rule: StudyRule, _ text: String) {
    problems.append(
      StudyProblem(
        path: place.text, line: JSONLines.line(of: place, in: bytes), rule: rule, text: text))
  }

  /// Returns an object with known members only; nil after noting that it is missing or something else.
  ///
  /// - Parameter missing: The rule that a missing object breaks.
  mutating func object(
    _ value: JSONValue?, _ place: JSONPlace, _ known: Set<String>,
    missing: StudyRule = .required, unknown: StudyRule = .unknown
  ) -> JSONObject? {
    guard let value, !value.isNull else {
      refuse(place, missing, "The member is missing.")
      return nil
    }
    guard let object = value.object else {
      refuse(place, .type, "This must be an object.")
      return nil
    }
    for key in object.keys where !known.contains(key) {
      let names = known.sorted().joined(separator: ", ")
      refuse(place.member(key), unknown, "Known members here are \(names).")
    }
    return object
  }

  /// Returns the items of a list; an empty list after noting that it is missing or too short.
  mutating func list(
    _ value: JSONValue?, _ place: JSONPlace, _ count: ClosedRange<Int>,
    missing: StudyRule = .required
  ) -> [JSONValue] {
    guard let value, !value.isNull else {
      if count.lowerBound > 0 { refuse(place, missing, "The list is missing.") }
      return []
    }
    guard let items = value.array else {
      refuse(place, .type, "This must be a list.")
      return []
    }
    guard count.contains(items.count) else {
      let rule = items.count < count.lowerBound ? missing : .value
      refuse(place, rule, "The list must have \(count.lowerBound) to \(count.upperBound) items.")
      return []
    }
    return items
  }

  /// Returns a whole number within limits; nil after noting that it is none.
  mutating func number(
    _ value: JSONValue?, _ place: JSONPlace, _ limits: ClosedRange<Int>,
    rule: StudyRule = .value
  ) -> Int? {
    guard let value, !value.isNull else {
      refuse(place, .required, "The member is missing.")
      return nil
    }
    guard let number = value.number?.integer else {
      refuse(place, .type, "This must be a whole number.")
      return nil
    }
    guard limits.contains(number) else {
      refuse(place, rule, "This must be from \(limits.lowerBound) to \(limits.upperBound).")
      return nil
    }
    return number
  }

  /// Returns a Boolean; nil after noting that it is none.
  mutating func flag(_ value: JSONValue?, _ place: JSONPlace) -> Bool? {
    guard let value, !value.isNull else {
      refuse(place, .required, "The member is missing.")
      return nil
    }
    guard let flag = value.bool else {
      refuse(place, .type, "This must be true or false.")
      return nil
    }
    return flag
  }

  /// Returns a text that is not empty; nil after noting that it is none.
  mutating func string(
    _ value: JSONValue?, _ place: JSONPlace, missing: StudyRule = .required
  ) -> String? {
    guard let value, !value.isNull else {
      refuse(place, missing, "The member is missing.")
      return nil
    }
    guard let text = value.string else {
      refuse(place, .type, "This must be a text.")
      return nil
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      refuse(place, missing, "The text is empty.")
      return nil
    }
    guard text.count <= Self.longestText else {
      refuse(place, .value, "The text must have at most \(Self.longestText) characters.")
      return nil
    }
    return text
  }

  /// Returns an id of lower-case letters, digits and hyphens, which no other one in `used` equals.
  mutating func id(_ value: JSONValue?, _ place: JSONPlace, used: inout Set<String>) -> String? {
    guard let text = string(value, place) else { return nil }
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isPlain, text.count <= Self.longestID, text.utf8.first != UInt8(ascii: "-") else {
      refuse(
        place, .value,
        "An id has at most \(Self.longestID) lower-case letters, digits and hyphens.")
      return nil
    }
    guard used.insert(text).inserted else {
      refuse(place, .duplicate, "The id is used twice.")
      return nil
    }
    return text
  }

  /// Returns a text in every language of the study; nil after noting what is missing.
  ///
  /// - Parameter missing: The rule that a missing text breaks.
  mutating func text(
    _ value: JSONValue?, _ place: JSONPlace, missing: StudyRule = .required
  ) -> StudyText? {
    guard
      let members = object(
        value, place, Set(Language.allCases.map(\.rawValue)), missing: missing)
    else { return nil }
    var texts: [Language: String] = [:]
    for language in languages {
      let rule = missing == .required ? StudyRule.language : missing
      texts[language] = string(
        members[language.rawValue], place.member(language.rawValue), missing: rule)
    }
    return texts.count == languages.count ? StudyText(texts) : nil
  }
}

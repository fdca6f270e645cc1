// SPDX-License-Identifier: Apache-2.0
import Localization

/// The section of a page that a statement belongs to, in the order of the page.
public enum TopicSection: String, CaseIterable, Sendable, Hashable {
  case emergency, symptoms, home, medicine
  case doNot = "do-not"
  case help, storage
}

/// The review of a text by an expert.
public enum Review: Sendable, Hashable {
  case unreviewed
  /// The day, such as `2026-12-01`, and the reviewer.
  case reviewed(day: String, by: String)

  /// Reads `unreviewed`, or a day followed by a name.
  init?(text: String) {
    if text == "unreviewed" {
      self = .unreviewed
      return
    }
    let halves = text.split(separator: " ", maxSplits: 1)
    guard halves.count == 2, isDay(halves[0]) else { return nil }
    self = .reviewed(day: String(halves[0]), by: trimmed(halves[1]))
  }
}

/// A statement on a page, with its sources and reviews.
public struct Statement: Sendable, Hashable {
  /// The identifier, such as `fever.threshold`; for a single region it ends in `@uk`, `@us` or `@th`.
  public let id: String
  /// The section of the page.
  public let section: TopicSection
  /// The regions in which it applies.
  public let reach: Reach
  /// The ids of its sources.
  public let sources: [String]
  /// The certainty about the content of its sources.
  public let facts: FactsStatus
  /// The review of its content by a clinician.
  public let review: Review
  private let translations: [Language: Review]
  private let texts: [Language: String]

  /// Returns the text in a language.
  public func text(in language: Language) -> String { texts[language] ?? texts[.en] ?? id }

  /// Returns the review of the wording in a language.
  ///
  /// English is the wording that the clinician reviews.
  public func translationReview(in language: Language) -> Review {
    language == .en ? review : translations[language] ?? .unreviewed
  }

  /// Reads a statement; nil, with a note, if something is missing.
  init?(_ block: ContentBlock, noting note: (Int, String) -> Void) {
    let line = block.line
    func complain(_ problem: String) { note(line, "\(block.name): \(problem)") }
    guard let section = block["section"].flatMap(TopicSection.init(rawValue:)),
      let reach = block["region"].flatMap(Reach.init(text:)),
      let facts = block["facts"].flatMap(FactsStatus.init(rawValue:)),
      let review = block["review"].flatMap(Review.init(text:))
    else {
      complain("section, region, facts or review is missing or unknown")
      return nil
    }
    let suffix = block.name.split(separator: "@", omittingEmptySubsequences: false).dropFirst()
    let expected: [Substring] =
      if case .only(let region) = reach { [Substring(region.rawValue)] } else { [] }
    if Array(suffix) != expected { complain("the id must end in @ and its region, or have none") }
    let sources = block.list("sources", separator: ",")
    if sources.isEmpty { complain("no source") }
    var texts: [Language: String] = [:]
    var translations: [Language: Review] = [:]
    for language in Language.allCases {
      texts[language] = block[language.tag]
      if texts[language] == nil { complain("no text in \(language.tag)") }
      if let text = block["review.\(language.tag)"] {
        translations[language] = Review(text: text)
        if translations[language] == nil { complain("review.\(language.tag) is not understood") }
      }
    }
    id = block.name
    self.section = section
    self.reach = reach
    self.sources = sources
    self.facts = facts
    self.review = review
    self.texts = texts
    self.translations = translations
  }
}

/// Returns true if a text is a day such as 2026-12-01.
func isDay(_ text: some StringProtocol) -> Bool {
  let parts = text.split(separator: "-", omittingEmptySubsequences: false)
  guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }),
    let month = Int(parts[1]), let day = Int(parts[2])
  else { return false }
  return (1...12).contains(month) && (1...31).contains(day)
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

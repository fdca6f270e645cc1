// SPDX-License-Identifier: Apache-2.0
import Localization

/// The audience of a topic.
public enum TopicAudience: String, Sendable, Hashable {
  case children, adults
  /// Everyone: the statements on every topic's emergency card.
  case everyone
}

/// A page of the knowledge base.
public struct Topic: Sendable, Hashable {
  /// The name of its file and address, such as `fever`.
  public let id: String
  /// The position in the list; 0 for topics whose statements are only used on other pages.
  public let order: Int
  /// The audience of the topic.
  public let audience: TopicAudience
  /// The day on which it was compiled from its sources, such as `2026-11-22`.
  public let compiled: String
  /// The statements, in the order of the file.
  public let statements: [Statement]
  private let titles: [Language: String]

  /// Returns the title in a language.
  public func title(in language: Language) -> String { titles[language] ?? titles[.en] ?? id }

  /// Returns the statements of one section under the rules of a region, in the order of the file.
  public func statements(in section: TopicSection, region: Region) -> [Statement] {
    statements.filter { $0.section == section && $0.reach.includes(region) }
  }

  /// Reads a topic's file; nil, with a note, if its head is not valid.
  init?(id: String, content: String, noting note: (Int, String) -> Void) {
    let blocks = ContentBlock.blocks(in: content, noting: note)
    guard let head = blocks.first, head.name == "topic",
      let order = head["order"].flatMap({ Int($0) }),
      let audience = head["audience"].flatMap(TopicAudience.init(rawValue:)),
      let compiled = head["compiled"], isDay(compiled)
    else {
      note(1, "expected [topic] with order, audience and compiled")
      return nil
    }
    var titles: [Language: String] = [:]
    for language in Language.allCases {
      titles[language] = head[language.tag]
      if titles[language] == nil { note(head.line, "no title in \(language.tag)") }
    }
    var seen: [String: Reach] = [:]
    var stems: [Substring: Set<Bool>] = [:]
    statements = blocks.dropFirst().compactMap { block in
      guard let statement = Statement(block, noting: note) else { return nil }
      let stem = statement.id.prefix { $0 != "@" }
      if !statement.id.hasPrefix(id + ".") { note(block.line, "\(statement.id): not of \(id)") }
      if seen.updateValue(statement.reach, forKey: statement.id) != nil {
        note(block.line, "\(statement.id) appears twice")
      }
      // A statement for everywhere and one for a single region would be two rules on one page.
      if stems[stem, default: []].union([statement.reach == .everywhere]).count > 1 {
        note(block.line, "\(stem): for all regions and for one")
      }
      stems[stem, default: []].insert(statement.reach == .everywhere)
      return statement
    }
    self.id = id
    self.order = order
    self.audience = audience
    self.compiled = compiled
    self.titles = titles
  }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Localization

@Suite("Message keys in the sources") struct SourceUseTests {
  private let messages = Catalogue.of(.en).messages
  private let features = Set(
    Catalogue.of(.en).messages.keys.map { String($0.prefix { $0 != "." }) })

  @Test("every key used in the sources has a message")
  func noneIsMissing() throws {
    let scan = try SourceScan(features: features)
    #expect(!scan.uses.isEmpty)
    let missing = scan.uses.filter { messages[$0.key] == nil }.map { "\($0.place) \($0.key)" }
    #expect(missing.sorted() == [])
    let empty = scan.patterns.filter { pattern in !messages.keys.contains { fits($0, pattern) } }
    #expect(empty.map { "\($0.prefix)…\($0.suffix)" } == [])
  }

  @Test("every message is used in the sources")
  func noneIsUnused() throws {
    let scan = try SourceScan(features: features)
    let used = Set(scan.uses.map(\.key))
    let unused = messages.keys.filter { key in
      !used.contains(key) && !scan.patterns.contains { fits(key, $0) }
    }
    #expect(unused.sorted() == [])
  }

  @Test("arguments next to a key match its message")
  func argumentsFit() throws {
    for use in try SourceScan(features: features).uses {
      guard let arguments = use.arguments, let message = messages[use.key] else { continue }
      let extra = Set(arguments).subtracting(message.argumentNames)
      #expect(extra.sorted() == [], "\(use.place) \(use.key)")
    }
  }

  private func fits(_ key: String, _ pattern: (prefix: String, suffix: String)) -> Bool {
    key.hasPrefix(pattern.prefix) && key.hasSuffix(pattern.suffix)
      && key.count > pattern.prefix.count + pattern.suffix.count
  }

  @Test("the scan finds keys where they are used")
  func scans() {
    let scan = SourceScan(
      text: ##"""
        localizer.text("demo.one", ["name": .text(f("x")), "n": a ? "b" : "c"])
        localizer.text(
          "other.two")
        let key: MessageKey = "other.three"
        case .a: "demo.four"
        let file = "demo.five"  // not a message
        let host = MessageArgument.host("example.com") // "demo.six" in a comment
        MessageKey("demo.\(kind).name")
        text("plain words"); text("demo.seven", arguments)
        let page = "<p>\(localizer.text("other.eight", ["a": 1]))</p>"
        let page = """
          <p>"\(localizer.text("other.nine"))"</p>
          """
        let raw = #"a "demo.ten" \#(text("other.eleven"))"#
        ["url": .text("example.org")]
        let broken = "
        text("other.twelve")
        """##, features: ["demo"])
    #expect(
      scan.uses.map(\.key) == [
        "demo.one", "other.two", "other.three", "demo.four", "demo.seven", "other.eight",
        "other.nine", "other.eleven", "other.twelve",
      ])
    #expect(scan.uses.map(\.place) == [1, 3, 4, 5, 9, 10, 12, 14, 17].map { ":\($0)" })
    #expect(scan.uses[0].arguments == ["name", "n"])
    #expect(scan.uses[4].arguments == nil)
    #expect(scan.uses[5].arguments == ["a"])
    #expect(scan.patterns.map(\.prefix) == ["demo."])
    #expect(scan.patterns.map(\.suffix) == [".name"])
  }
}

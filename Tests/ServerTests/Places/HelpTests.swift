// SPDX-License-Identifier: Apache-2.0

import Access
import HTTPTypes
import HummingbirdTesting
import Localization
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

/// The common questions and the line at the end of each page.
@Suite struct HelpTests {
  @Test func `every help answer links to an existing page`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let page = try await browser.open("/help").text
      #expect(HelpQuestion.allCases.count == 10)
      for question in HelpQuestion.allCases {
        #expect(page.contains("id=\"\(question.rawValue)\""), "\(question)")
        #expect(page.contains("href=\"\(question.address)\""), "\(question)")
        let target = try await browser.open(question.address)
        #expect(target.status == .ok, "\(question)")
      }
      #expect(!page.contains("<details class=\"disclosure\" open"))
      let opened = try await browser.open("/help?question=travel").text
      #expect(opened.contains("id=\"travel\"><details class=\"disclosure\" open"))
      #expect(try await browser.open("/help?question=nonsense").status == .ok)
    }
  }

  @Test func `visitors can read the answers, viewers find only what is allowed`() async throws {
    try await ServerHarness.run { harness in
      let stranger = try await harness.send(.get, "/help")
      #expect(stranger.status == .ok && stranger.text.contains("id=\"reminders\""))
      #expect(!stranger.text.contains("href=\"/device\""))
      let house = try await Household.make(harness)
      let looking = try await house.connect(
        harness.makeAccount("Bob"), .family, categories: [.adherence])
      let page = try await looking.open("/help").text
      #expect(page.contains("href=\"/device\"") && !page.contains("href=\"/medicines/new\""))
    }
  }

  @Test(arguments: Language.allCases)
  func `answers are two or three sentences`(language: Language) {
    let localizer = Localizer.of(language)
    for question in HelpQuestion.allCases {
      let answer = question.answer(localizer)
      #expect(!answer.isEmpty && answer.count < 400, "\(language) \(question)")
      #expect(question.question(localizer) != answer && !question.link(localizer).isEmpty)
      guard language != .th else { continue }
      let sentences = answer.matches(of: /[.?!](?:\s|$)/).count
      #expect((2...3).contains(sentences), "\(language) \(question): \(sentences)")
    }
  }

  @Test func `every page ends in one line`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      for address in ["/", "/medicines", "/me", "/nowhere"] {
        let page = try await browser.open(address).text
        let footer = try #require(page.firstMatch(of: /<footer.*<\/footer>/.dotMatchesNewlines()))
        let links = footer.output.matches(of: /<div class="footer-line">.*<a href="([^"]*)"/)
        #expect(links.count == 1 && footer.output.contains("href=\"/help\""), "\(address)")
        #expect(footer.output.contains("href=\"/me/appearance\""), "\(address)")
        #expect(footer.output.contains("action=\"/sign-out\""), "\(address)")
        #expect(!footer.output.contains("/preferences"), "\(address)")
      }
    }
  }

  @Test func `display settings are open to all, signed-in users get their language`() async throws {
    try await ServerHarness.run { harness in
      let stranger = try await harness.send(.get, "/me/appearance").text
      for choice in ["language=de", "theme=dark", "text-size=200"] {
        // Each choice once: two landmarks of one name are hard to tell apart.
        #expect(stranger.ranges(of: "/preferences?\(choice)").count == 1, "\(choice)")
      }
      #expect(!stranger.contains("<form class=\"form\""))
      let ann = try await harness.makeAccount("Ann")
      let own = try await harness.session(of: ann).open("/me/appearance").text
      #expect(own.contains("name=\"language\"") && !own.contains("/preferences?language=de"))
      let token = try await harness.token(of: ann)
      let program = try await harness.send(.get, "/me/appearance", token)
      #expect(program.status == .ok && !program.text.contains("name=\"language\""))
    }
  }
}

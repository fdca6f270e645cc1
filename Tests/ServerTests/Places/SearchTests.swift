// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import TestSupport
import Testing

@testable import AccountPages
@testable import Web

/// The search over medicines, people, settings and help.
@Suite struct SearchTests {
  /// Returns the addresses that a search finds.
  private func finds(_ query: String, _ browser: Browser) async throws -> [String] {
    let page = try await browser.open("/search?q=\(QueryText.encode(query))")
    #expect(page.status == .ok, "\(query)")
    let main = try #require(page.text.firstMatch(of: /<main.*<\/main>/.dotMatchesNewlines()))
    return main.output.matches(of: /<li><a href="([^"]*)"/).map { String($0.1) }
  }

  @Test func `finds medicines, people, settings and help`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (plan, _) = try await house.dose(of: house.ann.patient, medicine: "Metoprolol")
      let browser = house.chosen(house.ann.patient)
      #expect(try await finds("METO", browser).first == "/medicines/\(plan)")
      let people = try await browser.open("/search?q=little").text
      #expect(people.contains("value=\"\(house.child)\"") && people.contains("Mali"))
      for (query, address) in [
        ("quiet", "/reminders/quiet"), ("do not disturb", "/reminders/quiet"),
        ("password", "/account/security"), ("passkey", "/account/security"),
        ("allergy", "/me/health-profile#allergies"), ("export", "/privacy"),
        ("dark mode", "/me/appearance"), ("language", "/me/appearance"),
        ("time zone", "/me/routine"), ("breakfast", "/me/routine"), ("watch", "/heart-rate/phone"),
        ("token", "/me/programs"), ("PDF", "/report"), ("invite", "/people"), ("refill", "/stock"),
        ("missed dose", "/help?question=missed-dose#missed-dose"),
        ("fever", "/knowledge/topics/fever"),
      ] {
        #expect(try await finds(query, browser).contains(address), "\(query)")
      }
      // A misspelled medicine is found in the reference list.
      #expect(
        try await finds("metoprolo", browser).contains { $0.hasPrefix("/knowledge/medicines/") })
    }
  }

  @Test(arguments: [
    "", "   ", "%00", "\u{202E}", "zzzzzz", "<script>", String(repeating: "x", count: 1500),
  ])
  func `any input is safe`(query: String) async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let page = try await browser.open("/search?q=\(QueryText.encode(query))")
      #expect(page.status == .ok && !page.text.contains("<script>"))
      #expect(page.text.contains("action=\"/search\""))
    }
  }

  @Test func `results exclude what the viewer can't see or do`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Childolol")
      let bob = try await harness.makeAccount("Bob")
      let looking = try await house.connect(bob, .family, categories: [.adherence])
      #expect(try await finds("childolol", looking) == [])
      for query in ["allergy", "time zone", "refill", "PDF", "export", "interaction"] {
        let found = try await finds(query, looking)
        #expect(
          !found.contains {
            $0.hasPrefix("/me/") || $0.hasPrefix("/stock") || $0 == "/report"
              || $0.hasPrefix("/privacy") || $0.hasPrefix("/interactions")
          }, "\(query) \(found)")
      }
      #expect(try await finds("password", looking).contains("/account/security"))
      #expect(try await finds("statistics", looking).contains("/report/charts"))
      // People out of reach are never found.
      let eve = try await harness.session(of: harness.makeAccount("Eve"))
      #expect(!(try await eve.open("/search?q=Mali").text.contains(house.child.text)))
    }
  }

  @Test func `the search field is on Medicines and Me`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      for address in ["/medicines", "/me", "/help"] {
        let page = try await browser.open(address).text
        #expect(page.components(separatedBy: "action=\"/search\"").count == 2, "\(address)")
      }
      #expect(!(try await browser.open("/").text.contains("action=\"/search\"")))
      // A stranger has nothing to search.
      #expect(!(try await harness.send(.get, "/help").text.contains("action=\"/search\"")))
    }
  }

  @Test(arguments: Language.allCases)
  func `every page is found by its title and each keyword`(language: Language) {
    let localizer = Localizer.of(language)
    for page in SearchablePage.allCases {
      let title = page.title(localizer)
      #expect(!title.contains(".title"), "\(page)")
      let text = "\(title) \(page.words(localizer))"
      for words in text.split(separator: ",") {
        let query = SearchText(String(words), longest: 200)
        #expect(query.matches(text), "\(language) \(page): \(words)")
      }
    }
  }

  @Test(arguments: [
    ("ruhe", "Ruhezeiten", true), ("zeit", "Ruhezeiten", false), ("ıstanbul", "İstanbul", true),
    ("Apotheke", "apotheke", true), ("ÅPNE", "åpne", true), ("ยา", "คลังยา", true),
    ("zone time", "Time zone", true), ("time x", "Time zone", false), ("", "Time zone", false),
  ])
  func `words match from the start, ignoring case and accents`(
    typed: String, text: String, isFound: Bool
  ) {
    #expect(SearchText(typed, longest: 100).matches(text) == isFound)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import HTTPTypes
import HummingbirdTesting
import Localization
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

/// The limits of an app's permissions in the words of the page of the decision.
@Suite struct ScopeWordsTests {
  private func lines(_ scopes: String, _ language: Language = .en) -> [String] {
    ScopeChoices(SMARTScopes(parsing: scopes)).lines(Localizer.of(language))
  }

  @Test(arguments: [
    ("Observation", "category=vital-signs", "vital signs"),
    (
      "Observation",
      "category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory",
      "lab results"
    ),
    ("Observation", "category=laboratory,vital-signs", "lab results and vital signs"),
    ("Observation", "code=http://loinc.org|8867-4", "heart rate"),
    ("Observation", "category=vital-signs&status=final", "vital signs; final values"),
    ("Condition", "clinical-status=active", "current entries"),
    ("MedicationRequest", "status=active", "current entries"),
    // Codes without a word, of another list, or of a type that has none keep their text.
    ("Observation", "category=secret-category", "entries marked “secret-category”"),
    ("Observation", "category=https://example.org/|vital-signs", "entries marked “vital-signs”"),
    ("Observation", "category=|vital-signs", "entries marked “vital-signs”"),
    ("Condition", "category=vital-signs", "entries marked “vital-signs”"),
    ("Observation", "category=vital-signs,other", "entries marked “vital-signs, other”"),
    ("Observation", "code=http://loinc.org|1-8", "entries marked “1-8”"),
    // A word would say the opposite here, or nothing true.
    ("Observation", "category:not=vital-signs", "entries that fit a technical rule"),
    ("Observation", "date=ge2026-01-01", "entries that fit a technical rule"),
  ])
  func `a limit is said in words`(type: String, query: String, words: String) {
    let found = lines("patient/\(type).rs?\(query)")
    #expect(found.count == 1 && found.first?.hasSuffix("(Only: \(words))") == true, "\(found)")
  }

  @Test(arguments: Language.allCases)
  func `every language has words for limits`(language: Language) {
    for limit in ["category=vital-signs", "category=x", "date=ge2026", "code=29463-7"] {
      let text = lines("patient/Observation.rs?\(limit)", language).joined()
      #expect(!text.contains("apps.") && !text.contains("category"), "\(text)")
    }
  }

  @Test func `the page shows words first and the notation in a disclosure`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let changes = ["scope": "launch/patient patient/Observation.rs?category=vital-signs"]
      let led = try await house.authorize(changes)
      let page = try await house.browser.open(try #require(led.headers[.location])).text
      #expect(page.contains("Only: vital signs") && page.contains("Technical details"))
      #expect(page.contains("Observation?category=vital-signs</code>"))
      let limited = "patient/Observation.rs?category=vital-signs"
      let answer = try AppHouse.answer(try await house.decide(changes, allowed: [limited]))
      _ = try await house.exchange(try #require(answer["code"]))
      let apps = try await house.browser.open("/me/apps").text
      #expect(apps.contains("Only: vital signs") && apps.contains("Technical details"))
      // Without a limit there is nothing technical to show.
      let plain = try await house.browser.open(
        try #require(try await house.authorize().headers[.location]))
      #expect(!plain.text.contains("Technical details"))
    }
  }
}

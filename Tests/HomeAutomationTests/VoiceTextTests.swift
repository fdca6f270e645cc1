// SPDX-License-Identifier: Apache-2.0

import Localization
import Statistics
import Testing

@testable import HomeAutomation

/// The sentences that are read out.
@Suite struct VoiceTextTests {
  private static func due(_ medicine: String, _ time: String = "20:00") -> VoiceDay.Due {
    VoiceDay.Due(id: HomeStateTests.dose(1), version: 1, medicine: medicine, time: time)
  }

  private static func text(_ language: Language = .en, names: Bool = false) -> VoiceText {
    VoiceText(localizer: .of(language), namesMedicine: names)
  }

  @Test func `the question reads back what a yes logs`() {
    let day = VoiceDay(due: [Self.due("Testolol"), Self.due("Zinc"), Self.due("Iron")], planned: 3)
    #expect(
      Self.text().readBack(day)
        == "You mean the 3 medicines of 20:00. Say yes to log them.")
    #expect(
      Self.text().readBack(VoiceDay(due: [Self.due("Zinc")], planned: 1))
        == "You mean the medicine of 20:00. Say yes to log it.")
    #expect(Self.text().readBack(VoiceDay()) == "Nothing is due now.")
    let later = VoiceDay(due: [Self.due("Zinc", "08:00"), Self.due("Iron", "08:30")], planned: 2)
    #expect(Self.text().readBack(later).contains("08:00 and 08:30"))
  }

  @Test func `medicines are named only if chosen, and only a few`() {
    let day = VoiceDay(due: [Self.due("Testolol"), Self.due("Zinc")], planned: 2)
    #expect(!Self.text().readBack(day).contains("Testolol"))
    #expect(!Self.text().status(day).contains("Testolol"))
    let named = Self.text(names: true)
    #expect(
      named.readBack(day) == "You mean Testolol and Zinc, due at 20:00. Say yes to log them.")
    #expect(named.status(day).hasSuffix("Due since 20:00: Testolol and Zinc."))
    let many = VoiceDay(due: (1...6).map { Self.due("Medicine \($0)") }, planned: 6)
    #expect(named.readBack(many) == "You mean the 6 medicines of 20:00. Say yes to log them.")
  }

  @Test func `the status tells what was taken, what waits and what comes`() {
    let text = Self.text()
    #expect(
      text.status(VoiceDay(planned: 5, taken: 2, next: "20:00"))
        == "You have taken 2 of 5 doses today. The next time is 20:00.")
    #expect(
      text.status(VoiceDay(part: .evening, planned: 2, taken: 2, next: "08:00"))
        == "Yes, you have taken all 2 doses of this evening.")
    #expect(
      text.status(VoiceDay(part: .evening, due: [Self.due("Zinc")], planned: 1))
        == "You haven’t taken the one dose of this evening yet. One is due since 20:00.")
    #expect(text.status(VoiceDay(part: .night)) == "No doses are planned tonight.")
  }

  @Test(arguments: Language.allCases)
  func `every sentence is whole in every language`(language: Language) {
    let text = Self.text(language, names: true)
    let parts: [DayPart?] = [nil] + DayPart.allCases
    for part in parts {
      for (planned, taken) in [(0, 0), (1, 0), (1, 1), (3, 0), (3, 1), (3, 3)] {
        for count in 0...2 {
          let due = (0..<count).map { Self.due("M\($0)") }
          let day = VoiceDay(part: part, due: due, planned: planned, taken: taken, next: "20:00")
          for spoken in [text, Self.text(language)] {
            for sentence in [spoken.status(day), spoken.readBack(day), spoken.logged(count)] {
              #expect(!sentence.isEmpty && !sentence.contains("{") && !sentence.contains("#"))
              #expect(!sentence.contains("voice."), "\(sentence)")
            }
          }
        }
      }
    }
    #expect(!text.asks.contains("voice.") && !text.over.contains("voice."))
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import Testing

@testable import Instructions

/// A medicine for one day of the week, such as methotrexate, must not read as a daily one.
@Suite("Weekdays in dosage sentences") struct WeekdaySentenceTests {
  private func sentence(
    _ recurrence: String, asNeeded: Bool = false, _ language: SentenceLanguage = .en
  ) throws -> DosageSentence {
    let json = """
      {"asNeededBoolean":\(asNeeded),"timing":{"repeat":{\(recurrence)}},
      "doseAndRate":[{"doseQuantity":{"value":7.5,"code":"mg"}}]}
      """
    let dosage = DosageView(try JSONValue(parsing: Array(json.utf8)))
    return DosageWriter.sentence(for: [dosage], form: .patient, language: language)
  }

  @Test(
    "once a day on one weekday is every such day",
    arguments: [
      (SentenceLanguage.en, "Take 7.5 mg every Monday, in the evening."),
      (.de, "Nehmen Sie 7,5 mg, jeden Montag, abends."),
      (.nb, "Ta 7,5 mg hver mandag, om kvelden."),
    ])
  func onceADay(language: SentenceLanguage, expected: String) throws {
    let daily = #""frequency":1,"period":1,"periodUnit":"d","dayOfWeek":["mon"],"when":["EVE"]"#
    let sentence = try sentence(daily, language)
    #expect(sentence.text == expected)
    #expect(sentence.unvoiced.isEmpty)
    let bare = #""dayOfWeek":["mon"],"when":["EVE"]"#
    #expect(try self.sentence(bare, language).text == expected)
  }

  @Test("a frequency that says more stays", arguments: [2, 3])
  func moreOften(frequency: Int) throws {
    let text = try sentence(
      #""frequency":\#(frequency),"period":1,"periodUnit":"d","dayOfWeek":["mon"]"#
    ).text
    #expect(text.contains("a day, on Monday"), "\(text)")
  }

  @Test("the limit of a medicine taken when needed stays")
  func asNeeded() throws {
    let text = try sentence(
      #""frequency":1,"period":1,"periodUnit":"d","dayOfWeek":["mon"]"#, asNeeded: true
    ).text
    #expect(text.contains("once a day"), "\(text)")
  }
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import Testing

@testable import Instructions

/// Sentences that a person could take for more, or less, than the prescription allows.
@Suite("Safe dosage sentences") struct SafeSentenceTests {
  private func sentence(
    _ recurrence: String, dose: String = #""value":1,"code":"{tablet}""#, rest: String = "",
    form: DosageForm = .patient, _ language: SentenceLanguage = .en
  ) throws -> DosageSentence {
    let json = """
      {"timing":{"repeat":{\(recurrence)}},"doseAndRate":[{"doseQuantity":{\(dose)}}]\(rest)}
      """
    let dosage = DosageView(try JSONValue(parsing: Array(json.utf8)))
    return DosageWriter.sentence(for: [dosage], form: form, language: language)
  }

  private static let upToFour = #""frequency":1,"frequencyMax":4,"period":1,"periodUnit":"d""#
  private static let needed = #","asNeededBoolean":true"#
  private static let daily = #""frequency":1,"period":1,"periodUnit":"d""#
  private static let wholeWeek = #""dayOfWeek":["mon","tue","wed","thu","fri","sat","sun"]"#
  private static let onSkin = #","route":{"coding":[{"code":"6064005"}]}"#

  @Test(
    "one to four times a day when needed is a limit",
    arguments: [
      (SentenceLanguage.en, "Take 1 tablet when needed, at most 4 times a day."),
      (.de, "Nehmen Sie 1 Tablette ein, bei Bedarf, höchstens 4-mal täglich."),
      (.nb, "Ta 1 tablett ved behov, høyst 4 ganger om dagen."),
      (.th, "รับประทานครั้งละ 1 เม็ด เมื่อจำเป็น ไม่เกินวันละ 4 ครั้ง"),
      (.tr, "Gerektiğinde, en fazla günde 4 kez 1 tablet alın."),
    ])
  func limit(language: SentenceLanguage, expected: String) throws {
    let sentence = try sentence(Self.upToFour, rest: Self.needed, language)
    #expect(sentence.text == expected)
    #expect(sentence.unvoiced.isEmpty)
  }

  @Test("a range stays if it is planned, or if its lower end asks for more than one dose")
  func range() throws {
    #expect(try sentence(Self.upToFour).text == "Take 1 tablet 1 to 4 times a day.")
    let two = #""frequency":2,"frequencyMax":4,"period":1,"periodUnit":"d""#
    #expect(try sentence(two, rest: Self.needed).text.contains("2 to 4 times a day"))
    let most = #""frequencyMax":4,"period":1,"periodUnit":"d""#
    #expect(
      try sentence(most, rest: Self.needed).text
        == "Take 1 tablet when needed, at most 4 times a day.")
    #expect(try sentence(most).text == "Take 1 tablet at most 4 times a day.")
    let hours = #""frequency":1,"frequencyMax":2,"period":6,"periodMax":8,"periodUnit":"h""#
    #expect(
      try sentence(hours, rest: Self.needed).text
        == "Take 1 tablet when needed, at most twice every 6 to 8 hours.")
  }

  @Test(
    "the limit stays a limit next to weekdays, times and events",
    arguments: [
      (SentenceLanguage.en, "once a day, on Monday and Thursday", "at most once a day, at bedtime"),
      (
        .de, "höchstens einmal täglich, am Montag und Donnerstag",
        "höchstens einmal täglich, vor dem"
      ),
      (.nb, "høyst én gang om dagen, mandag og torsdag", "høyst én gang om dagen, ved sengetid"),
      (.th, "ไม่เกินวันละ 1 ครั้ง ในวันจันทร์", "ไม่เกินวันละ 1 ครั้ง ก่อนนอน"),
      (.tr, "en fazla günde 1 kez, Pazartesi ve Perşembe", "en fazla günde 1 kez, yatmadan önce"),
    ])
  func limitOnDays(language: SentenceLanguage, onDays: String, atBedtime: String) throws {
    let days = Self.daily + #","dayOfWeek":["mon","thu"]"#
    let text = try sentence(days, rest: Self.needed, language).text
    #expect(text.contains(onDays), "\(text)")
    let night = try sentence(Self.daily + #","when":["HS"]"#, rest: Self.needed, language).text
    #expect(night.contains(atBedtime), "\(night)")
  }

  @Test(
    "all seven weekdays are every day",
    arguments: [
      (SentenceLanguage.en, "Take 1 tablet once a day.", "Take 1 tablet every day."),
      (.de, "Nehmen Sie 1 Tablette ein, einmal täglich.", "Nehmen Sie 1 Tablette ein, jeden Tag."),
      (.nb, "Ta 1 tablett én gang om dagen.", "Ta 1 tablett hver dag."),
      (.th, "รับประทานครั้งละ 1 เม็ด วันละ 1 ครั้ง", "รับประทานครั้งละ 1 เม็ด ทุกวัน"),
      (.tr, "Günde 1 kez 1 tablet alın.", "Her gün 1 tablet alın."),
    ])
  func wholeWeek(language: SentenceLanguage, once: String, everyDay: String) throws {
    let sentence = try sentence("\(Self.daily),\(Self.wholeWeek)", language)
    #expect(sentence.text == once)
    #expect(sentence.unvoiced.isEmpty)
    let bare = try self.sentence(Self.wholeWeek, language)
    #expect(bare.text == everyDay)
    #expect(bare.unvoiced.isEmpty)
  }

  @Test("seven weekdays stay in words where they are not every day")
  func wholeWeekElsewhere() throws {
    let fortnight = #""frequency":1,"period":2,"periodUnit":"wk",\#(Self.wholeWeek)"#
    #expect(try sentence(fortnight).text.contains("Monday"))
    let short = try sentence("\(Self.daily),\(Self.wholeWeek)", form: .short).text
    #expect(short == "1 tablet · once a day")
  }

  @Test(
    "one application is not applied twice over",
    arguments: [
      (SentenceLanguage.en, "Apply this medicine to the skin once a day."),
      (.de, "Tragen Sie dieses Arzneimittel auf die Haut auf, einmal täglich."),
      (.nb, "Påfør denne medisinen på huden én gang om dagen."),
      (.th, "ทาผิวหนัง วันละ 1 ครั้ง"),
      (.tr, "Günde 1 kez bu ilacı cilde sürün."),
    ])
  func application(language: SentenceLanguage, expected: String) throws {
    let one = #""value":1,"code":"{application}""#
    let sentence = try sentence(Self.daily, dose: one, rest: Self.onSkin, language)
    #expect(sentence.text == expected)
    #expect(sentence.unvoiced.isEmpty)
  }

  @Test("two applications, and one in a list, stay")
  func applications() throws {
    let two = #""value":2,"code":"{application}""#
    let text = try sentence(Self.daily, dose: two, rest: Self.onSkin).text
    #expect(text == "Apply 2 applications to the skin once a day.")
    let one = #""value":1,"code":"{application}""#
    let short = try sentence(Self.daily, dose: one, rest: Self.onSkin, form: .short).text
    #expect(short == "1 application · once a day")
    let injection = #""value":1,"code":"{injection}""#
    let route = #","route":{"coding":[{"code":"34206005"}]}"#
    #expect(
      try sentence(Self.daily, dose: injection, rest: route).text
        == "Inject this medicine under the skin once a day.")
    #expect(try sentence(Self.daily, dose: injection).text == "Use 1 injection once a day.")
  }

  @Test(
    "a weekly text next to daily elements is always shown",
    arguments: [
      (SentenceLanguage.en, "1 tablet once weekly"), (.en, "Take one tablet every Monday"),
      (.de, "1 Tablette einmal wöchentlich"), (.nb, "1 tablett én gang i uken"),
      (.th, "1 เม็ด สัปดาห์ละครั้ง"), (.tr, "1 tablet haftada bir"), (.en, "1 tablet per month"),
    ])
  func weeklyText(language: SentenceLanguage, text: String) throws {
    let sentence = try sentence(Self.daily, rest: #","text":"\#(text)""#, language)
    #expect(sentence.text.contains(text), "\(sentence.text)")
    #expect(!sentence.mismatches.isEmpty)
  }

  @Test(
    "a text that the elements repeat is not shown",
    arguments: [
      (#""frequency":1,"period":1,"periodUnit":"wk""#, "1 tablet once weekly"),
      (#""frequency":1,"period":7,"periodUnit":"d""#, "1 tablet every week"),
      (#""frequency":1,"period":1,"periodUnit":"d""#, "1 tablet daily"),
      (#""frequency":1,"period":1,"periodUnit":"d","dayOfWeek":["mon"]"#, "1 tablet on Mondays"),
      (#""frequency":1,"period":1,"periodUnit":"mo""#, "1 tablet each month"),
    ])
  func agreeing(recurrence: String, text: String) throws {
    let sentence = try sentence(recurrence, rest: #","text":"\#(text)""#)
    #expect(!sentence.text.contains(text), "\(sentence.text)")
    #expect(sentence.mismatches.isEmpty)
  }

  @Test("a daily text next to weekly elements is shown")
  func dailyText() throws {
    let weekly = #""frequency":1,"period":1,"periodUnit":"wk""#
    let sentence = try sentence(weekly, rest: #","text":"1 tablet daily""#)
    #expect(sentence.text.contains("The prescriber wrote: “1 tablet daily”"))
    #expect(sentence.mismatches == ["text: daily"])
  }
}

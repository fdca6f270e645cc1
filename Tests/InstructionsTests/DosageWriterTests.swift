// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import Testing

@testable import Instructions

@Suite("Dosage sentences") struct DosageWriterTests {
  private func dosages(_ json: String) throws -> [DosageView] {
    let value = try JSONValue(parsing: Array(json.utf8))
    return (value.array ?? [value]).map(DosageView.init)
  }

  @Test("golden sentences", arguments: GoldenSentences.all, Language.allCases)
  func golden(_ one: GoldenSentences.Golden, language: Language) throws {
    let dosages = try dosages(one.json)
    let sentence = DosageWriter.sentence(for: dosages, language: language)
    #expect(sentence.text == one.sentences[language], "\(one.name)")
    #expect(sentence.unvoiced == one.unvoiced, "\(one.name)")
    if language == .en {
      #expect(DosageWriter.short(for: dosages, language: .en) == one.short, "\(one.name)")
    }
  }

  @Test(
    "what is not said is listed by its path",
    arguments: [
      (
        #"{"timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d","count":3,"countMax":5}}}"#,
        ["timing.repeat.count", "timing.repeat.countMax"]
      ),
      (#"{"site":{"text":"left arm"},"method":{"text":"swallow"}}"#, ["site", "method"]),
      (#"{"timing":{"event":["2026-03-01T08:00:00Z"]}}"#, ["timing.event"]),
      (#"{"timing":{"code":{"text":"now and then"}}}"#, ["timing.code"]),
      (
        #"{"timing":{"code":{"coding":[{"code":"BID"}]},"repeat":{"frequency":3,"period":1,"periodUnit":"d"}}}"#,
        ["timing.code"]
      ),
      (
        #"{"timing":{"repeat":{"frequency":3,"period":1,"periodUnit":"d","timeOfDay":["08:00:00"]}}}"#,
        ["timing.repeat.frequency"]
      ),
      (#"{"timing":{"repeat":{"timeOfDay":["8:00"]}}}"#, ["timing.repeat.timeOfDay"]),
      (#"{"timing":{"repeat":{"when":["MORN","XYZ"]}}}"#, ["timing.repeat.when"]),
      (#"{"timing":{"repeat":{"when":["MORN"],"offset":30}}}"#, ["timing.repeat.offset"]),
      (#"{"timing":{"repeat":{"dayOfWeek":["mon","someday"]}}}"#, ["timing.repeat.dayOfWeek"]),
      (
        #"{"timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"fortnight"}}}"#,
        ["timing.repeat.frequency", "timing.repeat.period", "timing.repeat.periodUnit"]
      ),
      (
        #"{"timing":{"repeat":{"boundsPeriod":{"start":"soon","end":"2026-03-01"}}}}"#,
        ["timing.repeat.boundsPeriod.start"]
      ),
      (
        #"{"timing":{"repeat":{"boundsRange":{"high":{"value":5,"code":"d"}}}}}"#,
        ["timing.repeat.boundsRange"]
      ),
      (
        #"{"doseAndRate":[{"doseRange":{"low":{"value":1}},"rateQuantity":{"value":1}}]}"#,
        ["doseAndRate.doseRange", "doseAndRate.rateQuantity"]
      ),
      (
        #"{"doseAndRate":[{"doseQuantity":{"value":1,"code":"mg"}},{"doseQuantity":{"value":2}}]}"#,
        ["doseAndRate[1].doseQuantity"]
      ),
      (
        #"{"doseAndRate":[{"doseQuantity":{"value":1,"extension":[{"url":"x"}]}}]}"#,
        ["doseAndRate.doseQuantity.extension"]
      ),
      (
        #"{"maxDosePerPeriod":{"numerator":{"value":4}},"extension":[{"url":"x"}]}"#,
        ["maxDosePerPeriod", "extension"]
      ),
      (
        #"{"timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d","_period":{}}}}"#,
        ["timing.repeat.period.extension"]
      ),
      (#"{"asNeededCodeableConcept":{"coding":[{"code":"1"}]}}"#, ["asNeededCodeableConcept"]),
      (
        #"{"additionalInstruction":[{"text":"with water"},{"coding":[{"code":"1"}]}]}"#,
        ["additionalInstruction"]
      ),
      (#"{"timing":5,"doseAndRate":"x","route":7}"#, ["timing", "doseAndRate", "route"]),
      (#"{"id":"a","sequence":1,"asNeededBoolean":false}"#, []),
    ])
  func listsUnvoiced(json: String, expected: [String]) throws {
    for language in Language.allCases {
      let sentence = DosageWriter.sentence(for: try dosages(json), language: language)
      #expect(sentence.unvoiced == expected)
      #expect(!sentence.text.isEmpty)
    }
  }

  @Test(
    "values that are not what FHIR says never trap and never show a raw key",
    arguments: [
      "null", "5", #""text""#, "{}",
      #"{"timing":{"repeat":{"frequency":-1,"period":0,"periodUnit":"d"}}}"#,
      #"{"timing":{"repeat":{"frequency":99999999999999999999,"period":1e400,"periodUnit":"d"}}}"#,
      #"{"timing":{"repeat":{"when":["HS"],"offset":-9223372036854775808}}}"#,
      #"{"timing":{"repeat":{"timeOfDay":["25:00:00"],"dayOfWeek":[1,null]}}}"#,
      #"{"doseAndRate":[{"doseQuantity":{"value":1e-120,"unit":"\u0000"}}],"sequence":1.5}"#,
      #"{"doseAndRate":[{"doseQuantity":{"value":1,"comparator":"??","code":"mg"}}]}"#,
      #"{"timing":{"repeat":{"boundsPeriod":{"start":"2026-02-31","end":"0000"}}}}"#,
    ])
  func survivesOddContent(json: String) throws {
    for language in Language.allCases {
      let sentence = DosageWriter.sentence(for: try dosages(json), language: language)
      #expect(!sentence.text.isEmpty)
      #expect(!sentence.text.contains("dosage."))
      #expect(!sentence.text.contains("{"))
      _ = DosageWriter.short(for: try dosages(json), language: language)
    }
  }

  @Test("no dosage at all")
  func nothing() {
    for language in Language.allCases {
      let sentence = DosageWriter.sentence(for: [], language: language)
      #expect(sentence.text == Localizer.of(language).text("dosage.nothing"))
      #expect(sentence.unvoiced.isEmpty)
      #expect(DosageWriter.short(for: [], language: language).isEmpty)
    }
  }

  @Test("the sender's text is shown beside what could not be said, and only then")
  func quotesText() throws {
    let said =
      #"{"text":"1 daily","timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d"}}}"#
    let sentence = DosageWriter.sentence(for: try dosages(said), language: .en)
    #expect(sentence == DosageSentence(text: "Take this medicine once a day.", unvoiced: ["text"]))
    let partly =
      #"{"text":"1 daily, left","site":{"text":"left"},"timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d"}}}"#
    let quoted = DosageWriter.sentence(for: try dosages(partly), language: .en)
    #expect(quoted.text == "Take this medicine once a day. The prescriber wrote: “1 daily, left”")
    #expect(quoted.unvoiced == ["site"])
  }

  @Test("every event of the day has words in every language", arguments: Language.allCases)
  func events(language: Language) throws {
    let codes = [
      "MORN", "MORN.early", "MORN.late", "NOON", "AFT", "AFT.early", "AFT.late", "EVE", "EVE.early",
      "EVE.late", "NIGHT", "PHS", "HS", "WAKE", "C", "CM", "CD", "CV", "AC", "ACM", "ACD", "ACV",
      "PC", "PCM", "PCD", "PCV",
    ]
    var texts: Set<String> = []
    for code in codes {
      let json = #"{"timing":{"repeat":{"when":["\#(code)"]}}}"#
      let sentence = DosageWriter.sentence(for: try dosages(json), language: language)
      #expect(sentence.unvoiced == [])
      texts.insert(sentence.text)
    }
    #expect(texts.count == codes.count)
  }

  @Test("every manner has a sentence with and without amount in every language")
  func manners() {
    for language in Language.allCases {
      for use in Manner.Use.allCases {
        let key = MessageKey("dosage.sentence-\(use.rawValue)")
        let localizer = Localizer.of(language)
        #expect(localizer.hasText(key))
        #expect(localizer.text(key, ["amount": "2 x", "details": "y"]).contains("2 x"))
        #expect(!localizer.text(key).contains("{"))
      }
    }
  }
}

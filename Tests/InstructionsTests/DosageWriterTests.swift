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

  private func sentence(_ json: String, _ language: SentenceLanguage = .en) throws -> DosageSentence
  {
    DosageWriter.sentence(for: try dosages(json), form: .patient, language: language)
  }

  @Test(
    "what is not said is listed by its path",
    arguments: [
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
      (#"{"timing":{"repeat":{"when":["CM"],"offset":30}}}"#, ["timing.repeat.offset"]),
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
        #"{"timing":{"repeat":{"boundsRange":{"high":{"value":5,"unit":"moons"}}}}}"#,
        ["timing.repeat.boundsRange"]
      ),
      (#"{"timing":{"event":["2026-03"]}}"#, []),
      (#"{"timing":{"event":["2026-03","soon"]}}"#, ["timing.event"]),
      (#"{"timing":{"extension":[{"url":"x"}]}}"#, ["timing.extension"]),
      (
        #"{"doseAndRate":[{"doseQuantity":{"value":1,"code":"mg","extension":[{"url":"x"}]}}]}"#,
        ["doseAndRate.doseQuantity.extension"]
      ),
      (#"{"extension":[{"url":"x"}],"asNeededBoolean":true}"#, ["extension"]),
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
    for language in SentenceLanguage.allCases {
      let sentence = try sentence(json, language)
      #expect(sentence.unvoiced == expected)
      #expect(sentence.refusals.isEmpty)
      #expect(!sentence.text.isEmpty)
    }
  }

  @Test(
    "what is wrong or unsafe is refused with its reason",
    arguments: [
      (
        #"{"doseAndRate":[{"doseQuantity":{"value":-1,"code":"mg"}}]}"#,
        DosageRefusal.Reason.notPositive
      ),
      (#"{"doseAndRate":[{"doseQuantity":{"value":0,"code":"mg"}}]}"#, .notPositive),
      (#"{"doseAndRate":[{"doseQuantity":{"code":"mg"}}]}"#, .noValue),
      (#"{"doseAndRate":[{"doseQuantity":{"value":1.12345678901234567,"code":"mg"}}]}"#, .noValue),
      (#"{"doseAndRate":[{"doseQuantity":{"value":2}}]}"#, .noUnit),
      (
        #"{"doseAndRate":[{"doseRange":{"low":{"value":2,"code":"mg"},"high":{"value":1,"code":"mg"}}}]}"#,
        .belowMinimum
      ),
      (
        #"{"doseAndRate":[{"doseQuantity":{"value":1,"code":"mg"}},{"doseQuantity":{"value":2,"code":"mg"}}]}"#,
        .severalDoses
      ),
      (
        #"{"doseAndRate":[{"rateRatio":{"numerator":{"value":1,"code":"mL"}}}]}"#, .noDenominator
      ),
      (#"{"maxDosePerPeriod":{"numerator":{"value":4,"code":"mg"}}}"#, .noDenominator),
      (
        #"{"doseAndRate":[{"doseQuantity":{"value":5,"code":"mg"}}],"maxDosePerAdministration":{"value":3,"code":"mg"}}"#,
        .belowMinimum
      ),
      (
        #"{"timing":{"repeat":{"frequency":3,"frequencyMax":2,"period":1,"periodUnit":"d"}}}"#,
        .belowMinimum
      ),
      (#"{"timing":{"repeat":{"count":3,"countMax":2}}}"#, .belowMinimum),
      (#"{"timing":{"repeat":{"period":0,"periodUnit":"d"}}}"#, .notPositive),
      (#"{"timing":{"repeat":{"boundsDuration":{"value":-5,"code":"d"}}}}"#, .notPositive),
      (
        #"{"timing":{"repeat":{"boundsPeriod":{"start":"2026-03-02","end":"2026-03-01"}}}}"#,
        .endsBeforeStart
      ),
      ("5", .notAnObject),
    ])
  func refuses(json: String, reason: DosageRefusal.Reason) throws {
    for language in SentenceLanguage.allCases {
      for form in DosageForm.allCases where form != .short {
        let sentence = DosageWriter.sentence(
          for: try dosages(json), form: form, language: language)
        #expect(sentence.refusals.map(\.reason) == [reason])
        #expect(
          sentence.text == SentenceLocalizer.of(language).text("dosage.not-in-words"))
        #expect(throws: DosageRefusal.self) {
          try DosageWriter.checkedSentence(
            for: try dosages(json), form: form, language: language)
        }
      }
    }
  }

  @Test(
    "on pages, units in braces are words and a missing unit is said",
    arguments: [
      (#"{"value":2,"code":"{tablet}"}"#, "Take 2 tablets", "Nehmen Sie 2 Tabletten"),
      (#"{"value":2,"unit":"{Tbl}"}"#, "Take 2 tablets", "Nehmen Sie 2 Tabletten"),
      (#"{"value":2,"unit":"{strip}"}"#, "2 strip", "2 strip"),
      (#"{"value":2}"#, "2 (unit not stated)", "2 (Einheit nicht angegeben)"),
      (#"{"value":2,"code":"1"}"#, "2 (unit not stated)", "2 (Einheit nicht angegeben)"),
    ])
  func unitWords(quantity: String, english: String, german: String) throws {
    let json =
      #"{"timing":{"repeat":{"timeOfDay":["08:00:00"]}},"doseAndRate":[{"doseQuantity":\#(quantity)}]}"#
    for (language, words) in [(Language.en, english), (.de, german)] {
      let sentence = DosageWriter.sentence(for: try dosages(json), language: language)
      #expect(sentence.text.contains(words), "\(sentence.text)")
      #expect(sentence.text.contains("08:00") && !sentence.text.contains("{"))
      #expect(sentence.refusals.isEmpty)
      #expect(DosageWriter.short(for: try dosages(json), language: language).contains("2 "))
    }
  }

  @Test("a range without units is said with both numbers")
  func rangeWithoutUnit() throws {
    let json =
      #"{"doseAndRate":[{"doseRange":{"low":{"value":1},"high":{"value":2}}}]}"#
    let sentence = DosageWriter.sentence(for: try dosages(json), language: .en)
    #expect(sentence.text.contains("1 to 2 (unit not stated)"), "\(sentence.text)")
  }

  @Test("a refusal names the dosage concerned")
  func refusalPath() throws {
    let json =
      #"[{"asNeededBoolean":true},{"doseAndRate":[{"doseQuantity":{"value":-1,"code":"mg"}}]}]"#
    let sentence = try sentence(json)
    #expect(
      sentence.refusals.map(\.text) == ["dosage[1].doseAndRate.doseQuantity is not above zero."])
    #expect(sentence.unvoiced == ["dosage[1].doseAndRate.doseQuantity"])
  }

  @Test("the German four-number scheme is used only if it says everything")
  func dayScheme() throws {
    func clinical(_ json: String) throws -> String {
      DosageWriter.sentence(for: try dosages(json), form: .clinical, language: .de).text
    }
    let dose = #""doseAndRate":[{"doseQuantity":{"value":1,"code":"{tablet}"}}]"#
    let both = #"{"timing":{"repeat":{"when":["MORN","EVE"]}},\#(dose)}"#
    #expect(try clinical(both) == "1-0-1-0 Tabletten")
    let daily =
      #"{"timing":{"repeat":{"when":["NOON"],"frequency":1,"period":1,"periodUnit":"d"}},\#(dose)}"#
    #expect(try clinical("[\(both),\(daily)]") == "1-1-1-0 Tabletten")
    #expect(try !clinical("[\(both),\(both)]").contains("1-0"))
    let others = [
      #"{"timing":{"repeat":{"when":["MORN","HS"]}},\#(dose)}"#,
      #"{"timing":{"repeat":{"when":["MORN"],"period":2,"periodUnit":"d"}},\#(dose)}"#,
      #"{"timing":{"repeat":{"when":["MORN"],"frequency":2}},\#(dose)}"#,
      #"{"asNeededBoolean":true,"timing":{"repeat":{"when":["MORN"]}},\#(dose)}"#,
      #"{"timing":{"repeat":{"when":["MORN"],"count":3}},\#(dose)}"#,
    ]
    for other in others { #expect(try !clinical(other).contains("1-0"), "\(other)") }
  }

  @Test(
    "the sender's text is compared with the elements",
    arguments: [
      ("1 tablet daily", []), ("one tablet daily", []), ("2 tablets", ["text: 2"]),
      ("1 tablet at 08:00", []), ("1 tablet at 8:00", []), ("at 9:30", ["text: 9:30"]),
      ("1.0 tablet", []), ("for 1 week (7 days)", []), ("for 10 days", ["text: 10"]),
      ("500 mg (1 tablet)", ["text: 500"]), ("1,000 tablets", []),
      ("10,000 tablets", ["text: 10000"]),
    ])
  func comparesText(text: String, expected: [String]) throws {
    let json = """
      {"text":"\(text)","timing":{"repeat":{"timeOfDay":["08:00:00"],
      "boundsDuration":{"value":1,"code":"wk"}}},
      "doseAndRate":[{"doseQuantity":{"value":1,"code":"{tablet}"}}]}
      """
    let sentence = try sentence(json)
    #expect(sentence.mismatches == expected)
    // The reader must see what the sentence does not express.
    #expect(sentence.text.contains(text) == !expected.isEmpty)
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
    for language in SentenceLanguage.allCases {
      for form in DosageForm.allCases {
        let sentence = DosageWriter.sentence(
          for: try dosages(json), form: form, language: language)
        #expect(!sentence.text.isEmpty || form == .short)
        #expect(!sentence.text.contains("dosage."))
        #expect(!sentence.text.contains("{"))
      }
    }
  }

  @Test("an empty list of dosages")
  func nothing() {
    for language in Language.allCases {
      let sentence = DosageWriter.sentence(for: [], language: language)
      #expect(sentence.text == Localizer.of(language).text("dosage.nothing"))
      #expect(sentence.unvoiced.isEmpty)
      #expect(DosageWriter.short(for: [], language: language).isEmpty)
    }
  }

  @Test("the sender's text is shown only if something could not be said")
  func quotesText() throws {
    let said =
      #"{"text":"1 daily","timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d"}},"doseAndRate":[{"doseQuantity":{"value":1,"unit":"tablet"}}]}"#
    let sentence = DosageWriter.sentence(for: try dosages(said), language: .en)
    #expect(sentence == DosageSentence(text: "Take 1 tablet once a day.", unvoiced: ["text"]))
    // Without a structured amount, the text may be the only place that states one.
    let unmeasured =
      #"{"text":"One daily","timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d"}}}"#
    let asWritten = DosageWriter.sentence(for: try dosages(unmeasured), language: .en)
    #expect(
      asWritten.text == "Take this medicine once a day. The prescriber wrote: “One daily”")
    #expect(asWritten.unvoiced.isEmpty)
    let partly =
      #"{"text":"1 daily, left","extension":[{"url":"x"}],"timing":{"repeat":{"frequency":1,"period":1,"periodUnit":"d"}}}"#
    let quoted = DosageWriter.sentence(for: try dosages(partly), language: .en)
    #expect(quoted.text == "Take this medicine once a day. The prescriber wrote: “1 daily, left”")
    #expect(quoted.unvoiced == ["extension"])
  }

  @Test(
    "every event of the day has words in every language", arguments: SentenceLanguage.allCases)
  func events(language: SentenceLanguage) throws {
    let codes = [
      "MORN", "MORN.early", "MORN.late", "NOON", "AFT", "AFT.early", "AFT.late", "EVE", "EVE.early",
      "EVE.late", "NIGHT", "PHS", "HS", "WAKE", "C", "CM", "CD", "CV", "AC", "ACM", "ACD", "ACV",
      "PC", "PCM", "PCD", "PCV",
    ]
    var texts: Set<String> = []
    for code in codes {
      let json = #"{"timing":{"repeat":{"when":["\#(code)"]}}}"#
      let sentence = try sentence(json, language)
      #expect(sentence.unvoiced == [])
      texts.insert(sentence.text)
    }
    #expect(texts.count == codes.count)
  }

  @Test("every manner has a sentence with and without amount in every language")
  func manners() {
    for language in SentenceLanguage.allCases {
      for use in Manner.Use.allCases {
        let key = MessageKey("dosage.sentence-\(use.rawValue)")
        let localizer = SentenceLocalizer.of(language)
        #expect(localizer.text(key, ["amount": "2 x", "details": "y"]).contains("2 x"))
        #expect(!localizer.text(key).contains("{"))
        #expect(localizer.text(key) != key.text)
      }
    }
  }

  @Test("every concept of the lexicon has words in every language")
  func lexicon() {
    let tables: [(String, [String: String])] = [
      ("place", Lexicon.places), ("site", Lexicon.sites), ("method", Lexicon.methods),
      ("reason", Lexicon.reasons), ("instruction", Lexicon.instructions),
    ]
    for language in SentenceLanguage.allCases {
      let localizer = SentenceLocalizer.of(language)
      for (kind, table) in tables {
        for entry in Set(table.values) {
          let key = MessageKey("lexicon.\(kind)")
          #expect(
            !localizer.text(key, .init(dictionaryLiteral: (kind, .text(entry)))).isEmpty, "\(entry)"
          )
        }
      }
    }
  }
}

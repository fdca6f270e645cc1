// SPDX-License-Identifier: Apache-2.0
import Localization
import Testing

@testable import Knowledge

@Suite struct InteractionTests {
  private let handbook = Handbook.shipped
  private let list = InteractionList.shipped

  private func substances(_ names: [String]) -> [Substance] {
    names.map { handbook.substance(id: $0, name: $0) }
  }

  private func report(
    _ names: [String], conditions: Set<String> = [], allergies: [String] = []
  ) -> InteractionReport {
    list.check(
      substances(names), conditions: conditions, allergies: allergies.map { handbook.allergy($0) })
  }

  private func lines(_ report: InteractionReport) -> [String] {
    report.warnings.map { warning in
      let what = warning.interaction?.id ?? warning.group?.id ?? "-"
      return "\(warning.severity) \(warning.kind) \(what) "
        + warning.substances.joined(separator: "+")
        + ([.duplicate, .allergy, .group].contains(warning.kind) ? " \(warning.subject)" : "")
    }
  }

  @Test func theListSaysItsVersion() {
    #expect(list.version == "2026-11-26")
    #expect(list.interactions.count == 119 && list.own == nil)
  }

  @Test(arguments: [
    (["Warfarin", "Ibuprofen"], "severe drug i058 Warfarin+Ibuprofen"),
    (["Ibuprofen", "Warfarin"], "severe drug i058 Warfarin+Ibuprofen"),
    (["Simvastatin", "Clarithromycin"], "contraindicated drug i052 Simvastatin+Clarithromycin"),
    (["Tylenol", "Norgesic"], "severe duplicate i084 Tylenol+Norgesic paracetamol"),
    (["Panadol 500 mg", "Calpol"], "severe duplicate i084 Panadol 500 mg+Calpol paracetamol"),
    (["Advil", "Nurofen"], "severe duplicate - Advil+Nurofen ibuprofen"),
    (["Simvastatin"], "severe food i001 Simvastatin"),
    (["Bisoprolol"], "severe advice i091 Bisoprolol"),
    (["Entresto", "Enalapril"], "contraindicated drug i030 Entresto+Enalapril"),
    (["Bisoprolol 5 mg", "Metoprolol"], "severe drug i098 Bisoprolol 5 mg+Metoprolol"),
    (["Methotrexate 2.5 mg", "Aspirin"], "severe drug i096 Methotrexate 2.5 mg+Aspirin"),
    (["Warfarin", "Aspirin"], "severe drug i059 Warfarin+Aspirin"),
    (["Ibuprofen", "Diclofenac"], "severe drug i097 Ibuprofen+Diclofenac"),
    (["Warfarin", "Apixaban"], "contraindicated drug i101 Warfarin+Apixaban"),
    (["Ramipril", "Enalapril"], "severe drug i099 Ramipril+Enalapril"),
    (["Sertraline", "Escitalopram"], "severe drug i104 Sertraline+Escitalopram"),
    (["Torasemide", "Furosemide"], "severe drug i107 Torasemide+Furosemide"),
    (["Clopidogrel", "Ticagrelor"], "severe drug i119 Clopidogrel+Ticagrelor"),
  ])
  func aPairIsWarnedOf(names: [String], line: String) {
    let found = lines(report(names))
    #expect(found.contains(line), "\(found)")
  }

  @Test(arguments: [
    (["Ibuprofen"], "cond:heart_failure", "severe condition i087 Ibuprofen"),
    (["Propranolol"], "cond:asthma", "contraindicated condition i090 Propranolol"),
    (["Aspirin"], InteractionList.child, "contraindicated condition i092 Aspirin"),
  ])
  func anIllnessIsWarnedOfWhereItIsKnown(names: [String], condition: String, line: String) {
    #expect(lines(report(names, conditions: [condition])).contains(line))
    #expect(!lines(report(names)).contains(line))
  }

  @Test(arguments: [
    ("Penicillin", "Amoxil", "severe group g01 Amoxil Penicillin"),
    ("penisilin", "Augmentin", "severe group g01 Augmentin penisilin"),
    ("เพนิซิลลิน", "amoxicillin", "severe group g01 amoxicillin เพนิซิลลิน"),
    ("Amoxicillin", "Augmentin", "contraindicated allergy - Augmentin Amoxicillin"),
    ("Aspirin", "Ibuprofen", "severe group g04 Ibuprofen Aspirin"),
    ("Foozolin", "FOOZOLIN", "contraindicated allergy - FOOZOLIN Foozolin"),
  ])
  func anAllergyIsWarnedOfByIngredientAndGroup(allergy: String, name: String, line: String) {
    let found = lines(report([name], allergies: [allergy]))
    #expect(found.contains(line), "\(found)")
  }

  @Test func whatTheListDoesNotKnowIsSaidAndNeverCalledSafe() {
    let found = report(["Foozolin", "Barozol", "Paracetamol"], allergies: ["Peanuts"])
    #expect(found.unlisted == ["Foozolin", "Barozol"])
    #expect(found.silentPairs == 3)
    #expect(found.unlistedAllergies == ["Peanuts"])
  }

  /// Each pair has one warning; two rows about it once made two cards with different advice.
  @Test func aPairHasOneWarningWithTheStrictestAdvice() {
    let all = handbook.medicines.map { handbook.substance(id: $0.id, name: $0.name) }
    var pairs: Set<Set<String>> = []
    for warning in list.check(all).warnings where warning.substances.count == 2 {
      #expect(pairs.insert(Set(warning.substances)).inserted, "\(warning.key)")
    }
    #expect(pairs.count > 400)
    let entresto = report(["Entresto", "Enalapril"]).warnings.filter { $0.substances.count == 2 }
    #expect(entresto.map(\.interaction?.id) == ["i030"])
    // One medicine under two names is reported as a shared ingredient, not as two of a class.
    let twice = report(["Bisoprolol", "Bisoprolol 5 mg"]).warnings
      .filter { $0.substances.count == 2 }
    #expect(twice.map(\.kind) == [.duplicate] && twice.map(\.subject) == ["bisoprolol"])
    let parts = report(["Norgesic", "orphenadrine/paracetamol"]).warnings
      .filter { $0.substances.count == 2 }
    #expect(parts.map(\.subject) == ["orphenadrine, paracetamol"])
  }

  /// Classes whose members are usually combined are not questioned.
  @Test(arguments: [
    ["Metformin", "Sitagliptin"], ["Isosorbide mononitrate", "Glyceryl trinitrate"],
    ["Lithium", "Sertraline"], ["Aspirin", "Clopidogrel"],
    ["Salbutamol", "Salmeterol/fluticasone"],
  ])
  func aUsualPairIsNoDuplicateOfAClass(names: [String]) {
    #expect(!lines(report(names)).contains { $0.contains("drug") }, "\(lines(report(names)))")
  }

  /// The texts for people are sentences, not notes such as "bleeding".
  @Test func whatHappensIsSaidInSentences() {
    for row in list.interactions {
      for language in Language.allCases {
        for text in handbook.effects(of: row, in: language) {
          #expect(text.count >= 8 && text.contains(" ") || language == .th, "\(row.id) \(text)")
          guard language != .th else { continue }
          #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(row.id) \(text)")
        }
      }
    }
  }

  /// The golden list of a household's cupboard.
  @Test func aCupboardIsWarnedOfInTheSameOrder() {
    let found = lines(
      report(
        ["Warfarin", "Bisoprolol", "Ramipril", "Spironolactone", "Ibuprofen", "Paracetamol"],
        conditions: ["cond:heart_failure"]))
    #expect(
      found == [
        "severe advice i091 Bisoprolol", "severe condition i087 Ibuprofen",
        "severe drug i028 Ramipril+Spironolactone", "severe drug i058 Warfarin+Ibuprofen",
        "severe food i026 Ramipril", "severe food i026 Spironolactone",
        "severe herb i066 Warfarin", "moderate drug i033 Ramipril+Ibuprofen",
        "moderate food i008 Warfarin", "moderate food i009 Warfarin",
        "moderate food i083 Paracetamol", "minor drug i043 Bisoprolol+Ibuprofen",
      ], "\(found.joined(separator: "\n"))")
  }

  @Test func theReportsAboutEachAreThoseAboutOne() {
    let names = ["Warfarin", "Ibuprofen", "Tylenol", "Norgesic", "Unknownium", "Ibuprofen 400 mg"]
    let report = report(names, conditions: ["cond:heart_failure"], allergies: ["Aspirin"])
    #expect(report.warnings.count > 3)
    #expect(report.about(each: names) == names.map { report.about($0) })
  }

  @Test(.timeLimit(.minutes(1))) func aFileOfOneMedicineAgainAndAgainIsChecked() {
    let copies = (0..<400).map { handbook.substance(id: "\($0)", name: "Ibuprofen") }
    let report = list.check(copies)
    let pairs = report.warnings.filter { $0.substances.count == 2 }
    #expect(pairs.count == 400 * 399 / 2)
    let first = report.about(each: ["0"])[0]
    #expect(first.warnings.filter { $0.substances.count == 2 }.count == 399)
  }

  @Test func spacingKnowsWhichIsTakenFirst() throws {
    let pair = substances(["Levothyroxine", "Ferrous sulfate"])
    let near = try #require(list.spacing(between: pair[0], and: pair[1]))
    #expect(near.firstThenSecond == 4 && near.secondThenFirst == 4 && near.rows == ["i012"])
    let other = substances(["Doxycycline", "Ferrous sulfate"])
    let one = try #require(list.spacing(between: other[0], and: other[1]))
    let turned = try #require(list.spacing(between: other[1], and: other[0]))
    #expect(one.firstThenSecond == 2 && one.secondThenFirst == 3)
    #expect(turned.firstThenSecond == 3 && turned.secondThenFirst == 2)
    let none = substances(["Warfarin", "Ibuprofen"])
    #expect(list.spacing(between: none[0], and: none[1]) == nil)
  }

  /// The index finds the same as a check of every row and every pair, in any order.
  @Test func theIndexFindsWhatEveryRowSays() {
    var random = Shuffler(state: 15)
    for _ in 0..<60 {
      let count = Int.random(in: 0...20, using: &random)
      let names = handbook.medicines.shuffled(using: &random).prefix(count).map(\.name)
      let all = substances(names)
      let found = Set(
        list.check(all).warnings.filter { $0.kind == .drug }
          .map { "\($0.severity) \($0.substances.sorted().joined(separator: "+"))" })
      var worst: [String: InteractionSeverity] = [:]
      for one in all {
        for other in all where other.id != one.id {
          let shares = one.contents.contains(where: other.contents.contains)
          for row in list.interactions where !(shares && row.isDuplicate) {
            let isFirst = row.firstCodes.contains { code in
              one.codes.contains { $0.hasPrefix(code) }
            }
            let isSecond = row.secondCodes.contains { code in
              other.codes.contains { $0.hasPrefix(code) }
            }
            if isFirst && isSecond {
              let pair = [one.id, other.id].sorted().joined(separator: "+")
              worst[pair] = min(worst[pair] ?? .minor, row.severity)
            }
          }
          // A shared ingredient is reported instead, unless something worse is found.
          let pair = [one.id, other.id].sorted().joined(separator: "+")
          if shares, worst[pair].map({ $0 >= .severe }) ?? false { worst[pair] = nil }
        }
      }
      #expect(found == Set(worst.map { "\($1) \($0)" }))
      #expect(
        Set(list.check(all.shuffled(using: &random)).warnings.map(\.key))
          == Set(list.check(all).warnings.map(\.key)))
    }
  }

  @Test func everyRowThatShipsIsFoundByAMedicineOfTheHandbookOrNamesNone() {
    for warning in list.check(
      handbook.medicines.map { handbook.substance(id: $0.id, name: $0.name) }
    )
    .warnings {
      #expect(!warning.key.isEmpty && warning.key.count < 200)
    }
  }

  // MARK: The operator's rows

  private static let good = [
    "x1", "drug", "our drug", "C07AB07", "their drug", "N02BE01", "moderate", "-", "watch; ask", "",
    "2", "Our pharmacy", "https://example.org/", "read", "no",
  ]

  @Test func anOperatorAddsAndCorrectsRows() throws {
    var corrected = Self.good
    corrected[0] = "I058"
    corrected[3] = "B01AA03"
    let own = InteractionList(
      handbook, rows: [(2, Self.good), (3, corrected)], ownVersion: "7")
    #expect(own.interactions.count == 120)
    let result = try #require(own.own)
    #expect(result.count == 2 && result.corrections == 1 && result.refused.isEmpty)
    let found = own.check(substances(["Bisoprolol", "Paracetamol", "Warfarin", "Ibuprofen"]))
    let row = try #require(found.warnings.first { $0.interaction?.id == "x1" }?.interaction)
    #expect(row.isOwn && row.afterHours == 2 && row.beforeHours == nil)
    #expect(handbook.effects(of: row, in: .de) == ["watch", "ask"])
    #expect(!found.warnings.contains { $0.interaction?.id == "i058" })
  }

  @Test(arguments: [
    (0, "", "id"), (0, "a b", "id"), (1, "cure", "kind"), (2, "", "words"), (3, "", "first-codes"),
    (3, "C7", "first-codes"), (3, "C07AB0", "first-codes"), (5, "", "second-match"),
    (5, "food:x", "second-match"), (5, "food:", "second-match"), (6, "awful", "severity"),
    (8, "", "words"), (9, "soon", "hours"), (9, "0", "hours"), (9, "9999", "hours"),
    (11, "", "source"), (12, "javascript:alert(1)", "source"), (13, "maybe", "facts"),
    (14, "perhaps", "confirmed"), (4, String(repeating: "x", count: 601), "too-long"),
  ])
  func aWrongRowIsLeftOutAndSaysWhy(cell: Int, text: String, problem: String) throws {
    var row = Self.good
    row[cell] = text
    let own = InteractionList(handbook, rows: [(2, row), (3, Self.good)], ownVersion: "7")
    let refused = try #require(own.own?.refused)
    #expect(refused.map(\.problem.code) == [problem] && refused.map(\.line) == [2])
    #expect(own.interactions.count == 120)
  }

  @Test func aRowThatStandsTwiceOrIsTooShortIsLeftOut() throws {
    let own = InteractionList(
      handbook, rows: [(2, Self.good), (3, Self.good), (4, ["x2"])], ownVersion: "7", unread: [9])
    let refused = try #require(own.own?.refused)
    #expect(refused.map(\.problem.code) == ["twice", "cells", "cells"])
  }
}

/// A reproducible random sequence (SplitMix64).
private struct Shuffler: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

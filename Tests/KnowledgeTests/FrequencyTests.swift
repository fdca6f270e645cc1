// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Knowledge

@Suite struct FrequencyTests {
  private func rule(
    _ name: String, codes: [String] = [], form: String? = nil, milligrams: Double? = nil,
    units: Double? = nil
  ) -> String? {
    Handbook.shipped.frequencyRule(
      name: name, codes: codes, form: form, milligrams: milligrams, units: units)?.id
  }

  @Test(.timeLimit(.minutes(1)))
  func `a name of megabytes is looked up quickly`() {
    #expect(rule("Methotrexate " + String(repeating: "tablet ", count: 300_000)) == "methotrexate")
    let words = String(repeating: "word ", count: 300_000)
    #expect(Handbook.shipped.ingredients(of: words) == nil)
    #expect(Handbook.shipped.ingredients(of: "Tylenol " + words) != nil)
  }

  @Test func `every rule has sources with addresses and a review status`() throws {
    let rules = Handbook.shipped.frequencyRules
    #expect(rules.count == 29)
    for rule in rules {
      #expect(!rule.sources.isEmpty && rule.facts == .read, "\(rule.id)")
      for id in rule.sources {
        let source = try #require(Handbook.shipped.source(id), "\(rule.id): \(id)")
        #expect(source.facts == .read, "\(id)")
        // The front page of a collection proves nothing.
        #expect(
          !source.links.isEmpty && source.links.allSatisfy { $0.split(separator: "/").count > 3 },
          "\(id): \(source.links)")
      }
      #expect(rule.review == .unreviewed, "\(rule.id)")
    }
  }

  @Test(arguments: [
    "Methotrexate", "methotrexate 2.5 mg", "METHOTREXAT Lederle 2,5", "Tab. MTX",
    "oral methotrexte",
    "metotreksat 2,5 mg tabletter", "เมโธเทรกเซต 2.5 มก.", "Trexall",
    "Metex 15 mg", "Nordimet", "Ebetrexat 10", "Trexan 2.5 mg",
  ])
  func `methotrexate is found by any name, even misspelled`(name: String) {
    #expect(rule(name) == "methotrexate")
  }

  @Test func `a code is enough`() {
    #expect(rule("MTX-X", codes: ["L04AX03"]) == "methotrexate")
    #expect(rule("white tablet", codes: ["6851"]) == "methotrexate")
  }

  @Test(arguments: ["Metoprolol", "Metformin", "Bisoprolol", "", "Matcha", "Maltitol", "Temazepam"])
  func `other medicines have no rule`(name: String) {
    #expect(rule(name) == nil)
  }

  @Test func `strength and form distinguish daily and weekly products`() {
    #expect(rule("alendronic acid", milligrams: 10) == nil)
    #expect(rule("alendronic acid", milligrams: 70) == "alendronic-acid")
    #expect(rule("alendronic acid") == "alendronic-acid")
    #expect(rule("risedronate", milligrams: 150) == "risedronic-acid-150")
    #expect(rule("risedronate") == "risedronic-acid")
    #expect(rule("semaglutide", form: "injection") == "semaglutide-injection")
    #expect(rule("semaglutide", form: "tablet") == nil && rule("Rybelsus 7 mg") == nil)
    #expect(rule("fentanyl 25 microgram/h", form: "patch") == "fentanyl-patch")
    #expect(rule("Fentanyl 25 microgram/h transdermal patch") == "fentanyl-patch")
    #expect(rule("fentanyl", form: "spray") == nil && rule("fentanyl") == nil)
    #expect(rule("BuTrans 10", form: "patch") == "buprenorphine-patch-weekly")
  }

  @Test func `depots and antibodies are found by name, code and strength`() {
    #expect(rule("Humira 40 mg pen") == "adalimumab" && rule("x", codes: ["L04AB04"]) != nil)
    #expect(rule("denosumab", milligrams: 60) == "denosumab-60")
    #expect(rule("denosumab", milligrams: 120) == "denosumab" && rule("Xgeva") == "denosumab")
    // Monthly is right for one of the strengths, so it is not questioned without a strength.
    #expect(rule("denosumab") == "denosumab" && rule("Prolia") == "denosumab-60-brands")
    #expect(rule("Leuprorelin", milligrams: 3.75) == "leuprorelin-depot")
    #expect(rule("leuprolide acetate", milligrams: 1) == nil)
    #expect(rule("leuprolide acetate") == "leuprorelin-depot")
    #expect(rule("Eligard", milligrams: 1) == "leuprorelin-depot-brands")
    #expect(rule("Zoladex", milligrams: 3.6) == "goserelin" && rule("Zoladex") == "goserelin")
    #expect(rule("Zoladex LA", milligrams: 10.8) == "goserelin-10-8")
    #expect(rule("Reletrans 10", form: "patch") == "buprenorphine-patch-weekly")
    #expect(rule("Hapoctasin 35", form: "patch") == "buprenorphine-patch")
  }

  @Test(arguments: ["Vitamin D3", "colecalciferol", "D-vitamin", "D vitamini", "วิตามินดี 3"])
  func `vitamin D has a rule for a known large dose only`(name: String) {
    #expect(rule(name) == nil && rule(name, units: 4_000) == nil)
    #expect(rule(name, units: 20_000) == "vitamin-d-20000")
    #expect(rule(name, units: 50_000) == "vitamin-d-40000")
    #expect(rule(name, milligrams: 0.025) == nil)
    #expect(rule(name, milligrams: 1.25) == "vitamin-d-40000")
    // The milligrams of calcium in the same tablet.
    #expect(rule(name, milligrams: 500) == nil)
    #expect(rule(name, milligrams: 1.25, units: 800) == nil)
  }

  @Test func `strengths are read from the list's words`() {
    func read(_ forms: String) -> [String] {
      Handbook.milligrams(in: forms).map { NSDecimalNumber(decimal: $0).stringValue }
    }
    #expect(read("tab 10/30/60 mg; oral solution 10 mg/5 mL") == ["10", "30", "60", "10"])
    #expect(read("tab 75/150 mcg") == ["0.075", "0.15"])
    #expect(read("tab 375/625 mg/1 g") == ["375", "625", "1000"])
    #expect(read("100 and 300 U/mL pens") == [] && read("drops 0.25/0.5%") == [])
    #expect(Handbook.shipped.knownMilligrams(name: "Metoprolol", codes: []) != nil)
    #expect(Handbook.shipped.knownMilligrams(name: "Nobody's", codes: []) == nil)
  }

  @Test func `a broken line is reported and skipped`() {
    var problems: [String] = []
    let rules = FrequencyRule.rules(
      in: "[x]\nnames = x\ndoses = 0\ndays = 7\nsources = W1\nfacts = named\nreview = unreviewed\n"
    ) { problems.append("\($0): \($1)") }
    #expect(rules.isEmpty && problems == ["1: x: something is missing or not understood"])
    let limited = FrequencyRule.rules(
      in: """
        [y]
        names = y
        below-mg = a lot
        doses = 1
        days = 180
        sources = W1
        facts = named
        review = unreviewed
        """
    ) { problems.append("\($0): \($1)") }
    #expect(limited.isEmpty && problems.count == 2)
  }
}

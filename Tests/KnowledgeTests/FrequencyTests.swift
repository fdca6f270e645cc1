// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Knowledge

@Suite struct FrequencyTests {
  private func rule(
    _ name: String, codes: [String] = [], form: String? = nil, milligrams: Double? = nil
  ) -> String? {
    Handbook.shipped.frequencyRule(name: name, codes: codes, form: form, milligrams: milligrams)?
      .id
  }

  @Test func `every rule has a source that is known, and says who reviewed it`() {
    let rules = Handbook.shipped.frequencyRules
    #expect(rules.count == 20)
    for rule in rules {
      #expect(
        !rule.sources.isEmpty && rule.sources.allSatisfy { Handbook.shipped.source($0) != nil })
      #expect(rule.review == .unreviewed, "\(rule.id)")
    }
  }

  @Test(arguments: [
    "Methotrexate", "methotrexate 2.5 mg", "METHOTREXAT Lederle 2,5", "Tab. MTX",
    "oral methotrexte",
    "metotreksat 2,5 mg tabletter", "เมโธเทรกเซต 2.5 มก.", "Trexall",
  ])
  func `methotrexate is found by any of its names, and in spite of a slip`(name: String) {
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

  @Test func `strength and form decide where daily and weekly products share a name`() {
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

  @Test func `strengths are read from the words of the list`() {
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

  @Test func `a broken line is told and left out`() {
    var problems: [String] = []
    let rules = FrequencyRule.rules(
      in: "[x]\nnames = x\ndoses = 0\ndays = 7\nsources = W1\nfacts = named\nreview = unreviewed\n"
    ) { problems.append("\($0): \($1)") }
    #expect(rules.isEmpty && problems == ["1: x: something is missing or not understood"])
  }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Knowledge

/// The days of a month from which headache medicines can themselves cause headaches.
@Suite struct OveruseTests {
  private func rule(_ names: String..., codes: [String] = []) -> OveruseRule? {
    Handbook.shipped.overuseRule(names: names, codes: codes)
  }

  @Test func `every rule has sources that were read`() throws {
    #expect(Handbook.shipped.overuseRules.count == 5)
    for rule in Handbook.shipped.overuseRules {
      #expect(!rule.sources.isEmpty && rule.facts == .read && rule.review == .unreviewed)
      for id in rule.sources {
        let source = try #require(Handbook.shipped.source(id), "\(rule.id): \(id)")
        #expect(source.facts == .read && !source.links.isEmpty)
      }
    }
  }

  @Test(arguments: [
    ("Sumatriptan 50 mg", "triptans", 10), ("ZOMIG", "triptans", 10),
    ("ซูมาทริปแทน", "triptans", 10),
    ("Cafergot", "ergots", 10), ("Tramadol 50", "opioids", 10), ("Thomapyrin", "combinations", 10),
    ("Paracetamol 500 mg", "simple-painkillers", 15), ("Ibuprofen", "simple-painkillers", 15),
    ("พาราเซตามอล 500 มก.", "simple-painkillers", 15),
  ])
  func `a medicine is found by its name`(name: String, id: String, days: Int) {
    #expect(rule(name)?.id == id && rule(name)?.days == days)
  }

  @Test func `a code or an ingredient is enough, and the fewest days count`() {
    #expect(rule("White tablet", codes: ["N02CC01"])?.id == "triptans")
    #expect(rule("Tylenol", "paracetamol")?.id == "simple-painkillers")
    #expect(rule("Paracetamol with codeine")?.days == 10)
    #expect(rule("Sumatriptan")?.use == .headache && rule("Ibuprofen")?.use == .stated)
  }

  @Test(arguments: ["Metoprolol", "", "Lorazepam", "Paracetamolum-free tea", "Salbutamol"])
  func `no source, no rule`(name: String) {
    #expect(rule(name) == nil)
  }

  @Test func `a line without a source is reported`() {
    var problems: [String] = []
    let rules = OveruseRule.rules(
      in: "[x]\nnames = x\nuse = stated\ndays = 10\nfacts = read\nreview = unreviewed\n"
    ) { problems.append($1) }
    #expect(rules.isEmpty && problems == ["x: something is missing or not understood"])
  }
}

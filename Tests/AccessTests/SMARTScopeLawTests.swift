// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Testing

@testable import Access

/// The laws of sets, for scopes that are drawn at random.
struct SMARTScopeLawTests {
  private static let rounds = 400

  @Test func `subset is an order, and constraints narrow`() {
    var draw = SeededGenerator(seed: 20_261_126)
    for _ in 0..<Self.rounds {
      let (one, two, three) = (Self.scopes(&draw), Self.scopes(&draw), Self.scopes(&draw))
      #expect(one.isSubset(of: one))
      #expect(SMARTScopes.none.isSubset(of: one))
      if one.isSubset(of: two), two.isSubset(of: three) { #expect(one.isSubset(of: three)) }
      if one.isSubset(of: two), two.isSubset(of: one) { #expect(one.text == two.text) }
      let open = SMARTScopes(
        one.grants.map { SMARTGrant($0.context, $0.resource, $0.actions) }, launch: one.launch)
      #expect(one.isSubset(of: open), "\(one.text)")
      #expect(open.isSubset(of: one) == (open.text == one.text), "\(one.text)")
    }
  }

  @Test func `the intersection is the largest set within both`() {
    var draw = SeededGenerator(seed: 20_261_127)
    for _ in 0..<Self.rounds {
      let (one, two, three) = (Self.scopes(&draw), Self.scopes(&draw), Self.scopes(&draw))
      let common = one.intersection(two)
      #expect(common.isSubset(of: one) && common.isSubset(of: two), "\(one.text) & \(two.text)")
      #expect(common.text == two.intersection(one).text)
      #expect(one.intersection(one).text == one.text)
      #expect(
        one.intersection(two.intersection(three)).text
          == one.intersection(two).intersection(three).text)
      if three.isSubset(of: one), three.isSubset(of: two) {
        #expect(three.isSubset(of: common))
      }
      if one.isSubset(of: two) { #expect(common.text == one.text) }
      #expect(one.narrowed(to: two).text == common.text)
    }
  }

  @Test func `a subset allows nothing more`() {
    var draw = SeededGenerator(seed: 20_261_128)
    for _ in 0..<Self.rounds {
      let one = Self.scopes(&draw)
      let part = one.intersection(Self.scopes(&draw))
      for resource in Self.resources + ["Dose"] {
        for action in Action.allCases where part.allows(action, resource) {
          #expect(one.allows(action, resource), "\(part.text) in \(one.text)")
          if part.constraints(for: resource, action) == nil {
            #expect(one.constraints(for: resource, action) == nil)
          }
        }
      }
    }
  }

  @Test func `the text says the same`() {
    var draw = SeededGenerator(seed: 20_261_129)
    for _ in 0..<Self.rounds {
      let scopes = Self.scopes(&draw)
      let again = SMARTScopes(parsing: scopes.text)
      #expect(again.grants == scopes.grants && again.launch == scopes.launch, "\(scopes.text)")
      #expect(again.refused.isEmpty)
    }
  }

  // MARK: Drawing

  private static let resources = ["Observation", "Condition", "MedicationRequest", "Patient"]

  private static func scopes(_ draw: inout SeededGenerator) -> SMARTScopes {
    let grants = (0..<Int.random(in: 0...4, using: &draw)).map { _ in grant(&draw) }
    let launch = SMARTScopes.Launch.allCases.filter { _ in Bool.random(using: &draw) }
    return SMARTScopes(grants, launch: Set(launch.prefix(2)))
  }

  private static func grant(_ draw: inout SeededGenerator) -> SMARTGrant {
    let isForAll = Int.random(in: 0..<4, using: &draw) == 0
    let letters = SMARTGrant.Letter.allCases.filter { _ in Bool.random(using: &draw) }
    let conditions = ["code=a b", "code=c|d", "status=final"].filter { _ in
      !isForAll && Int.random(in: 0..<3, using: &draw) == 0
    }
    return SMARTGrant(
      SMARTGrant.Context.allCases[Int.random(in: 0..<3, using: &draw)],
      isForAll ? "*" : resources[Int.random(in: 0..<resources.count, using: &draw)],
      letters.isEmpty ? [.read] : Set(letters),
      constraint: Set(
        conditions.map { text in
          let sides = text.split(separator: "=")
          return SMARTCondition(name: String(sides[0]), value: String(sides[1]))
        }))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Adherence
@testable import Dosing
@testable import HeartRate
@testable import People
@testable import Plans

/// The lists that commands carry out, as in their context.
@Suite struct ConsequencesTests {
  private struct One: Consequence {
    let name: String
  }

  private struct Other: Consequence {
    let name: String
  }

  @Test func `each kind has its own list, in order`() {
    let consequences = Consequences([One(name: "b"), One(name: "a")], [Other(name: "c")])
    #expect(consequences[One.self].map(\.name) == ["b", "a"])
    #expect(consequences[Other.self].map(\.name) == ["c"])
    #expect(consequences[PlanConsequence.self].isEmpty)
  }

  @Test func `every kind is listed once with a unique name`() {
    func check<Kind: Consequence>(_ kind: Kind.Type, _ inOrder: [Kind]) {
      let names = Consequences.all[kind].map(\.name)
      #expect(!names.isEmpty && names == inOrder.map(\.name), "\(kind)")
      #expect(Set(names).count == names.count, "\(kind)")
    }
    check(AnswerConsequence.self, AnswerConsequence.inOrder)
    check(PlanConsequence.self, PlanConsequence.inOrder)
    check(ZoneConsequence.self, ZoneConsequence.inOrder)
    check(WarningConsequence.self, WarningConsequence.inOrder)
  }
}

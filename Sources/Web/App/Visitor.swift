// SPDX-License-Identifier: Apache-2.0

import Accounts

/// The owner of a credential, and the persons whose pages a browser may open.
package struct Visitor: Sendable {
  /// The account with its rights, and its session or token.
  package let signedIn: SignedIn
  /// The persons whose pages a session may open, the account's own first; empty for tokens.
  package let people: [PersonInReach]
  /// The number of emergency accesses that an administrator has yet to review.
  var unreviewed = 0
  /// The facts that features derive from the rest.
  var facts = VisitorFacts()
}

/// A fact about a visitor that one feature derives and others may read.
package protocol VisitorFact {
  /// The type of the fact.
  associatedtype Value: Sendable
  /// The value without a session.
  static var initial: Value { get }
}

/// The facts about a visitor, each under its type.
package struct VisitorFacts: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// The value of a fact; its initial value if it was not derived.
  package subscript<Fact: VisitorFact>(fact: Fact.Type) -> Fact.Value {
    get { values[ObjectIdentifier(fact)] as? Fact.Value ?? Fact.initial }
    set { values[ObjectIdentifier(fact)] = newValue }
  }
}

/// A feature's derivation of a fact, made without further reads whenever a session is loaded.
package protocol VisitorFactSource: Sendable {
  /// The fact that is derived.
  associatedtype Fact: VisitorFact
  /// Returns the value for a visitor.
  static func value(of visitor: Visitor) -> Fact.Value
}

extension VisitorFactSource {
  /// Adds the fact to those of a visitor.
  static func note(in visitor: inout Visitor) {
    visitor.facts[Fact.self] = value(of: visitor)
  }
}

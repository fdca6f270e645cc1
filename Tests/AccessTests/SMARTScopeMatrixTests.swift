// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Testing
import TestSupport

@testable import Access

/// Every scope that names one type and one action, against everyone whose data an app might reach.
@Suite struct SMARTScopeMatrixTests {
  private static let letters: [Action: SMARTGrant.Letter] = [
    .read: .read, .search: .search, .create: .create, .update: .update, .delete: .delete,
  ]

  /// The patients whom a context covers: the app is started for Ann, who is also her child's guardian.
  private static let covered: [SMARTGrant.Context: Set<PatientID>] = [
    .patient: ["p-ann"], .user: ["p-ann", "p-child"],
    .system: ["p-ann", "p-child", "p-hurt", "p-other"],
  ]

  private static let rights: [PatientID: PatientRight] = [
    "p-ann": PatientRight(.self_), "p-child": PatientRight(.guardian),
    "p-hurt": PatientRight(.emergency),
  ]

  private static func actor(_ scope: String) -> Actor {
    Actor(
      accountID: "ann", kind: .token, rights: rights,
      scope: .app(SMARTScopes(parsing: scope), patient: "p-ann"))
  }

  private static func isAllowed(
    _ actor: Actor, _ action: Action, _ patient: PatientID, _ resource: String
  ) -> Bool {
    let decision = decide(
      actor: actor, action: action, patient: patient, resource: resource, purpose: .care)
    if case .allow = decision { return true }
    return false
  }

  @Test(arguments: SMARTGrant.Context.allCases)
  func `a scope opens its type, action and patients, and nothing next to them`(
    context: SMARTGrant.Context
  ) throws {
    let covered = try #require(Self.covered[context])
    let everyone = try #require(Self.covered[.system])
    let types = SMARTResources.types.sorted()
    for (index, type) in types.enumerated() {
      let neighbour = types[(index + 1) % types.count]
      for letter in SMARTGrant.Letter.allCases {
        let scope = "\(context.rawValue)/\(type).\(letter.rawValue)"
        let actor = Self.actor(scope)
        for action in Action.allCases {
          for patient in everyone {
            // An export needs two letters, so that no scope with one opens it.
            let isOpen = Self.letters[action] == letter && covered.contains(patient)
            #expect(
              Self.isAllowed(actor, action, patient, type) == isOpen,
              "\(scope): \(action) of \(patient)")
            #expect(
              !Self.isAllowed(actor, action, patient, neighbour),
              "\(scope): \(action) of \(patient)/\(neighbour)")
          }
        }
      }
    }
  }

  @Test(arguments: SMARTGrant.Context.allCases)
  func `a scope of the first version opens the same as its letters`(
    context: SMARTGrant.Context
  ) throws {
    let everyone = try #require(Self.covered[.system])
    for (old, new) in [("read", "rs"), ("write", "cud"), ("*", "cruds")] {
      for type in SMARTResources.types.sorted() + ["*"] {
        let first = Self.actor("\(context.rawValue)/\(type).\(old)")
        let second = Self.actor("\(context.rawValue)/\(type).\(new)")
        for action in Action.allCases {
          for patient in everyone {
            let resource = type == "*" ? "Observation" : type
            #expect(
              Self.isAllowed(first, action, patient, resource)
                == Self.isAllowed(second, action, patient, resource),
              "\(context) \(type).\(old): \(action) of \(patient)")
          }
        }
      }
    }
  }
}

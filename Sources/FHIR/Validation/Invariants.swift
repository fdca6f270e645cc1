// SPDX-License-Identifier: Apache-2.0

/// A broken rule between elements.
struct InvariantFinding: Sendable {
  /// The element below the checked one; nil for the checked one itself.
  var element: String?
  var message: String
  var code: FHIRIssueCode = .invariant
}

/// The R4 invariants that the tables cannot express, by type.
///
/// Only rules with the severity error are checked; warnings and best practices of R4 are left out.
enum Invariants {
  typealias Check = @Sendable (JSONValue) -> [InvariantFinding]

  static let byType: [String: Check] = {
    var all = DatatypeInvariants.byType
    for checks in [
      ClinicalInvariants.byType, AdministrativeInvariants.byType, QuestionnaireInvariants.byType,
      BundleInvariants.byType,
    ] {
      all.merge(checks) { first, _ in first }
    }
    return all
  }()

  /// Returns a check that makes several.
  static func all(_ checks: Check...) -> Check {
    { value in checks.flatMap { check in check(value) } }
  }

  /// Returns one finding if the rule is broken, none if it holds.
  static func unless(
    _ holds: Bool, _ message: String, at element: String? = nil
  ) -> [InvariantFinding] {
    holds ? [] : [InvariantFinding(element: element, message: message)]
  }
}

extension JSONValue {
  /// Returns true if an object has the element, with a value or with extensions in its place.
  func hasElement(_ name: String) -> Bool { self[name] != nil || self["_" + name] != nil }

  /// Returns true if an object has an element `name[x]` of any type.
  func hasChoice(_ name: String) -> Bool {
    guard let object else { return false }
    return object.entries.contains { entry in
      let key = entry.key.utf8.first == UInt8(ascii: "_") ? entry.key.dropFirst() : entry.key[...]
      return key.hasPrefix(name) && (key.dropFirst(name.count).first?.isUppercase ?? false)
    }
  }

  /// Returns true if a CodeableConcept has one of the codes of the system.
  func hasCode(_ codes: Set<String>, system: String) -> Bool {
    conceptCodes.contains { $0.system == system && codes.contains($0.code) }
  }
}

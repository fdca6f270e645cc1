// SPDX-License-Identifier: Apache-2.0

extension SMARTScopes {
  /// The most scopes of one request that are read; the others are refused.
  private static let mostScopes = 100
  /// The most conditions of one scope.
  private static let mostConditions = 10

  /// Reads scopes that are separated by spaces, in the notation of SMART App Launch 2 or 1.
  ///
  /// A scope that is malformed, or that names an unknown resource, is listed in ``refused``.
  package init(parsing text: String) {
    var grants: [SMARTGrant] = []
    var launch: Set<Launch> = []
    var refused: [String] = []
    for (index, part) in text.split(separator: " ").enumerated() {
      let scope = String(part)
      if index < Self.mostScopes, let known = Launch(rawValue: scope) {
        launch.insert(known)
      } else if index < Self.mostScopes, let grant = SMARTGrant(parsing: scope) {
        grants.append(grant)
      } else if !refused.contains(scope) {
        refused.append(scope)
      }
    }
    self.init(grants, launch: launch, refused: refused, asked: text)
  }

  fileprivate static func conditions(_ query: Substring) -> Set<SMARTCondition>? {
    let parts = query.split(separator: "&", omittingEmptySubsequences: false)
    guard parts.count <= mostConditions else { return nil }
    var conditions: Set<SMARTCondition> = []
    for part in parts {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let name = decoded(sides[0]), let value = decoded(sides[1]),
        isParameter(name), !value.isEmpty
      else { return nil }
      conditions.insert(SMARTCondition(name: name, value: value))
    }
    return conditions
  }

  /// Returns true for a parameter that describes the resource itself: no `_count`, `_include` or other instruction,
  /// and neither a chain nor `_has`, which depend on other resources.
  private static func isParameter(_ name: String) -> Bool {
    let base = name.prefix { $0 != ":" }
    if base.hasPrefix("_") {
      guard ["_id", "_lastUpdated", "_tag", "_profile", "_security", "_source"].contains(base)
      else { return false }
    }
    return !base.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: ":"):
          true
        default: false
        }
      }
  }

  /// Returns a text without its percent encoding; nil if that is malformed.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension SMARTGrant {
  /// Reads one permission; nil for any other text.
  package init?(parsing text: String) {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let sides = halves[0].split(separator: "/", omittingEmptySubsequences: false)
    guard sides.count == 2, let context = Context(rawValue: String(sides[0])) else { return nil }
    let parts = sides[1].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let actions = Self.actions(parts[1]) else { return nil }
    let resource = String(parts[0])
    guard resource == Self.everyResource || SMARTResources.types.contains(resource) else {
      return nil
    }
    guard halves.count == 2 else {
      self.init(context, resource, actions)
      return
    }
    // Types have different search parameters, so a constraint has no meaning for all of them.
    guard resource != Self.everyResource, let constraint = SMARTScopes.conditions(halves[1])
    else { return nil }
    self.init(context, resource, actions, constraint: constraint)
  }

  /// Returns the actions of version 2, whose letters are in order, or of version 1.
  private static func actions(_ text: Substring) -> Set<Letter>? {
    switch text {
    case "read": return [.read, .search]
    case "write": return [.create, .update, .delete]
    case "*": return Set(Letter.allCases)
    default:
      let letters = text.compactMap { Letter(rawValue: String($0)) }
      guard !letters.isEmpty, letters.count == text.count,
        zip(letters, letters.dropFirst()).allSatisfy({ $0 < $1 })
      else { return nil }
      return Set(letters)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// One permission of an app, such as `patient/Observation.rs?category=vital-signs`.
package struct SMARTGrant: Sendable, Hashable {
  /// The data that a permission covers.
  package enum Context: String, Sendable, Hashable, CaseIterable {
    /// The one patient for whom the app was started.
    case patient
    /// Every patient that the account can reach.
    case user
    /// Every patient of the installation; for programs that act without a person.
    case system
  }

  /// One letter of a permission.
  package enum Letter: String, Sendable, Hashable, CaseIterable, Comparable {
    case create = "c"
    case read = "r"
    case update = "u"
    case delete = "d"
    case search = "s"

    /// Orders the letters as SMART writes them: cruds.
    package static func < (left: Letter, right: Letter) -> Bool { left.place < right.place }

    private var place: Int {
      switch self {
      case .create: 0
      case .read: 1
      case .update: 2
      case .delete: 3
      case .search: 4
      }
    }
  }

  /// The resource name that stands for all types.
  package static let everyResource = "*"

  /// The data that the permission covers.
  package let context: Context
  /// A FHIR type, or `*` for all.
  package let resource: String
  /// The actions that it allows.
  package let actions: Set<Letter>
  /// Search parameters that a resource must match, all of them; empty for no limit.
  package let constraint: Set<SMARTCondition>

  /// Creates a permission.
  package init(
    _ context: Context, _ resource: String, _ actions: Set<Letter>,
    constraint: Set<SMARTCondition> = []
  ) {
    self.context = context
    self.resource = resource
    self.actions = actions
    self.constraint = constraint
  }

  /// Returns true if the permission is for a type.
  package func names(_ resource: String) -> Bool {
    self.resource == resource || self.resource == Self.everyResource
  }

  /// Returns true if this permission allows everything that another one allows.
  package func covers(_ other: SMARTGrant) -> Bool {
    context == other.context && names(other.resource) && other.actions.isSubset(of: actions)
      && constraint.isSubset(of: other.constraint)
  }

  /// Returns what two permissions both allow; nil if that is nothing.
  package func meet(_ other: SMARTGrant) -> SMARTGrant? {
    let common = actions.intersection(other.actions)
    guard context == other.context, !common.isEmpty, names(other.resource) || other.names(resource)
    else { return nil }
    return SMARTGrant(
      context, resource == Self.everyResource ? other.resource : resource, common,
      constraint: constraint.union(other.constraint))
  }

  /// The permission in the notation of SMART App Launch 2, such as `user/Observation.rs`.
  package var text: String {
    let letters = actions.sorted().map(\.rawValue).joined()
    let whole = "\(context.rawValue)/\(resource).\(letters)"
    guard !constraint.isEmpty else { return whole }
    return whole + "?" + constraint.sorted().map(\.text).joined(separator: "&")
  }

  /// The permission split into one for each action.
  var single: [SMARTGrant] {
    actions.sorted().map { SMARTGrant(context, resource, [$0], constraint: constraint) }
  }
}

/// A search parameter with the value that a resource must match, such as `category=vital-signs`.
package struct SMARTCondition: Sendable, Hashable, Comparable {
  /// The name of the search parameter, with its modifier.
  package let name: String
  /// The value as in a search, without percent encoding.
  package let value: String

  /// Creates a condition.
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// Orders conditions by name and value.
  package static func < (left: SMARTCondition, right: SMARTCondition) -> Bool {
    (left.name, left.value) < (right.name, right.value)
  }

  /// The condition as in the query of an address, without characters that end a scope.
  package var text: String { "\(Self.encoded(name))=\(Self.encoded(value))" }

  private static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      // OAuth forbids spaces, quotation marks and backslashes in scopes; the others have a meaning in queries.
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "%"), UInt8(ascii: "&"),
        UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "#"), UInt8(ascii: "?"), ...0x20,
        0x7f...:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      default: encoded.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return encoded
  }
}

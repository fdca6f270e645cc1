// SPDX-License-Identifier: Apache-2.0

import FHIR

/// An operation that the FHIR API offers, as the capability statement lists it.
struct FHIROperationDefinition: Sendable, Hashable {
  /// The addresses at which an operation can be called.
  enum Level: Sendable, Hashable {
    /// Below `/fhir`.
    case system
    /// Below the address of a type.
    case type
    /// Below the address of a resource.
    case instance
  }

  /// The name without `$`.
  let name: String
  /// The canonical address of the OperationDefinition.
  let definition: String
  /// The resource types that have it; empty for all served types.
  let types: [String]
  /// The addresses at which it can be called.
  let levels: Set<Level>

  init(_ name: String, definition: String, types: [String], levels: Set<Level>) {
    self.name = name
    self.definition = definition
    self.types = types
    self.levels = levels
  }

  /// Returns true if a resource type of this name has the operation.
  func isOffered(by type: String) -> Bool {
    guard levels.contains(.type) || levels.contains(.instance) else { return false }
    return types.isEmpty || types.contains(type)
  }

  /// The entry of a capability statement.
  var json: JSONValue { ["name": .string(name), "definition": .string(definition)] }
}

// SPDX-License-Identifier: Apache-2.0

/// Values that features keep in the environment or in the settings, one of each type.
///
/// Nothing here names a feature. A feature gives its value a name in an extension of
/// ``ServerEnvironment`` or ``ServerSettings``, in its own folder.
package struct FeatureValues: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates an empty collection.
  package init() {}

  /// The value of a type that must be present; reading a missing one ends the program.
  ///
  /// The composition root sets all of them before the server starts.
  package subscript<Value: Sendable>(type: Value.Type) -> Value {
    get {
      guard let value = self[ifSet: type] else {
        fatalError(MissingFeatureValues(of: [type]).description)
      }
      return value
    }
    set { self[ifSet: type] = newValue }
  }

  /// The value of a type that may be absent; nil if none was set.
  package subscript<Value: Sendable>(ifSet type: Value.Type) -> Value? {
    get { values[ObjectIdentifier(type)] as? Value }
    set {
      if let newValue {
        values[ObjectIdentifier(type)] = newValue
      } else {
        values[ObjectIdentifier(type)] = nil
      }
    }
  }

  /// Throws ``MissingFeatureValues`` unless there is a value of each of the types.
  package func check(_ types: [Any.Type]) throws(MissingFeatureValues) {
    let missing = types.filter { values[ObjectIdentifier($0)] == nil }
    guard missing.isEmpty else { throw MissingFeatureValues(of: missing) }
  }
}

/// Feature values that the composition root has not set.
package struct MissingFeatureValues: Error, Hashable, CustomStringConvertible {
  /// The Swift names of their types.
  package let types: [String]

  init(of types: [Any.Type]) {
    self.types = types.map { "\($0)" }
  }

  /// The message for the operator, with the missing types.
  package var description: String {
    """
    The server cannot start: its environment has no value of type \
    \(types.joined(separator: ", ")). Set it in RegimenServer.features.
    """
  }
}

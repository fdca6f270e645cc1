// SPDX-License-Identifier: Apache-2.0

/// Values that features keep in the environment or in the settings, one of each type.
///
/// Nothing here names a feature. A feature gives its value a name in an extension of
/// ``ServerEnvironment`` or ``ServerSettings``, in its own folder.
package struct FeatureValues: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Makes an empty collection.
  package init() {}

  /// The value of a type that must be present: the server does not start without it.
  package subscript<Value: Sendable>(type: Value.Type) -> Value {
    get {
      guard let value = self[ifSet: type] else {
        fatalError(MissingFeatureValues(of: [type]).description)
      }
      return value
    }
    set { self[ifSet: type] = newValue }
  }

  /// The value of a type that may be absent; nil where nobody set it.
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

  /// Throws unless there is a value of each of the types.
  package func check(_ types: [Any.Type]) throws(MissingFeatureValues) {
    let missing = types.filter { values[ObjectIdentifier($0)] == nil }
    guard missing.isEmpty else { throw MissingFeatureValues(of: missing) }
  }
}

/// Feature values that the composition root has not set.
package struct MissingFeatureValues: Error, Hashable, CustomStringConvertible {
  /// The names of their types.
  package let types: [String]

  init(of types: [Any.Type]) {
    self.types = types.map { "\($0)" }
  }

  package var description: String {
    """
    The server cannot start: its environment has no value of type \
    \(types.joined(separator: ", ")). Set it in RegimenServer.features.
    """
  }
}

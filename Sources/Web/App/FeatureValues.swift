// SPDX-License-Identifier: Apache-2.0

/// A value that a feature keeps in the environment and that always exists.
///
/// The composition root sets a value of each type, and the server refuses to start if one is
/// missing (``FeatureValues/check(_:)``). A value that was not set reads as ``absent`` instead of
/// trapping.
package protocol FeatureValue: Sendable {
  /// The default for a value that was not set: it sends and finds nothing.
  static var absent: Self { get }
}

/// Values that features keep in the environment or in the settings, one per type.
///
/// This file names no feature. Each feature names its value in an extension of
/// ``ServerEnvironment`` or ``ServerSettings``, in its own folder.
package struct FeatureValues: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates an empty collection.
  package init() {}

  /// The value of a type that the composition root sets; ``FeatureValue/absent`` if none was set.
  package subscript<Value: FeatureValue>(type: Value.Type) -> Value {
    get { self[ifSet: type] ?? .absent }
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

  /// Throws ``MissingFeatureValues`` unless each of the types has a value.
  package func check(_ types: [any FeatureValue.Type]) throws(MissingFeatureValues) {
    let missing = types.filter { values[ObjectIdentifier($0)] == nil }
    guard missing.isEmpty else { throw MissingFeatureValues(of: missing) }
  }
}

/// Feature values that the composition root has not set.
package struct MissingFeatureValues: Error, Hashable, CustomStringConvertible {
  /// The Swift names of their types.
  package let types: [String]

  init(of types: [any FeatureValue.Type]) {
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

// SPDX-License-Identifier: Apache-2.0

/// A value that a feature keeps in the environment and that is never missing there.
///
/// The composition root sets a value of each such type, and the server refuses to start without one
/// (``FeatureValues/check(_:)``). Reading still needs no trap: what was not set reads as ``absent``.
package protocol FeatureValue: Sendable {
  /// The value that stands in for one that was not set: it sends, reaches and knows nothing.
  static var absent: Self { get }
}

/// Values that features keep in the environment or in the settings, one of each type.
///
/// Nothing here names a feature. A feature gives its value a name in an extension of
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

  /// Throws ``MissingFeatureValues`` unless a value of each of the types was set.
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

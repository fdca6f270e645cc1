// SPDX-License-Identifier: Apache-2.0

/// A type whose values show only their type when they are printed, interpolated, dumped or
/// mirrored, on their own or inside another value.
package protocol Unprintable: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension Unprintable {
  /// The name of the type, without the value.
  package var description: String { "\(Self.self)" }
  /// The name of the type, without the value.
  package var debugDescription: String { "\(Self.self)" }
  /// A mirror without children.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A secret value, such as a password for another server, which is available only on explicit request.
///
/// It is not `Encodable`, so that it is never written as JSON by accident.
package struct Concealed<Value: Sendable>: Sendable, Unprintable {
  /// The value, for the single place that needs it, never for a message.
  package let revealed: Value

  /// Creates a secret from its plain value.
  package init(_ value: Value) {
    revealed = value
  }

  /// The word "concealed", whatever the value.
  package var description: String { "concealed" }
  /// The word "concealed", whatever the value.
  package var debugDescription: String { "concealed" }
}

extension Concealed: Equatable where Value: Equatable {}
extension Concealed: Hashable where Value: Hashable {}

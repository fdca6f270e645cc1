// SPDX-License-Identifier: Apache-2.0

/// A type whose values say their type and nothing else when they are printed, interpolated, dumped or
/// mirrored, by themselves or within something else.
package protocol Unprintable: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{}

extension Unprintable {
  package var description: String { "\(Self.self)" }
  package var debugDescription: String { "\(Self.self)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A secret value, such as a password of another server: it is had by asking for it alone.
///
/// It is no `Encodable`, so that nothing writes it as JSON by accident either.
package struct Concealed<Value: Sendable>: Sendable, Unprintable {
  /// The value, for the one place that needs it; never for a message.
  package let revealed: Value

  package init(_ value: Value) {
    revealed = value
  }

  package var description: String { "concealed" }
  package var debugDescription: String { "concealed" }
}

extension Concealed: Equatable where Value: Equatable {}
extension Concealed: Hashable where Value: Hashable {}

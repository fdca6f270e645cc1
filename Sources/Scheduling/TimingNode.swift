// SPDX-License-Identifier: Apache-2.0

/// A value of a Timing or a rule as it was written, before anything is known of its meaning.
///
/// Whoever has JSON of their own makes one of these from it. Numbers keep their digits.
public indirect enum TimingNode: Hashable, Sendable {
  /// Named members in their order.
  case object([TimingMember])
  /// Values in their order.
  case list([TimingNode])
  /// A text.
  case text(String)
  /// A number as written, "0.5" or "1e3".
  case number(String)
  /// True or false.
  case flag(Bool)
  /// Nothing, said explicitly.
  case null

  /// The member of that name; nil where there is none, or where this is no object.
  public subscript(name: String) -> TimingNode? {
    guard case .object(let members) = self else { return nil }
    for member in members where member.name.isSame(as: name) { return member.value }
    return nil
  }
}

/// A named value within an object.
public struct TimingMember: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The value under the name.
  public let value: TimingNode

  /// Joins a name and a value.
  public init(_ name: String, _ value: TimingNode) {
    self.name = name
    self.value = value
  }
}

extension String {
  /// Compares bytes: comparing Strings would pull Unicode tables into WebAssembly.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

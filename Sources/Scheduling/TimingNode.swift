// SPDX-License-Identifier: Apache-2.0

/// A value of a Timing or a rule as written, before it is interpreted.
///
/// Callers convert their own JSON values to this type. Numbers keep their digits.
public indirect enum TimingNode: Hashable, Sendable {
  /// Named members in order.
  case object([TimingMember])
  /// Values in order.
  case list([TimingNode])
  /// A string.
  case text(String)
  /// A number as written, such as "0.5" or "1e3".
  case number(String)
  /// True or false.
  case flag(Bool)
  /// An explicit null.
  case null

  /// Returns the member with the given name; nil if there is none or the node is not an object.
  public subscript(name: String) -> TimingNode? {
    guard case .object(let members) = self else { return nil }
    for member in members where member.name.isSame(as: name) { return member.value }
    return nil
  }
}

/// A named value in an object.
public struct TimingMember: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The value of the member.
  public let value: TimingNode

  /// Creates a member.
  public init(_ name: String, _ value: TimingNode) {
    self.name = name
    self.value = value
  }
}

extension String {
  /// Compares bytes: comparing Strings would pull Unicode tables into WebAssembly.
  func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

// SPDX-License-Identifier: Apache-2.0

/// A set for the few values that a schedule lists, which replaces the standard library's in this module.
///
/// A linear search needs less code than hashing.
public struct Set<Element: Hashable>: Hashable, Sequence, ExpressibleByArrayLiteral {
  private var members: [Element] = []

  init() {}

  init(_ elements: [Element]) {
    for element in elements { insert(element) }
  }

  /// Creates a set from a literal.
  public init(arrayLiteral elements: Element...) { self.init(elements) }

  var isEmpty: Bool { members.isEmpty }
  var count: Int { members.count }

  func contains(_ element: Element) -> Bool { members.contains(element) }

  mutating func insert(_ element: Element) {
    if !contains(element) { members.append(element) }
  }

  func union(_ others: Set) -> Set {
    var joined = self
    for other in others.members { joined.insert(other) }
    return joined
  }

  /// Iterates over the members in the order in which they were inserted.
  public func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }

  /// Compares two sets regardless of order.
  public static func == (left: Set, right: Set) -> Bool {
    left.count == right.count && left.members.allSatisfy { right.contains($0) }
  }

  /// Hashes the number of members, which doesn't depend on their order.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension Set: Sendable where Element: Sendable {}

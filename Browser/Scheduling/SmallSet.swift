// SPDX-License-Identifier: Apache-2.0

/// A set of the few things that a schedule lists, in place of the standard library's for this module alone: a
/// list that is looked through takes less room than hashing.
public struct Set<Element: Hashable>: Hashable, Sequence, ExpressibleByArrayLiteral {
  private var members: [Element] = []

  init() {}

  init(_ elements: [Element]) {
    for element in elements { insert(element) }
  }

  /// Makes a set of what a literal lists.
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

  /// Goes through the members in the order in which they came.
  public func makeIterator() -> IndexingIterator<[Element]> { members.makeIterator() }

  /// Compares without regard to order.
  public static func == (left: Set, right: Set) -> Bool {
    left.count == right.count && left.members.allSatisfy { right.contains($0) }
  }

  /// Hashes what is the same in every order.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension Set: Sendable where Element: Sendable {}

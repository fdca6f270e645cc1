// SPDX-License-Identifier: Apache-2.0

/// An action of one feature that follows from a change made by another, in the same transaction.
///
/// The feature that makes the change declares a type for it and carries out the list; it does not know the
/// features in it.
package protocol Consequence: Sendable {
  /// The name under which tests list it.
  var name: String { get }
}

/// The consequences of all kinds of changes, put together once by the composition root.
package struct Consequences: Sendable {
  private let lists: [ObjectIdentifier: any Sendable]

  /// Creates the lists, one for each kind, in the order in which they are carried out.
  package init<each Kind: Consequence>(_ lists: repeat [each Kind]) {
    var byKind: [ObjectIdentifier: any Sendable] = [:]
    func add<One: Consequence>(_ list: [One]) { byKind[ObjectIdentifier(One.self)] = list }
    repeat add(each lists)
    self.lists = byKind
  }

  /// Returns the consequences of one kind, in order.
  package subscript<Kind: Consequence>(_ kind: Kind.Type) -> [Kind] {
    lists[ObjectIdentifier(kind)] as? [Kind] ?? []
  }
}

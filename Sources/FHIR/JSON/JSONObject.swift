// SPDX-License-Identifier: Apache-2.0

/// The properties of a JSON object in the order in which they were written, each name once.
///
/// Equality includes the order. Lookups scan the list, because FHIR objects have few properties.
public struct JSONObject: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    var key: String
    var value: JSONValue
  }

  var entries: [Entry]

  /// Creates an empty object.
  public init() { entries = [] }

  /// Creates an object from pairs in order; the last value of a repeated name is kept.
  public init(_ pairs: some Sequence<(String, JSONValue)>) {
    entries = []
    for (key, value) in pairs { self[key] = value }
  }

  /// Creates an object from entries whose names the reader has found to be distinct.
  init(distinct entries: [Entry]) { self.entries = entries }

  /// The value of a name; setting a new name appends it, setting `nil` removes it.
  public subscript(key: String) -> JSONValue? {
    get {
      for entry in entries where entry.key == key { return entry.value }
      return nil
    }
    set {
      let index = entries.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): entries[index].value = value
      case (let index?, nil): entries.remove(at: index)
      case (nil, let value?): entries.append(Entry(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The names in order.
  public var keys: [String] { entries.map(\.key) }

  /// True if there are no properties.
  public var isEmpty: Bool { entries.isEmpty }

  /// The number of properties.
  public var count: Int { entries.count }
}

extension JSONObject: Sequence {
  /// Iterates over the properties in order.
  public struct Iterator: IteratorProtocol {
    var base: IndexingIterator<[Entry]>

    /// Returns the next property, or `nil` at the end.
    public mutating func next() -> (key: String, value: JSONValue)? {
      guard let entry = base.next() else { return nil }
      return (entry.key, entry.value)
    }
  }

  /// Returns an iterator over the properties in order.
  public func makeIterator() -> Iterator { Iterator(base: entries.makeIterator()) }

  /// The number of properties.
  public var underestimatedCount: Int { entries.count }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Storage
import Synchronization

/// PostgreSQL databases that tests reuse one after the other.
///
/// Creating one copies a thousand files, and dropping it removes them; emptying a used one takes a
/// few milliseconds.
final class PostgresPool: Sendable {
  /// A database, and the test that uses it while it holds its ``Storage/Database``.
  private struct Place: Sendable {
    let name: String
    let address: PostgresAddress
    var isTaken = true
    weak var user: Database?
  }

  static let shared = PostgresPool()

  private let template = "migrated"
  private let places = Mutex<[Place]>([])
  private let made = Atomic(0)

  /// The attempt to create the database that others are copied from.
  private let hasTemplate: Result<Void, any Error> = Result {
    let keys = try KeyRing.generate { count in [UInt8](repeating: 1, count: count) }
    let address = try PostgresCluster.shared.get().makeDatabase("migrated")
    _ = try TestDatabase.open(
      .postgres(address, nil, uptime: { 0 }), keys: keys, node: "test")
  }

  /// Creates a database that is empty except for the schema and that no other test gets.
  func makeOwn() throws -> PostgresAddress {
    try hasTemplate.get()
    return try PostgresCluster.shared.get().makeDatabase(like: template)
  }

  /// Opens an empty database, which another test may get once this one is released.
  func open(keys: KeyRing, node: String) throws -> Database {
    let (place, address) = try take()
    let database = try TestDatabase.open(
      .postgres(address, nil, uptime: { 0 }), keys: keys, node: node)
    places.withLock { places in
      places[place].user = database
      places[place].isTaken = false
    }
    return database
  }

  private func take() throws -> (place: Int, address: PostgresAddress) {
    try hasTemplate.get()
    let free: (Int, String, PostgresAddress)? = places.withLock { places in
      guard let index = places.firstIndex(where: { !$0.isTaken && $0.user == nil }) else {
        return nil
      }
      places[index].isTaken = true
      return (index, places[index].name, places[index].address)
    }
    let cluster = try PostgresCluster.shared.get()
    if let (index, name, address) = free {
      try cluster.empty(name)
      return (index, address)
    }
    let name = "shared\(made.add(1, ordering: .relaxed).newValue)"
    let address = try cluster.makeDatabase(name, like: template)
    let index = places.withLock { places in
      places.append(Place(name: name, address: address))
      return places.count - 1
    }
    return (index, address)
  }
}

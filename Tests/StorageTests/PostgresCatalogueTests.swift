// SPDX-License-Identifier: Apache-2.0
import Testing
import TestSupport

@testable import Storage

/// Tables and their columns as PostgreSQL's catalogue describes them.
@Suite(.enabled(if: TestDatabase.engine == .postgres))
struct PostgresCatalogueTests {
  @Test func `odd names, keys and dropped columns are read as they are`() async throws {
    guard case .postgres(let address, _, _) = try await TestDatabase.location(.postgres) else {
      throw StorageError.closed
    }
    let connection = PostgresConnection(address: address, gate: PostgresGate(uptime: { 0 }))
    try connection.open(insists: true)
    defer { connection.close() }
    // The place comes with the newest schema.
    try connection.script(
      """
      DROP SCHEMA public CASCADE; CREATE SCHEMA public;
      CREATE TABLE "Odd ""name"" ä" (
        "zweite Spalte" bytea, gone bytea, "Erste" text, PRIMARY KEY ("Erste", "zweite Spalte"));
      ALTER TABLE "Odd ""name"" ä" DROP COLUMN gone;
      ALTER TABLE "Odd ""name"" ä" ADD COLUMN "order" bytea;
      CREATE TABLE keyless (a bigint UNIQUE, b bytea);
      CREATE TABLE parted (a bigint, b bigint, PRIMARY KEY (b, a)) PARTITION BY RANGE (b);
      CREATE TABLE schema_migrations (name text PRIMARY KEY);
      CREATE VIEW seen AS SELECT * FROM keyless;
      CREATE MATERIALIZED VIEW kept AS SELECT * FROM keyless;
      CREATE SCHEMA other; CREATE TABLE other.keyless (c bytea PRIMARY KEY)
      """)
    let (odd, catalogue) = ("Odd \"name\" ä", PostgresCatalogue())
    try connection.beginReading()
    defer { connection.endReading() }
    #expect(
      try catalogue.tables(in: connection) == [
        StoredTable(
          name: odd, columns: ["zweite Spalte", "Erste", "order"], key: ["Erste", "zweite Spalte"]),
        StoredTable(name: "keyless", columns: ["a", "b"], key: []),
        StoredTable(name: "parted", columns: ["a", "b"], key: ["b", "a"]),
      ])
    #expect(try catalogue.blobColumns(of: odd, in: connection) == ["zweite Spalte", "order"])
    #expect(try catalogue.blobColumns(of: "keyless", in: connection) == ["b"])
    #expect(try catalogue.blobColumns(of: "nothing", in: connection).isEmpty)
  }
}

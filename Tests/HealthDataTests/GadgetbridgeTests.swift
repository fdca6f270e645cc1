// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthData
import Identifiers
import Testing
import TestSupport

/// Gadgetbridge databases, valid and hostile.
struct GadgetbridgeTests {
  private static let schema = """
    CREATE TABLE "DEVICE" ("_id" INTEGER PRIMARY KEY, "NAME" TEXT NOT NULL, "ALIAS" TEXT);
    CREATE TABLE "MI_BAND_ACTIVITY_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL,
      "USER_ID" INTEGER NOT NULL, "RAW_INTENSITY" INTEGER NOT NULL, "STEPS" INTEGER NOT NULL,
      "RAW_KIND" INTEGER NOT NULL, "HEART_RATE" INTEGER NOT NULL,
      PRIMARY KEY ("TIMESTAMP", "DEVICE_ID") ON CONFLICT REPLACE) WITHOUT ROWID;
    CREATE TABLE "HUAMI_HEART_RATE_RESTING_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL,
      "DEVICE_ID" INTEGER NOT NULL, "USER_ID" INTEGER NOT NULL, "UTC_OFFSET" INTEGER NOT NULL,
      "HEART_RATE" INTEGER NOT NULL, PRIMARY KEY ("TIMESTAMP", "DEVICE_ID"));
    CREATE TABLE "XIAOMI_DAILY_SUMMARY_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL,
      "DEVICE_ID" INTEGER NOT NULL, "STEPS" INTEGER, "HR_RESTING" INTEGER);
    INSERT INTO DEVICE VALUES (1, 'Band', NULL), (2, 'Watch', 'Left wrist');
    """
  private static let rows = """
    INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES
      (1790834400, 1, 1, 5, 12, 1, 71), (1790834460, 1, 1, 5, 0, 1, 255),
      (1790834520, 1, 1, 5, 3, 1, -1), (1790834580, 2, 1, 5, 0, 1, 0), (-5, 2, 1, 5, 0, 1, 60);
    INSERT INTO HUAMI_HEART_RATE_RESTING_SAMPLE VALUES (1790834400000, 2, 1, 0, 58);
    INSERT INTO XIAOMI_DAILY_SUMMARY_SAMPLE VALUES (1790834400000, 9, 4000, 61);
    """

  @Test func `Heart rate, steps and resting values are read, with the names of the watches`() throws
  {
    let read = try HealthFiles.database(Self.schema + Self.rows) {
      try HealthFiles.read(path: $0)
    }
    #expect(
      read.values.sorted() == [
        "heart-rate 71000 2026-10-01 7 Band",
        "resting-heart-rate 58000 2026-10-01 7 Left wrist",
        "resting-heart-rate 61000 2026-10-01 7 Gadgetbridge",
        "steps 12000 2026-10-01 7 Band", "steps 3000 2026-10-01 7 Band",
      ])
    #expect(read.report.faults == [.date: 1])
  }

  @Test(arguments: [
    // A view, a virtual table and a table with generated columns, each with the name of a table that is read.
    """
    CREATE VIEW A_ACTIVITY_SAMPLE AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
    SELECT x AS TIMESTAMP, 1 AS DEVICE_ID, 60 AS HEART_RATE FROM n;
    """,
    """
    CREATE TABLE A_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER,
      HEART_RATE INTEGER GENERATED ALWAYS AS (length(hex(zeroblob(100000000)))) VIRTUAL);
    INSERT INTO A_ACTIVITY_SAMPLE VALUES (1790834400, 1);
    """,
    "CREATE TABLE OTHER (TIMESTAMP INTEGER);",
    "CREATE VIRTUAL TABLE A_ACTIVITY_SAMPLE USING fts4(TIMESTAMP, DEVICE_ID, HEART_RATE);",
  ])
  func `Databases that run their own code are refused`(_ sql: String) throws {
    try HealthFiles.database(sql) { path in
      #expect(throws: HealthFileError.brokenDatabase) { try HealthFiles.read(path: path) }
    }
  }

  @Test func `Triggers, views and foreign functions change nothing`() throws {
    let extra = """
      CREATE VIEW V AS SELECT load_extension('x') AS TIMESTAMP;
      CREATE TRIGGER T AFTER INSERT ON DEVICE BEGIN DELETE FROM DEVICE; END;
      CREATE INDEX I ON MI_BAND_ACTIVITY_SAMPLE (abs(HEART_RATE));
      """
    let plain = try HealthFiles.database(Self.schema + Self.rows) {
      try HealthFiles.read(path: $0).values
    }
    let hostile = try HealthFiles.database(Self.schema + Self.rows + extra) { path in
      let before = FileManager.default.contents(atPath: path)
      let values = try HealthFiles.read(path: path).values
      #expect(FileManager.default.contents(atPath: path) == before)
      return values
    }
    #expect(hostile == plain)
  }

  @Test func `Broken databases end with an error or with what can still be read`() throws {
    let many = (0..<600).map { minute in
      "(\(1_790_834_400 + minute * 60), 1, 1, 5, \(minute % 9), 1, \(60 + minute % 40))"
    }
    let sql =
      Self.schema + Self.rows
      + "INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES \(many.joined(separator: ","));"
    let document = try HealthFiles.database(sql) { path in
      Array(FileManager.default.contents(atPath: path) ?? Data())
    }
    #expect(document.count > 8_000)
    let mutator = Mutator(
      fragments: ["\u{0}", "\u{1}", "\u{7F}\u{7F}", "CREATE", "SQLite format 3"],
      marks: "\u{0}\u{1}\u{d}")
    var random = SeededGenerator(seed: 77)
    var read = 0
    for round in 0..<600 {
      var broken = mutator.mutate(document, with: &random)
      if round.isMultiple(of: 7) {
        broken.removeLast(Int.random(in: 0..<broken.count - 20, using: &random))
      }
      // More often in the header, where sizes and roots are.
      if round.isMultiple(of: 3), broken.count > 100 {
        broken[Int.random(in: 16..<100, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        let result = try HealthFiles.read(broken)
        #expect(result.values.count <= 1_300)
        read += 1
      } catch is HealthFileError {
        // The error was reported.
      }
    }
    #expect(read > 0)
  }
}

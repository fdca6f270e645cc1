// SPDX-License-Identifier: Apache-2.0
import Foundation
import Storage
import Synchronization

/// A PostgreSQL server for the tests of this process: started once, on a socket in its own folder,
/// and stopped with the process, however it ends.
final class PostgresCluster: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// PostgreSQL does not run as root; end of file on its input tells the script that this process
  /// has ended.
  private static let script = """
    "$1/initdb" --no-sync -A trust -E UTF8 --locale=C -U regimen -D "$2/data" >"$2/log" 2>&1
    "$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off \
      -c full_page_writes=off -c max_connections=400 -c shared_buffers=64MB \
      -c max_locks_per_transaction=256 -c max_pred_locks_per_transaction=256 \
      -c max_wal_size=2GB >>"$2/log" 2>&1 &
    cat >/dev/null
    kill -QUIT $!
    wait
    rm -rf "$2"
    """

  private let folder: String
  private let programs: String
  private let count = Atomic(0)
  /// Kept open: the server stops when it closes.
  private let lifeline: Pipe

  /// The cluster of this process.
  static let shared: Result<PostgresCluster, Failure> = Result { () throws(Failure) in
    try PostgresCluster()
  }

  private init() throws(Failure) {
    guard let made = TemporaryFolder.make(named: "postgres") else {
      throw Failure(description: "no folder was made")
    }
    folder = made
    programs = try Self.findPrograms()
    lifeline = Pipe()
    let shell = ["sh", "-c", Self.script, "sh", programs, folder]
    if geteuid() == 0 {
      let name = getpwnam("postgres") == nil ? "nobody" : "postgres"
      guard let user = getpwnam(name)?.pointee, chown(folder, user.pw_uid, user.pw_gid) == 0
      else { throw Failure(description: "no user to run PostgreSQL as") }
      try start(["runuser", "-u", name, "--"] + shell)
    } else {
      try start(shell)
    }
    try waitUntilReady()
  }

  private static func findPrograms() throws(Failure) -> String {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.compactMap(Int.init).max()
    guard let newest else { throw Failure(description: "PostgreSQL is not installed in \(root)") }
    return "\(root)/\(newest)/bin"
  }

  private func start(_ command: [String]) throws(Failure) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = lifeline
    // Otherwise `swift test` waits until the folder is removed.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw Failure(description: "PostgreSQL was not started")
    }
  }

  private func waitUntilReady() throws(Failure) {
    for _ in 0..<600 {
      if run("psql", "SELECT 1") { return }
      usleep(50_000)
    }
    throw Failure(description: "PostgreSQL did not come up; see \(folder)/log")
  }

  private func run(_ program: String, _ sql: String, in database: String = "postgres") -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "\(programs)/\(program)")
    process.arguments = [
      "-h", folder, "-U", "regimen", "-d", database, "-v", "ON_ERROR_STOP=1", "-qc", sql,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Creates a database as a copy of another one, and returns its address.
  func makeDatabase(
    _ name: String? = nil, like template: String = "template0"
  ) throws(Failure) -> PostgresAddress {
    let name = name ?? "test\(count.add(1, ordering: .relaxed).newValue)"
    // On a stalled machine a connection may take longer than elsewhere without failing the test.
    guard run("psql", "CREATE DATABASE \(name) TEMPLATE \(template)"),
      let address = PostgresAddress(
        "postgresql://regimen@/\(name)?host=\(folder)&connect_timeout=60")
    else { throw Failure(description: "no database was made") }
    return address
  }

  /// Removes everything except the schema from a database, and ends its connections.
  func empty(_ name: String) throws(Failure) {
    let sql = """
      SET session_replication_role = replica;
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
      DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT quote_ident(tablename) FROM pg_tables
          WHERE schemaname = 'public' AND tablename <> 'schema_migrations'
        LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
      END $$;
      """
    guard run("psql", sql, in: name) else {
      throw Failure(description: "the database \(name) was not emptied")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The statements that change the table `apps`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum AppStore {
  static func insert(_ app: App, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, app.values)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO apps (\(App.columns)) VALUES (\(App.placeholders))")

  /// Changes the state of an app; returns false if there is none.
  static func set(
    _ state: App.State, of app: AppID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE apps SET state = $1 WHERE app = $2", [.text(state.rawValue), .text(app)]) > 0
  }
}

/// The registered apps.
extension AccountStore {
  /// Registers an app.
  ///
  /// - Parameters:
  ///   - secret: Its secret, which the caller shows once; nil for an app without one.
  ///   - actor: The account that registers it.
  package func register(
    _ registration: AppRegistration, as id: AppID, state: App.State, secret: Secret?,
    at now: Timestamp, by actor: AccountID, in writer: any SQLWriter
  ) throws -> App {
    let app = try registration.checked(
      id: id, state: state, secretDigest: secret?.digest, at: now)
    try AppStore.insert(app, in: writer)
    auditApp(.create, app.id, by: actor, at: now, in: writer)
    return app
  }

  /// Returns the app with a client id; nil if there is none.
  package func app(_ id: AppID, in reader: any SQLReader) throws(StorageError) -> App? {
    try reader.first(Self.appStatement, [.text(id)])?.decode()
  }

  private static let appStatement = SQLStatement("SELECT \(App.columns) FROM apps WHERE app = $1")

  /// Returns all apps, by name.
  package func apps(in reader: any SQLReader) throws(StorageError) -> [App] {
    try reader.query(Self.appsStatement, []).decode()
  }

  private static let appsStatement = SQLStatement(
    "SELECT \(App.columns) FROM apps ORDER BY name, app")

  /// Returns the enabled apps that can be opened from a page of this server, by name.
  package func launchableApps(in reader: any SQLReader) throws(StorageError) -> [App] {
    try reader.query(Self.launchableStatement, []).decode()
  }

  private static let launchableStatement = SQLStatement(
    """
    SELECT \(App.columns) FROM apps
    WHERE state = 'enabled' AND launch_address IS NOT NULL AND kind <> 'backend'
    ORDER BY name, app
    """)

  /// Returns the names of apps; those that are no longer registered are left out.
  package func appNames(
    of apps: Set<AppID>, in reader: any SQLReader
  ) throws(StorageError) -> [AppID: String] {
    guard !apps.isEmpty else { return [:] }
    let rows = try reader.query(
      "SELECT \(AppNameRow.columns) FROM apps WHERE app IN (", [],
      in: apps.sorted().map { .text($0) }
    ).decode(as: AppNameRow.self)
    return Dictionary(rows.map { ($0.app, $0.name) }) { first, _ in first }
  }

  /// Enables or disables an app.
  ///
  /// A disabled one keeps what people granted, but none of its tokens work.
  package func set(
    _ state: App.State, of app: AppID, at now: Timestamp, by actor: AccountID,
    in writer: any SQLWriter
  ) throws {
    guard try AppStore.set(state, of: app, in: writer) else { throw AppError.unknown }
    auditApp(.update, app, by: actor, at: now, in: writer)
  }

  private func auditApp(
    _ kind: AuditEntry.Kind, _ app: AppID, by actor: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: actor, kind: kind, patient: nil, resource: "App", resourceID: app.text,
        purpose: Purpose.administration.rawValue))
  }
}

/// The name of an app.
struct AppNameRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case app, name }

  static let columns = SQLColumns<Column>()

  let app: AppID
  let name: String

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    app = try columns.id(.app)
    name = try columns.text(.name)
  }
}

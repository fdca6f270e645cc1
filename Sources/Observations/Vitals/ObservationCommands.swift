// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Records
import Storage

/// Commands that change and delete Observations, and recalculate the day that they belong to.
package struct ObservationCommands: Sendable {
  /// The person whose Observations are changed.
  package let patient: PatientID
  /// The context of the commands.
  package let context: CommandContext
  /// Returns the measurement in a body; nil if there is none.
  let reading: @Sendable (String) -> VitalSample?

  /// Creates the commands.
  ///
  /// - Parameter reading: returns the measurement in a body; nil if it states none.
  package init(
    patient: PatientID, context: CommandContext,
    reading: @escaping @Sendable (String) -> VitalSample?
  ) {
    self.patient = patient
    self.context = context
    self.reading = reading
  }

  /// Replaces the body of a sent Observation.
  ///
  /// - Parameters:
  ///   - ifVersion: the version that the caller saw; nil to skip the check.
  ///   - body: returns the body for the number of the new version.
  /// - Throws: ``RecordsError``, including `notFound` for a day's value, which no one sent.
  package func update(
    _ id: String, ifVersion: Int64?, to body: (Int64) -> String, in writer: any SQLWriter
  ) throws -> ObservationVersion {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    let row = try present(id, ifVersion, in: writer)
    let version = row.version.version + 1
    let text = body(version)
    guard let sample = reading(text) else { throw RecordsError.notFound }
    try ObservationVersions.add(row.version, of: id, patient: patient, in: writer)
    try ObservationStore.replace(
      id, with: version, body: text, sample, patient: patient, at: context.now, in: writer)
    try withdraw(row, in: writer)
    _ = try VitalCommands.take(
      VitalBatch([sample]), patient: patient, isSaid: true, context: context, in: writer)
    VitalCommands.audit(.update, patient, context, in: writer)
    return ObservationVersion(version: version, body: text, changed: context.now)
  }

  /// Deletes a sent Observation, or withdraws the day's value from which one is generated.
  ///
  /// - Parameter ifVersion: the version that the caller saw; nil to skip the check.
  package func delete(_ id: String, ifVersion: Int64?, in writer: any SQLWriter) throws {
    _ = try VitalCommands.authorize(.delete, patient: patient, context)
    if try !takeBack(id, ifVersion, in: writer) {
      let row = try present(id, ifVersion, in: writer)
      try ObservationRows.end(id, patient: patient, at: context.now, in: writer)
      try withdraw(row, in: writer)
    }
    VitalCommands.audit(.delete, patient, context, in: writer)
  }

  // MARK: Rows

  private struct Row {
    let key: VitalDayKey
    let version: ObservationVersion
    let sample: VitalSample?
  }

  private func present(_ id: String, _ ifVersion: Int64?, in writer: any SQLWriter) throws -> Row {
    guard
      let found = try writer.first(Self.presentStatement, [.text(patient), .text(id)]),
      let metric = VitalMetric(rawValue: try found.read(ObservationSampleRow.self).text(.metric))
    else {
      let isGone = try ObservationVersions.patient(ofDeleted: id, in: writer) == patient
      throw isGone ? RecordsError.gone : RecordsError.notFound
    }
    let said = found.read(ObservationSampleRow.self)
    let state = found.read(ObservationStateRow.self, after: ObservationSampleRow.self)
    let version = try state.integer(.version)
    if let ifVersion, ifVersion != version {
      throw RecordsError.versionConflict(current: version)
    }
    return Row(
      key: VitalDayKey(metric: metric, day: try said.text(.day), source: try said.text(.source)),
      version: ObservationVersion(
        version: version, body: try said.text(.body), changed: try state.timestamp(.created)),
      sample: try ObservationRows.sample(said, reading: reading))
  }

  private static let presentStatement = SQLStatement(
    """
    SELECT \(ObservationSampleRow.columns), \(ObservationStateRow.columns)
    FROM vital_observations
    WHERE patient = $1 AND observation = $2 /*postgresql FOR UPDATE */
    """)

  /// Removes an Observation's measurement from its day, and recalculates the day from the others.
  private func withdraw(_ row: Row, in writer: any SQLWriter) throws {
    guard let sample = row.sample,
      let known = try VitalDayStore.load(row.key, patient: patient, in: writer)
    else { return }
    let others = try writer.query(
      Self.othersStatement,
      [
        .text(patient), .text(row.key.metric.rawValue), .text(row.key.day), .text(row.key.source),
      ]
    ).compactMap {
      try ObservationRows.sample($0.read(ObservationSampleRow.self), reading: reading)
    }
    var day = known
    day.withdraw(sample, leaving: others, at: context.now.milliseconds / 1_000)
    guard day != known else { return }
    try VitalDayStore.store(
      day, row.key, patient: patient, observation: context.newIdentifier, isNew: false,
      at: context.now, in: writer)
  }

  private static let othersStatement = SQLStatement(
    """
    SELECT \(ObservationSampleRow.columns) FROM vital_observations
    WHERE patient = $1 AND metric = $2 AND day = $3 AND source = $4 ORDER BY created, observation
    """)

  /// Withdraws the day's value behind an Observation; returns false if there is none.
  private func takeBack(_ id: String, _ ifVersion: Int64?, in writer: any SQLWriter) throws -> Bool
  {
    guard
      let row = try writer.first(Self.unsentDayStatement, [.text(patient), .text(id)])?
        .decode(as: UnsentDayRow.self),
      let metric = row.metric
    else { return false }
    if let ifVersion, ifVersion != row.changed.milliseconds {
      throw RecordsError.versionConflict(current: row.changed.milliseconds)
    }
    return try VitalCommands.takeBack(
      VitalDayKey(metric: metric, day: row.day, source: row.source), patient: patient,
      context: context, in: writer)
  }

  private static let unsentDayStatement = SQLStatement(
    """
    SELECT \(UnsentDayRow.columns) FROM vital_days d
    WHERE patient = $1 AND observation = $2 AND value IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM vital_observations o WHERE o.patient = d.patient
        AND o.metric = d.metric AND o.day = d.day AND o.source = d.source)
    """)
}

/// A row of `vital_days` without a sent Observation.
struct UnsentDayRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case metric, day, source, changed }

  static let columns = SQLColumns<Column>()

  /// The kind; nil for an unknown one.
  let metric: VitalMetric?
  let day: String
  let source: String
  let changed: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    metric = VitalMetric(rawValue: try row.text(.metric))
    day = try row.text(.day)
    source = try row.text(.source)
    changed = try row.timestamp(.changed)
  }
}

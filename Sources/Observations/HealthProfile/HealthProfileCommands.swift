// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage

/// Commands that add and remove weights and allergies.
package enum HealthProfileCommands {
  /// The accepted weights, from a small premature child to the heaviest person known.
  static let kilograms: ClosedRange<Decimal> = 0.2...650
  /// The maximum number of characters of an allergy's name and of its reaction.
  package static let maximumName = 200

  /// Stores a weight in kilograms as the day's value of a source; of two on one day the later one counts.
  ///
  /// - Parameters:
  ///   - typed: 0.2 to 650 kilograms, with a point or a comma.
  ///   - day: `yyyy-MM-dd`, not in the future.
  ///   - source: the name of the source for typed weights.
  ///   - zone: the person's time zone.
  /// - Throws: ``HealthProfileError`` for a value that is not valid, and an error if the actor may not write.
  package static func addWeight(
    _ typed: String, on day: String, source: String, zone: Zone, patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    guard !DraftText.trimmed(typed).isEmpty else { throw HealthProfileError.weightMissing }
    guard let text = DraftText.decimal(typed), let value = Decimal(string: text),
      kilograms.contains(value)
    else { throw HealthProfileError.weight }
    let today = zone.date(at: Instant(milliseconds: context.now.milliseconds))
    guard let date = CivilDate(text: DraftText.trimmed(day)),
      date > today.adding(months: -150 * 12)
    else { throw HealthProfileError.date }
    guard date <= today else { throw HealthProfileError.dateInTheFuture }
    let now = context.now.milliseconds / 1_000
    let at = date == today ? now : zone.startOfDay(date).milliseconds / 1_000 + 12 * 3_600
    let thousandths = NSDecimalNumber(decimal: value * 1_000).int64Value
    let sample = VitalSample(
      metric: .weight, day: date.text, second: 0, at: at,
      zoneOffset: zone.offsetSeconds(at: Instant(milliseconds: at * 1_000)), stamp: now,
      thousandths: thousandths, source: source)
    _ = try VitalCommands.take(
      VitalBatch([sample]), patient: patient, isSaid: true, context: context, in: writer)
  }

  /// Removes the weight of a day; importing the same one again does not restore it.
  package static func removeWeight(
    _ id: String, patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try context.authorize(.delete, VitalCommands.resource, of: patient)
    guard
      let weight = try writer.first(weightStatement, [.text(patient), .text(id)])?
        .decode(as: WeightKeyRow.self),
      try VitalCommands.takeBack(
        VitalDayKey(metric: .weight, day: weight.day, source: weight.source),
        patient: patient, context: context, in: writer)
    else { throw HealthProfileError.notFound }
    VitalCommands.audit(.delete, patient, context, in: writer)
  }

  private static let weightStatement = SQLStatement(
    """
    SELECT \(WeightKeyRow.columns) FROM vital_days
    WHERE patient = $1 AND metric = 'weight' AND observation = $2 AND value IS NOT NULL
    """)

  /// Stores an allergy as typed, with the codes of a medicine of that name if the person has one.
  ///
  /// - Parameter reaction: may be empty.
  /// - Throws: ``HealthProfileError`` for a text that is not valid, and `DenialReason`.
  package static func addAllergy(
    _ typed: String, reaction: String, patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    let authorization = try context.authorize(.create, "AllergyIntolerance", of: patient)
    let name = DraftText.trimmed(typed)
    let happens = DraftText.trimmed(reaction)
    guard !name.isEmpty else { throw HealthProfileError.nameMissing }
    guard max(name.count, happens.count) <= maximumName else { throw HealthProfileError.tooLong }
    let known = try allergies(patient, context, in: writer)
    let key = Ingredient.normalised(name)
    guard !known.contains(where: { Ingredient.normalised($0.name) == key }) else {
      throw HealthProfileError.alreadyThere
    }
    try checkRoom("AllergyIntolerance", patient, context, in: writer)
    _ = try RecordStore().create(
      Allergy.resource(
        name, reaction: happens.isEmpty ? nil : happens,
        codes: try codes(of: name, patient: patient, in: writer), of: patient,
        recorded: context.now),
      type: "AllergyIntolerance", id: context.newIdentifier(), authorization: authorization,
      at: context.now, in: writer)
  }

  /// Deletes an allergy, but not its versions; deleting it again is not an error.
  package static func removeAllergy(
    _ id: String, patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let type = "AllergyIntolerance"
    let authorization = try context.authorize(.delete, type, of: patient)
    let store = RecordStore()
    guard try store.patient(of: type, id: id, in: writer) == patient else {
      throw HealthProfileError.notFound
    }
    do {
      _ = try store.delete(
        type, id, ifVersion: nil, authorization: authorization, at: context.now, in: writer)
    } catch RecordsError.gone {
      // Someone else removed it, which is what was wanted.
    }
  }

  // MARK: Parts

  private static func searching(
    _ type: String, _ patient: PatientID, _ context: CommandContext
  ) throws -> SearchAuthorization {
    switch decideSearch(
      actor: context.actor, resource: type, patient: patient, purpose: context.purpose)
    {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }

  private static func allergies(
    _ patient: PatientID, _ context: CommandContext, in reader: any SQLReader
  ) throws -> [Allergy] {
    try HealthProfileQueries.allergies(
      try searching("AllergyIntolerance", patient, context), in: reader)
  }

  private static func checkRoom(
    _ type: String, _ patient: PatientID, _ context: CommandContext, in reader: any SQLReader
  ) throws {
    let page = try RecordStore().search(
      RecordSearch(type: type, count: 0), authorization: try searching(type, patient, context),
      in: reader)
    guard (page.total ?? 0) < HealthProfileQueries.maximum else { throw HealthProfileError.tooMany }
  }

  /// Returns the codes of a medicine that the person has under this name.
  private static func codes(
    of name: String, patient: PatientID, in reader: any SQLReader
  ) throws -> [(system: String?, code: String)] {
    let key = Ingredient.key(name: name)
    let columns = try reader.query(
      "SELECT ingredients FROM plans WHERE patient = $1 ORDER BY created, plan",
      [.text(patient)]
    ).values(as: String.self)
    for column in columns where Ingredient.keys(column: column).contains(key) {
      return Ingredient.codes(column: column)
    }
    return []
  }
}

/// The day and the source of a weight.
struct WeightKeyRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case day, source
  }

  static let columns = SQLColumns<Column>()

  let day: String
  let source: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    day = try row.text(.day)
    source = try row.text(.source)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Scheduling
import Storage

/// The optional features for which a patient has data that might be shown now.
///
/// One statement answers for all of them, so that a feature nobody uses costs a page no read of its own.
package struct FeaturesInUse: Sendable, Hashable {
  /// The first page is the simple one.
  package let simpleView: Bool
  package let stock: Bool
  /// A medicine has a description of its appearance, or a photo.
  package let looks: Bool
  package let cycles: Bool
  /// Somebody moved a dose to another time.
  package let movedDoses: Bool
  package let ingredientLimits: Bool
  /// Later reminders at weekends or in a holiday.
  package let sleepIn: Bool
  /// A proposal waits for a decision, or a stop has not been read.
  package let proposals: Bool
  /// A question about the heart rate of the last two days has no answer.
  package let heartQuestion: Bool
  package let acceptedInvitations: Bool
  /// Someone said in the last hours that they take care of something, or reminded of a dose.
  package let careMessages: Bool
  /// The account has put off the question about another time zone.
  package let travelPutOff: Bool
  /// A device of the account has not shown all that it was sent.
  package let unshownReminders: Bool
  /// Something of the account proved in the last seven days that it rings: a device or another way by a tap of its
  /// test, another way also by a reminder that went there and was answered.
  package let confirmedDevice: Bool

  /// The age up to which caregivers' messages are shown, in milliseconds.
  package static let careMessagesReach: Int64 = 12 * 3_600_000
  /// The time for which the question about another time zone is not asked again for the same zone, in milliseconds:
  /// another journey is another question.
  package static let travelRest: Int64 = 14 * 24 * 3_600_000
  private static let day: Int64 = 24 * 3_600_000

  /// Reads the features with the patient; nil if there is no such patient.
  static func read(
    of patient: PatientID, seenBy account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> (features: FeaturesInUse, person: Person)? {
    let rows = try reader.query(
      statement,
      [
        // The earliest day that it can be anywhere.
        .text(patient), .text(Zone.utc.date(at: Instant(now.adding(milliseconds: -day))).text),
        SQLValue(now),
        SQLValue(now.adding(milliseconds: -careMessagesReach)), .text(account),
        SQLValue(now.adding(milliseconds: -travelRest)),
        SQLValue(now.adding(milliseconds: -7 * day)),
      ])
    guard let row = rows.first, let person = try PeopleRows.person(rows) else { return nil }
    return (try FeaturesInUse(row.read(FeaturesRow.self, after: PersonRow.self)), person)
  }

  // The columns of FeaturesRow are written out here in their order, since they have parameters.
  private static let statement = SQLStatement(
    """
    SELECT \(PersonRow.columns),
      EXISTS (SELECT 1 FROM simple_views x WHERE x.patient = $1),
      EXISTS (SELECT 1 FROM stocks x WHERE x.patient = $1 AND x.ended IS NULL)
        OR EXISTS (SELECT 1 FROM stock_uses x WHERE x.patient = $1),
      EXISTS (SELECT 1 FROM medicine_appearances x WHERE x.patient = $1)
        OR EXISTS (SELECT 1 FROM medicine_photos x WHERE x.patient = $1),
      EXISTS (SELECT 1 FROM plan_cycles x WHERE x.patient = $1),
      EXISTS (SELECT 1 FROM dose_moves x WHERE x.patient = $1),
      EXISTS (SELECT 1 FROM ingredient_limits x WHERE x.patient = $1),
      EXISTS (SELECT 1 FROM reminder_choices x WHERE x.patient = $1
        AND (x.weekend_minute IS NOT NULL OR x.holiday_minute IS NOT NULL)),
      EXISTS (SELECT 1 FROM proposals x WHERE x.patient = $1 AND x.state = 'open')
        OR EXISTS (SELECT 1 FROM proposals x WHERE x.patient = $1 AND x.kind = 'stopped'
          AND x.state = 'accepted' AND x.seen IS NULL AND x.plan IS NOT NULL),
      EXISTS (SELECT 1 FROM heart_rate_warnings x WHERE x.patient = $1 AND x.kind = 'heart'
        AND x.day >= $2 AND x.answer IS NULL),
      EXISTS (SELECT 1 FROM grant_invitations x WHERE x.patient = $1 AND x.state = 'accepted'
        AND x.expires > $3),
      EXISTS (SELECT 1 FROM caregiver_messages x WHERE x.patient = $1 AND x.acknowledged >= $4)
        OR EXISTS (SELECT 1 FROM nudges x WHERE x.patient = $1 AND x.at >= $4),
      EXISTS (SELECT 1 FROM travel_questions x WHERE x.patient = $1 AND x.account = $5
        AND x.put_off > $6),
      EXISTS (SELECT 1 FROM push_subscriptions x WHERE x.account = $5 AND x.gone IS NULL
        AND x.unshown > 0),
      EXISTS (SELECT 1 FROM push_subscriptions x WHERE x.account = $5 AND x.gone IS NULL
        AND x.confirmed > $7)
        OR EXISTS (SELECT 1 FROM channel_addresses c
          WHERE c.account = $5 AND c.gone IS NULL AND c.confirmed IS NOT NULL
            AND (c.confirmed > $7 OR EXISTS (
              SELECT 1 FROM deliveries d
              WHERE d.address = c.address AND d.channel NOT IN ('push', 'mail')
                AND d.planned > $7 AND d.answered IS NOT NULL)))
    FROM people p LEFT JOIN daily_rhythm r ON r.patient = p.patient WHERE p.patient = $1
    """)

  private init(_ row: ColumnReader<FeaturesRow.Column>) throws(StorageError) {
    simpleView = try row.bool(.simpleView)
    stock = try row.bool(.stock)
    looks = try row.bool(.looks)
    cycles = try row.bool(.cycles)
    movedDoses = try row.bool(.movedDoses)
    ingredientLimits = try row.bool(.ingredientLimits)
    sleepIn = try row.bool(.sleepIn)
    proposals = try row.bool(.proposals)
    heartQuestion = try row.bool(.heartQuestion)
    acceptedInvitations = try row.bool(.acceptedInvitations)
    careMessages = try row.bool(.careMessages)
    travelPutOff = try row.bool(.travelPutOff)
    unshownReminders = try row.bool(.unshownReminders)
    confirmedDevice = try row.bool(.confirmedDevice)
  }
}

/// The columns of ``FeaturesInUse``, which follow those of the person.
enum FeaturesRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case simpleView, stock, looks, cycles, movedDoses, ingredientLimits, sleepIn, proposals
    case heartQuestion, acceptedInvitations, careMessages, travelPutOff, unshownReminders
    case confirmedDevice
  }

  static let columns = SQLColumns<Column>()
}

// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Scheduling
import Storage

/// The optional features for which a patient has data that might be shown now.
///
/// One statement answers for all of them, so that an unused feature costs a page no query of its
/// own.
package struct FeaturesInUse: Sendable, Hashable {
  /// True if the first page is the simple one.
  package let simpleView: Bool
  /// True if the patient has a stock or takes from one.
  package let stock: Bool
  /// True if a medicine has a description of its appearance, or a photo.
  package let looks: Bool
  /// True if a plan has days on and days off.
  package let cycles: Bool
  /// True if a dose was ever moved to another time.
  package let movedDoses: Bool
  /// True if a questionnaire is planned that Today shows while it can be answered.
  package let questionnaires: Bool
  /// True if limits are set for ingredients.
  package let ingredientLimits: Bool
  /// True if reminders are later at weekends or on a holiday.
  package let sleepIn: Bool
  /// True if a proposal waits for a decision, or a stop has not been read.
  package let proposals: Bool
  /// True if a question about the heart rate of the last two days has no answer.
  package let heartQuestion: Bool
  /// True if someone accepted an invitation to a person for whom the account acts, and it has not expired.
  package let acceptedInvitations: Bool
  /// True if someone acknowledged a caregiver message or sent a nudge in the last hours; see
  /// ``careMessagesReach``.
  package let careMessages: Bool
  /// True if the account has put off the question about another time zone.
  package let travelPutOff: Bool
  /// True if a device of the account has not shown everything that was sent to it.
  package let unshownReminders: Bool
  /// True if a reminder channel of the account was confirmed in the last seven days: a device or
  /// another channel by its test, another channel also by a reminder sent there and answered.
  package let confirmedDevice: Bool
  /// True if a dose of the last weeks has no answer and its window has passed; see
  /// ``SnapshotReach/missedDoses``.
  package let missedDoses: Bool
  /// True if a tracker of the diary is in use.
  package let diary: Bool
  /// True if a question whether an as-needed dose helped waits for an answer.
  package let followUps: Bool
  /// True if the sites of a medicine are recorded.
  package let sites: Bool

  /// The age up to which caregiver messages are shown, in milliseconds.
  package static let careMessagesReach: Int64 = 12 * 3_600_000
  /// The time for which the question about another time zone is not asked again for the same zone,
  /// in milliseconds: later travel is another question.
  package static let travelRest: Int64 = 14 * 24 * 3_600_000
  private static let day: Int64 = 24 * 3_600_000

  /// Reads the features with the patient; nil if there is no such patient.
  static func read(
    of patient: PatientID, seenBy account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> (features: FeaturesInUse, person: Person)? {
    let rows = try reader.query(
      statement,
      [
        // The earliest current date anywhere in the world.
        .text(patient), .text(Zone.utc.date(at: Instant(now.adding(milliseconds: -day))).text),
        SQLValue(now), .text(account),
        SQLValue(now.adding(milliseconds: -careMessagesReach)),
        SQLValue(now.adding(milliseconds: -travelRest)),
        SQLValue(now.adding(milliseconds: -7 * day)),
        SQLValue(now.adding(milliseconds: -SnapshotReach.missedDoses)),
      ])
    guard let row = rows.first, let person = try PeopleRows.person(rows) else { return nil }
    return (try FeaturesInUse(row.read(FeaturesRow.self, after: PersonRow.self)), person)
  }

  // The columns of FeaturesRow, written out in order because some have parameters.
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
      EXISTS (SELECT 1 FROM questionnaire_assignments x WHERE x.patient = $1 AND x.reminds = 1
        AND x.ended IS NULL),
      EXISTS (SELECT 1 FROM ingredient_limits x WHERE x.patient = $1),
      EXISTS (SELECT 1 FROM reminder_choices x WHERE x.patient = $1
        AND (x.weekend_minute IS NOT NULL OR x.holiday_minute IS NOT NULL)),
      EXISTS (SELECT 1 FROM proposals x WHERE x.patient = $1 AND x.state = 'open')
        OR EXISTS (SELECT 1 FROM proposals x WHERE x.patient = $1 AND x.kind = 'stopped'
          AND x.state = 'accepted' AND x.seen IS NULL AND x.plan IS NOT NULL),
      EXISTS (SELECT 1 FROM heart_rate_warnings x WHERE x.patient = $1 AND x.kind = 'heart'
        AND x.day >= $2 AND x.answer IS NULL),
      EXISTS (SELECT 1 FROM grant_invitations x JOIN grants g ON g.patient = x.patient
        WHERE x.state = 'accepted' AND x.expires > $3 AND g.account = $4
          AND g.relationship IN ('self', 'guardian') AND g.starts <= $3
          AND (g.ends IS NULL OR g.ends > $3)),
      EXISTS (SELECT 1 FROM caregiver_messages x WHERE x.patient = $1 AND x.acknowledged >= $5)
        OR EXISTS (SELECT 1 FROM nudges x WHERE x.patient = $1 AND x.at >= $5),
      EXISTS (SELECT 1 FROM travel_questions x WHERE x.patient = $1 AND x.account = $4
        AND x.put_off > $6),
      EXISTS (SELECT 1 FROM push_subscriptions x WHERE x.account = $4 AND x.gone IS NULL
        AND x.unshown > 0),
      EXISTS (SELECT 1 FROM push_subscriptions x WHERE x.account = $4 AND x.gone IS NULL
        AND x.confirmed > $7)
        OR EXISTS (SELECT 1 FROM channel_addresses c
          WHERE c.account = $4 AND c.gone IS NULL AND c.confirmed IS NOT NULL
            AND (c.confirmed > $7 OR EXISTS (
              SELECT 1 FROM deliveries d
              WHERE d.address = c.address AND d.channel NOT IN ('push', 'mail')
                AND d.planned > $7 AND d.answered IS NOT NULL))),
      EXISTS (SELECT 1 FROM doses x WHERE x.patient = $1 AND x.due >= $8 AND x.due < $3
        AND x.late_until <= $3 AND x.state = 'open' AND x.state IN ('open', 'refused')),
      EXISTS (SELECT 1 FROM diary_trackers x WHERE x.patient = $1 AND x.ended IS NULL),
      EXISTS (SELECT 1 FROM follow_ups x WHERE x.patient = $1 AND x.observation IS NULL
        AND x.due <= $3 AND x.ends > $3),
      EXISTS (SELECT 1 FROM site_choices x WHERE x.patient = $1 AND x.is_on = 1)
    FROM people p LEFT JOIN daily_rhythm r ON r.patient = p.patient WHERE p.patient = $1
    """)

  private init(_ row: ColumnReader<FeaturesRow.Column>) throws(StorageError) {
    simpleView = try row.bool(.simpleView)
    stock = try row.bool(.stock)
    looks = try row.bool(.looks)
    cycles = try row.bool(.cycles)
    movedDoses = try row.bool(.movedDoses)
    questionnaires = try row.bool(.questionnaires)
    ingredientLimits = try row.bool(.ingredientLimits)
    sleepIn = try row.bool(.sleepIn)
    proposals = try row.bool(.proposals)
    heartQuestion = try row.bool(.heartQuestion)
    acceptedInvitations = try row.bool(.acceptedInvitations)
    careMessages = try row.bool(.careMessages)
    travelPutOff = try row.bool(.travelPutOff)
    unshownReminders = try row.bool(.unshownReminders)
    confirmedDevice = try row.bool(.confirmedDevice)
    missedDoses = try row.bool(.missedDoses)
    diary = try row.bool(.diary)
    followUps = try row.bool(.followUps)
    sites = try row.bool(.sites)
  }
}

/// The columns of ``FeaturesInUse``, which follow those of the person.
enum FeaturesRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case simpleView, stock, looks, cycles, movedDoses, questionnaires, ingredientLimits, sleepIn
    case proposals, heartQuestion, acceptedInvitations, careMessages, travelPutOff, unshownReminders
    case confirmedDevice, missedDoses, diary, followUps, sites
  }

  static let columns = SQLColumns<Column>()
}

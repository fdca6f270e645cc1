// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Localization
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// A link that answers a reminder, limited to what the notification showed.
package struct ActionLink: Sendable {
  /// The patient whose dose or alarm the link answers.
  package let patient: PatientID
  /// The account in whose name the link answers.
  package let recipient: AccountID
  /// The answer that the link gives.
  package let answer: LinkAnswer
  /// The doses of the delivery that still accept this answer, by due time, then by id.
  package let open: [DoseID]
  /// The alert of the delivery, if it still accepts this answer; nil otherwise.
  package let alert: Alert?
  /// The time at which the link was used; a link answers once.
  package let used: Timestamp?
  /// The text of the notification.
  package let content: ReminderContent

  /// True if using the link would change something.
  package var isOpen: Bool { used == nil && (!open.isEmpty || alert != nil) }
}

extension ActionLinks {
  /// Returns the link of a secret; nil if there is none, it has expired, or the account no longer
  /// acts for the patient.
  ///
  /// A link whose reminder has ended is found with nothing left to answer.
  package static func find(
    _ secret: Secret, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(StorageError) -> ActionLink? {
    guard secret.text.hasPrefix(prefix), secret.text.utf8.count < 100 else { return nil }
    let row = try reader.first(findStatement, [SQLValue(now), .blob(secret.digest)])?
      .read(FoundLinkRow.self)
    guard let row else { return nil }
    let subject: ReminderID = try row.id(.subject)
    let named = Set(try row.text(.doses).split(separator: "\n").map(String.init))
    let ended: Set<String> = [
      DeliveryOutcome.stale.rawValue, DeliveryOutcome.gone.rawValue,
      DeliveryOutcome.failed.rawValue,
    ]
    let outcome = try row.optionalText(.outcome) ?? ""
    let isOver = row[.reminderOutcome] != .null || ended.contains(outcome)
    let kind: ReminderKind = try row.named(.kind)
    let alert =
      kind.isAlert ? try openAlert(row, named, now: now, in: reader) : nil
    let answer = try answer(row, kind, in: reader)
    let doses = try RingingDoses.of([subject], in: reader)[subject, default: []]
      .filter { named.contains($0.key.text) }.sorted(by: RingingDose.inOrder)
    let open = isOver ? [] : doses.filter { $0.mayRing(at: now) }
    let language = try language(row)
    let label = try label(row)
    let told = open.isEmpty ? doses : open
    let actsForSeveral = try row.integer(.patientCount) > 1
    let name = try row.optionalText(.displayName) ?? ""
    let due = try row.timestamp(.due)
    let zone = try row.optionalText(.zone).flatMap { try? zones.zone($0) } ?? .utc
    return ActionLink(
      patient: try row.id(.patient), recipient: try row.id(.recipient),
      answer: answer,
      open: open.compactMap(\.key.dose),
      alert: isOver ? nil : alert.flatMap { takes($0, answer, at: now) },
      used: try row.optionalTimestamp(.used),
      content: ReminderContent(
        delivery: try row.id(.delivery), patient: try row.id(.patient), subject: subject,
        kind: kind,
        language: language, zone: zone, due: told.first?.due ?? due,
        doses: told.map { ReminderContent.NamedDose(key: $0.key, due: $0.due) },
        label: actsForSeveral ? label.text(of: name, .of(language)) : nil, now: now))
  }

  private static let findStatement = SQLStatement(
    """
    SELECT \(FoundLinkRow.columns) FROM \(FoundLinkRow.tables)
    WHERE l.expires > $1 AND l.link_hash = $2 AND EXISTS (
      SELECT 1 FROM grants g
      WHERE g.patient = l.patient AND g.account = l.recipient
        AND g.relationship IN ('self', 'guardian')
        AND g.starts <= $1 AND (g.ends IS NULL OR g.ends > $1))
    """)

  private static func openAlert(
    _ row: ColumnReader<FoundLinkRow.Column>, _ named: Set<String>, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> Alert? {
    guard
      let alert = try AlertRows.of(
        subject: try row.id(.subject), patient: try row.id(.patient), in: reader)
    else { return nil }
    let isOpen = alert.state == .open && now < alert.ends
    return isOpen && named.contains(alert.id.text) ? alert : nil
  }

  /// Returns the alert if it accepts the answer; "later" must end before the alert does.
  private static func takes(_ alert: Alert, _ answer: LinkAnswer, at now: Timestamp)
    -> Alert?
  {
    guard case .alert(.later, let minutes?) = answer else { return alert }
    return minutes <= AlertRule.maximumMinutes(alert, at: now) ? alert : nil
  }

  /// Returns the answer of the link; an alarm's "later" uses the alarm's current setting.
  private static func answer(
    _ row: ColumnReader<FoundLinkRow.Column>, _ kind: ReminderKind, in reader: any SQLReader
  ) throws(StorageError) -> LinkAnswer {
    guard kind.isAlert else { return .dose(try row.named(.action)) }
    let action: AlertAnswer.Action = try row.named(.action)
    guard action == .later else { return .alert(action) }
    let minutes = try reader.first(
      """
      SELECT l.snooze FROM alerts o JOIN alarms l ON l.patient = o.patient AND l.alarm = o.source
      WHERE o.patient = $1 AND o.subject = $2
      """, [.text(try row.text(.patient)), .text(try row.text(.subject))])?.value(as: Int.self)
    return .alert(.later, minutes: minutes ?? Alert.standardSnooze)
  }

  /// Returns the patient's label; the standard one if the patient has no row.
  private static func label(
    _ row: ColumnReader<FoundLinkRow.Column>
  ) throws(StorageError) -> PersonLabel {
    guard let kind = try row.optionalText(.label) else { return PersonLabel() }
    return PersonLabel(
      PersonLabel.Kind(rawValue: kind) ?? .initial,
      colour: PersonColour(rawValue: try row.text(.colour)), nickname: try row.text(.nickname))
  }

  private static func language(
    _ row: ColumnReader<FoundLinkRow.Column>
  ) throws(StorageError) -> Language {
    let account = try row.optionalText(.accountLanguage).flatMap { Language(tag: $0) }
    let patient = try row.optionalText(.patientLanguage).flatMap { Language(tag: $0) }
    return account ?? patient ?? .en
  }
}

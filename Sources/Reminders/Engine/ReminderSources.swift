// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The features that the engine asks about their reminders.
///
/// The engine and the kinds define the questions, and each feature answers them. The program combines them
/// once.
package struct ReminderSources: Sendable {
  /// Messages in conversations.
  let chat: any AddressedSource
  /// Messages to caregivers about a person.
  let news: any AddressedSource
  /// Nudges about an open dose.
  let nudges: any ConsentSource
  /// The supply of medicines.
  let stock: any StandingSource
  /// The person's own alarms.
  let alarms: any AlertSource
  /// Returns the plans that a person must look at before answering, by patient.
  let plansForReview: PlansForReview

  /// Reads the plans that must be reviewed before a dose is answered; patients without such a plan
  /// are left out.
  package typealias PlansForReview =
    @Sendable (_ patients: Set<PatientID>, _ reader: any SQLReader) throws(StorageError) ->
    [PatientID: Set<PlanID>]

  /// Creates the sources from the features of the program.
  package init(
    chat: any AddressedSource, news: any AddressedSource, nudges: any ConsentSource,
    stock: any StandingSource, alarms: any AlertSource,
    plansForReview: @escaping PlansForReview
  ) {
    self.chat = chat
    self.news = news
    self.nudges = nudges
    self.stock = stock
    self.alarms = alarms
    self.plansForReview = plansForReview
  }
}

/// A feature whose reminders can become unnecessary before they are sent.
package protocol StandingSource: Sendable {
  /// Returns true while the reminder is still needed.
  func stands(_ reminder: ReminderRow, in reader: any SQLReader) throws(StorageError) -> Bool
}

/// A feature that decides at each claim, based on consent, which deliveries may be sent.
package protocol ConsentSource: Sendable {
  /// Decides, all at once, about deliveries; their kind decides about the others.
  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]
}

/// A feature that also names the accounts that its reminders are for.
package protocol AddressedSource: ConsentSource {
  /// Returns the accounts that a reminder is for, with their devices and addresses.
  func recipients(of reminder: ReminderRow, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [ReminderRecipient]
}

/// A feature with its own times, each of which becomes an ``Alert``.
package protocol AlertSource: Sendable {
  /// Opens the alerts whose time has come within a round of planning.
  func takeUp(limit: Int, in planning: inout ReminderPlanning) throws(StorageError)

  /// Corrects times that would wait too long because the clock was set back by some milliseconds.
  func clockStepped(
    back milliseconds: Int64, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError)
}

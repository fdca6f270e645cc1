// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// The rules for deliveries of one kind of reminder when they are claimed.
protocol ClaimedReminder: Sendable {
  /// True if it proves an address; others need one that is proven.
  var provesAddress: Bool { get }

  /// True if quiet hours hold a step back.
  func mayBeHeld(step: Int) -> Bool

  /// Decides about deliveries of the kind for which more must be read, all at once; those left out are decided by
  /// their verdict.
  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]

  /// Decides about one delivery by what was read with it: a pure rule, but for the quiet hours.
  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict

  /// The end of a delivery's worth.
  func expires(_ delivery: WaitingDelivery, naming doses: [RingingDose]) -> Timestamp

  /// True if the patient's label tells several persons apart for the recipient.
  func isLabelled(_ delivery: WaitingDelivery) -> Bool

  /// The medicines or the alarm in words, where the person wants notifications to say them.
  func medicines(
    _ delivery: WaitingDelivery, naming doses: [RingingDose], _ language: Language,
    in reader: any SQLReader
  ) throws(StorageError) -> [String]

  /// The answers that need no sign-in; nil where there are none.
  func offer(_ delivery: WaitingDelivery, naming doses: [RingingDose], at now: Timestamp)
    -> ActionLinks.Offer?

  /// The alert that a device can answer.
  func alert(of delivery: WaitingDelivery, at now: Timestamp) -> ReminderContent.NamedAlert?
}

extension ClaimedReminder {
  var provesAddress: Bool { false }

  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]
  { [:] }

  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict {
    delivery.sending(if: delivery.isTold, at: now)
  }

  func expires(_ delivery: WaitingDelivery, naming doses: [RingingDose]) -> Timestamp {
    delivery.ends
  }

  func isLabelled(_ delivery: WaitingDelivery) -> Bool { delivery.patientCount > 1 }

  func medicines(
    _ delivery: WaitingDelivery, naming doses: [RingingDose], _ language: Language,
    in reader: any SQLReader
  ) throws(StorageError) -> [String] { [] }

  func offer(_ delivery: WaitingDelivery, naming doses: [RingingDose], at now: Timestamp)
    -> ActionLinks.Offer?
  { nil }

  func alert(of delivery: WaitingDelivery, at now: Timestamp) -> ReminderContent.NamedAlert? {
    nil
  }
}

/// The decision of a kind about a delivery, with its words beyond the neutral ones.
package struct AskedDelivery: Sendable {
  let verdict: WaitingDelivery.Verdict
  let news: NewsContent?

  /// Creates the decision about a delivery.
  package init(verdict: WaitingDelivery.Verdict, news: NewsContent? = nil) {
    self.verdict = verdict
    self.news = news
  }
}

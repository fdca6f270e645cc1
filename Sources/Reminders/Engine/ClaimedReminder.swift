// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Plans
import Storage

/// The rules for deliveries of one kind of reminder when they are claimed.
protocol ClaimedReminder: Sendable {
  /// True if it confirms an address; other kinds need a confirmed one.
  var provesAddress: Bool { get }

  /// Returns true if quiet hours delay a step.
  func mayBeHeld(step: Int) -> Bool

  /// Decides, all at once, about deliveries that need more data; the others are decided by their verdict.
  func ask(_ waiting: [WaitingDelivery], _ context: ReminderContext, in reader: any SQLReader)
    throws(StorageError) -> [DeliveryID: AskedDelivery]

  /// Decides about one delivery from the data read with it: a pure rule except for quiet hours.
  func verdict(
    on delivery: WaitingDelivery, doses: [RingingDose], now: Timestamp
  ) -> WaitingDelivery.Verdict

  /// Returns the time after which a delivery is no longer sent.
  func expires(_ delivery: WaitingDelivery, naming doses: [RingingDose]) -> Timestamp

  /// Returns true if the recipient needs the patient's label to tell several people apart.
  func isLabelled(_ delivery: WaitingDelivery) -> Bool

  /// Returns the medicines or the alarm as text, if the person wants notifications to contain them.
  func medicines(
    _ delivery: WaitingDelivery, naming doses: [RingingDose], _ language: Language,
    in reader: any SQLReader
  ) throws(StorageError) -> [String]

  /// Returns the answers that need no sign-in; nil if there are none.
  func offer(_ delivery: WaitingDelivery, naming doses: [RingingDose], at now: Timestamp)
    -> ActionLinks.Offer?

  /// Returns the alert that a device can answer.
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

/// The decision of a kind about a delivery, with text beyond the neutral wording.
package struct AskedDelivery: Sendable {
  let verdict: WaitingDelivery.Verdict
  let news: NewsContent?

  /// Creates the decision about a delivery.
  package init(verdict: WaitingDelivery.Verdict, news: NewsContent? = nil) {
    self.verdict = verdict
    self.news = news
  }
}

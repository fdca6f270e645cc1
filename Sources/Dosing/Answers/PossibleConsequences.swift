// SPDX-License-Identifier: Apache-2.0

import Plans
import Storage

/// The possible consequences of an answer, read together with the dose.
///
/// Consequences that are ruled out execute no statement. An answer without a dose rules out none.
package struct PossibleConsequences: Sendable {
  /// A value that was read, or a mark that it was not read.
  package enum Reading<Value: Sendable>: Sendable {
    case unread
    case read(Value)
  }

  /// True if an intake may exceed a limit of the patient's plans or ingredients.
  package let hasLimits: Bool
  /// True if a question about the patient's heart rate may be waiting.
  package let hasWarning: Bool
  /// The time at which the rules for caregiver messages run next; nil if no one receives messages.
  package let nextLook: Reading<Timestamp?>
  /// True if the plan's hours may be counted from the last intake.
  package let mayFollowIntake: Bool
  /// The stock that counts the medicine; nil if there is none.
  package let stock: Reading<CountingStock?>
  /// True if a program may wait for records of intakes.
  package let mayNotify: Bool
  /// True if the sites of a medicine are recorded.
  package let mayUseSites: Bool

  /// Creates a set from the facts that were read with the dose.
  package init(
    hasLimits: Bool, hasWarning: Bool, nextLook: Reading<Timestamp?>, mayFollowIntake: Bool,
    stock: Reading<CountingStock?>, mayNotify: Bool, mayUseSites: Bool
  ) {
    self.hasLimits = hasLimits
    self.hasWarning = hasWarning
    self.nextLook = nextLook
    self.mayFollowIntake = mayFollowIntake
    self.stock = stock
    self.mayNotify = mayNotify
    self.mayUseSites = mayUseSites
  }

  /// Every consequence, for an answer about which nothing was read.
  package static let all = PossibleConsequences(
    hasLimits: true, hasWarning: true, nextLook: .unread, mayFollowIntake: true, stock: .unread,
    mayNotify: true, mayUseSites: true)

  /// The notification of programs and nothing else, for a record that changes without an answer.
  package static let notification = PossibleConsequences(
    hasLimits: false, hasWarning: false, nextLook: .read(nil), mayFollowIntake: false,
    stock: .read(nil), mayNotify: true, mayUseSites: false)

  /// True if the rules for caregiver messages are set to run later than now, or their time was not
  /// read.
  package func mayWakeMessages(at now: Timestamp) -> Bool {
    switch nextLook {
    case .unread: true
    case .read(let next): next.map { $0 > now } ?? false
    }
  }
}

extension PossibleConsequences {
  /// Returns SQL that is 1 if a question about a patient's heart rate may be waiting, otherwise 0.
  static func warning(of patient: SQLText) -> SQLText {
    """
    CASE WHEN EXISTS (SELECT 1 FROM reminders r WHERE r.patient = \(patient)
      AND r.state = 'ringing' AND r.kind = 'warning') THEN 1 ELSE 0 END
    """
  }

  /// Returns SQL that is 1 if the sites of a medicine of a patient are recorded, otherwise 0.
  package static func sites(of patient: SQLText) -> SQLText {
    """
    CASE WHEN EXISTS (SELECT 1 FROM site_choices w WHERE w.patient = \(patient) AND w.is_on = 1)
      THEN 1 ELSE 0 END
    """
  }

  /// SQL that is 1 if any program has a FHIR subscription, otherwise 0.
  package static let subscription: SQLText = """
    CASE WHEN EXISTS (SELECT 1 FROM fhir_subscriptions f WHERE f.state <> 'off')
      THEN 1 ELSE 0 END
    """

  /// Returns SQL that is 1 if an intake may exceed a limit, otherwise 0.
  ///
  /// Most rows state only the amount of a dose. A text that may contain a limit counts as one.
  static func limits(of patient: SQLText) -> SQLText {
    """
    CASE WHEN EXISTS (SELECT 1 FROM plan_limits y WHERE y.patient = \(patient)
        AND (y.limits NOT LIKE '{"amounts":[],"counts":[]%' OR y.limits LIKE '%"days":%'))
      OR EXISTS (SELECT 1 FROM ingredient_limits z WHERE z.patient = \(patient))
      THEN 1 ELSE 0 END
    """
  }
}

extension PossibleConsequences.Reading<CountingStock?> {
  /// The reading after the packs have changed: unchanged if there is no stock, otherwise unread.
  package var again: Self {
    if case .read(nil) = self { self } else { .unread }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// For whom a dosage is put into words.
public enum DosageForm: String, CaseIterable, Sendable, Hashable {
  /// Sentences that a patient reads.
  case patient
  /// The amount and the times, for lists and notifications.
  case short
  /// Everything, without verbs, for people of the trade.
  case clinical
}

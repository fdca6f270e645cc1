// SPDX-License-Identifier: Apache-2.0

/// The audience of a dosage text.
public enum DosageForm: String, CaseIterable, Sendable, Hashable {
  /// Sentences for a patient.
  case patient
  /// The amount and the times, for lists and notifications.
  case short
  /// Everything, without verbs, for professionals.
  case clinical
}

// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Scheduling

/// The identity of a dose, which survives edits of its time and amount.
package struct DoseID: Hashable, Sendable {
  /// The logical id of the MedicationRequest.
  package let plan: PlanID
  /// The era of the plan, counted from 1; a change of zone or of the rule's kind opens the next.
  package let era: Int64
  /// The occurrence within the era: a nominal date and slot, a running number, or a named instant.
  package let occurrence: OccurrenceID

  /// Creates the identity of a dose.
  package init(plan: PlanID, era: Int64, occurrence: OccurrenceID) {
    self.plan = plan
    self.era = era
    self.occurrence = occurrence
  }

  /// Reads `plan_era_occurrence`; nil for any other text.
  ///
  /// "_" never occurs in a FHIR id.
  package init?(text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 3, FHIRIdentifierText.isValidResourceID(String(parts[0])),
      let era = Int64(parts[1]), era >= 1, String(era) == parts[1],
      let occurrence = OccurrenceID(text: String(parts[2]))
    else { return nil }
    self.init(plan: PlanID(String(parts[0])), era: era, occurrence: occurrence)
  }

  /// The form used in addresses and payloads.
  package var text: String {
    "\(plan.text)_\(era)_\(occurrence.text)"
  }

  /// Returns true if the text of this dose comes before that of another.
  ///
  /// Plans whose ids are equally long decide it alone, so that a list is sorted without writing texts.
  package func isBefore(_ other: DoseID) -> Bool {
    if plan != other.plan, plan.text.utf8.count == other.plan.text.utf8.count {
      return plan < other.plan
    }
    return text < other.text
  }
}

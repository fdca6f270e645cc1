// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Plans
import Storage

/// The end or pause of a medicine, with its date and reason.
package struct MedicineEnding: Sendable {
  let status: String
  /// The time at which the prescription was last updated; nil if it does not say.
  package let date: Timestamp?
  /// The reason in words; nil if none was given.
  package let reason: String?

  /// Reads the end or pause from a plan.
  package init(_ plan: Plan) {
    status = plan.status
    // A pause without a text is marked only by a code.
    let isUnsaid = plan.isPausedHere && plan.request.json["statusReason"]?["text"] == nil
    reason = isUnsaid ? nil : plan.request.statusReasonText
    let changed = plan.request.json["meta"]?["lastUpdated"]?.string
    date = changed.flatMap { FHIRDateTime($0) }?.epochMilliseconds.map {
      Timestamp(milliseconds: $0)
    }
  }

  /// Returns a sentence such as `Stopped on 1 March 2026: dry cough`.
  package func text(_ clock: MedicineClock) -> String {
    let when = date.map { clock.text(clock.day(of: $0), .medium) } ?? "none"
    return clock.localizer.text(
      "medicines.ended",
      [
        "status": .text(status), "date": .text(when), "reason": .text(reason ?? "none"),
      ])
  }
}

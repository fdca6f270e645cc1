// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// Formats instants that belong to no patient, in UTC.
package enum UTC {
  /// Returns an instant as FHIR writes it, such as `2026-03-01T08:00:00+00:00`.
  package static func text(_ timestamp: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: timestamp.milliseconds, offsetMinutes: 0)
  }
}

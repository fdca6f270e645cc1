// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// Instants that belong to no patient, in UTC.
package enum UTC {
  package static func text(_ timestamp: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: timestamp.milliseconds, offsetMinutes: 0)
  }
}

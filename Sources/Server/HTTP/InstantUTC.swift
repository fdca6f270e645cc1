// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// Instants that belong to no patient, in UTC.
enum UTC {
  static func text(_ timestamp: Timestamp) -> String {
    FHIRDateTime.instantText(milliseconds: timestamp.milliseconds, offsetMinutes: 0)
  }
}

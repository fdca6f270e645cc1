// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// A dose to come that a person moved.
package struct MovedDose: Sendable, Hashable {
  package let era: Int64
  package let occurrence: OccurrenceID
  package let due: Timestamp
}

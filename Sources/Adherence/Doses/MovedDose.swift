// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// A dose to come that a person moved.
struct MovedDose: Sendable, Hashable {
  let era: Int64
  let occurrence: OccurrenceID
  let due: Timestamp
}

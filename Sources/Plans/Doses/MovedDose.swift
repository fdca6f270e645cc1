// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// A future dose that a person moved.
package struct MovedDose: Sendable, Hashable {
  /// The era in which the dose is known.
  package let era: Int64
  /// The occurrence, which stays the same when the dose is moved.
  package let occurrence: OccurrenceID
  /// The time to which it was moved.
  package let due: Timestamp
}

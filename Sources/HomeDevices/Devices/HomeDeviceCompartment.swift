// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The meaning of the events of one compartment.
package struct HomeDeviceCompartment: Sendable, Hashable {
  /// The consequence of an event that looks like an intake.
  package enum Meaning: String, Sendable, Hashable, CaseIterable {
    /// Log the dose that is due.
    case log
    /// Ask whether it was taken.
    case ask
    /// Only note it.
    case note
  }

  /// The compartment that stands for the device as a whole.
  package static let whole = ""
  /// The most characters of a compartment's name.
  package static let longestName = 40
  /// The most compartments of a device: four a day for two weeks.
  package static let most = 56

  /// The name that the device sends; empty for the device as a whole.
  package let name: String
  /// The consequence of an event.
  package let meaning: Meaning
  /// The only medicine in it; nil for every dose that is due.
  package let plan: PlanID?

  /// Creates the meaning of a compartment.
  package init(_ name: String, _ meaning: Meaning, plan: PlanID? = nil) {
    self.name = name
    self.meaning = meaning
    self.plan = plan
  }
}

extension HomeDeviceCompartment: SQLReadableRow {
  /// The columns that describe a compartment.
  package enum Column: Int, SQLColumn { case compartment, meaning, plan }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a compartment from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      try columns.text(.compartment), try columns.named(.meaning),
      plan: try columns.optionalID(.plan))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The choice of an account to have a person in Home Assistant.
package struct HomeLink: Sendable, Hashable {
  /// The person who is shown.
  package let patient: PatientID
  /// The account that chose it, and in whose name presses answer.
  package let account: AccountID
  /// The place on the broker, from which its topics are derived.
  package let place: String
  /// True if medicines are named.
  package let namesMedicine: Bool
  /// The time at which it was chosen.
  package let created: Timestamp

  /// The name of the resource in decisions about access and in the audit trail; the policy allows the links of
  /// others only to the person and guardians.
  package static let resource = "HomeLink"
}

enum HomeLinkRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, account, place, namesMedicine, created
  }

  static let columns = SQLColumns<Column>(of: "h")
}

extension HomeLink {
  init(_ row: SQLRow) throws(StorageError) {
    let row = row.read(HomeLinkRow.self)
    self.init(
      patient: try row.id(.patient), account: try row.id(.account), place: try row.text(.place),
      namesMedicine: try row.bool(.namesMedicine), created: try row.timestamp(.created))
  }
}

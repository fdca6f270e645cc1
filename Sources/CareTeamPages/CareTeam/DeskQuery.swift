// SPDX-License-Identifier: Apache-2.0

import CareTeam
import Identifiers
import SiteMap
import Web

/// The part and order of the table of patients, as the address states them.
struct DeskQuery: Sendable, Hashable {
  /// The longest search, in characters; the rest is cut off.
  static let longest = 100

  var filter = CareFilter.all
  var words = ""
  var sort = CareDeskSort.need
  var isReversed = false
  /// The number of the page, from 1 to a million.
  var page = 1

  init() {}

  /// Reads the address; unknown values are ignored.
  init(_ call: Call) {
    filter = call.queryValue("show").flatMap(CareFilter.init(rawValue:)) ?? .all
    words = String((call.queryValue("q") ?? "").prefix(Self.longest))
    sort = call.queryValue("sort").flatMap(CareDeskSort.init(rawValue:)) ?? .need
    isReversed = call.queryValue("order") == "reversed"
    page = min(max(1, call.queryValue("page").flatMap { Int($0) } ?? 1), 1_000_000)
  }

  /// The query with its question mark; empty for the default view.
  var text: String {
    var fields: [(String, String)] = []
    if filter != .all { fields.append(("show", filter.rawValue)) }
    if !words.isEmpty { fields.append(("q", words)) }
    if sort != .need { fields.append(("sort", sort.rawValue)) }
    if isReversed { fields.append(("order", "reversed")) }
    if page > 1 { fields.append(("page", String(page))) }
    return fields.isEmpty ? "" : "?\(QueryText.encode(fields))"
  }

  /// The address of the table.
  var address: String { "\(Address.careTeam)\(text)" }

  /// Returns the address of a patient next to the same part of the table.
  func address(of patient: PatientID) -> String { "\(Address.careTeam)/\(patient)\(text)" }

  /// Returns the first page sorted by a column; the same column again reverses the order.
  func sorted(by column: CareDeskSort) -> DeskQuery {
    var query = self
    query.isReversed = column == sort && !isReversed
    query.sort = column
    query.page = 1
    return query
  }

  /// Returns another page of the same table.
  func on(page number: Int) -> DeskQuery {
    var query = self
    query.page = number
    return query
  }
}

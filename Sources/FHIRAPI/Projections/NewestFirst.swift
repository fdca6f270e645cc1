// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Records

/// Reads a part of resources that are kept in the order of their times, the newest first.
///
/// Resources of the same time are ordered by their ids, which a table may not know, so the part is read from the time
/// of the previous page on, and grows until enough resources follow that page.
struct NewestFirst {
  let window: ProjectedRequest.Window
  let patient: PatientID

  /// Returns at least the resources of the window.
  ///
  /// - Parameter fetch: Returns at most the given number of resources before a time in milliseconds since 1970, the
  ///   newest first.
  func read(
    _ fetch: (_ limit: Int, _ before: Int64) throws -> [ProjectedResource]
  ) throws -> [ProjectedResource] {
    guard window.limit > 0 else { return [] }
    let before = lastTime.map { $0 == .max ? $0 : $0 + 1 } ?? .max
    var limit = window.limit + (window.after == nil ? 0 : 20)
    while true {
      let found = try fetch(limit, before)
      let following = found.filter(follows)
      if following.count >= window.limit || found.count < limit { return following }
      limit *= 4
    }
  }

  private var lastTime: Int64? {
    guard case .integer(let time)? = window.after?.keys.first else { return nil }
    return time
  }

  private func follows(_ resource: ProjectedResource) -> Bool {
    guard let after = window.after, let lastTime,
      case .integer(let time)? = resource.order.first
    else { return true }
    if time != lastTime { return time < lastTime }
    return (patient.text, resource.id) > (after.patient.text, after.id)
  }
}

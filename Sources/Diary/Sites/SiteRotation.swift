// SPDX-License-Identifier: Apache-2.0

import Storage

/// The suggestion for the next site: a pure rule.
///
/// No source in the handbook states after how many days a site may be used again, so the rule only says which one was
/// used longest ago.
package struct SiteRotation: Sendable, Hashable {
  /// The suggested site.
  package let site: BodySite
  /// The last use of it; nil if it was never used.
  package let lastUsed: Timestamp?

  /// Returns the allowed site that was used longest ago; one that was never used comes first, in the given order.
  ///
  /// - Returns: nil without allowed sites.
  package init?(_ allowed: [BodySite], uses: [(site: BodySite, used: Timestamp)]) {
    var last: [BodySite: Timestamp] = [:]
    for use in uses { last[use.site] = max(last[use.site] ?? use.used, use.used) }
    let best = allowed.enumerated().min { left, right in
      switch (last[left.element], last[right.element]) {
      case (nil, nil): left.offset < right.offset
      case (nil, _?): true
      case (_?, nil): false
      case (let a?, let b?): (a, left.offset) < (b, right.offset)
      }
    }
    guard let best else { return nil }
    site = best.element
    lastUsed = last[best.element]
  }
}

/// The time between the hour at which something worn was to be taken off and the one at which it was.
package enum RemovalTiming: Sendable, Hashable {
  case early(minutes: Int)
  case onTime
  case late(minutes: Int)

  /// The difference that still counts as on time, in minutes.
  package static let tolerance = 60

  /// Compares the time of the removal with the planned one.
  package init(due: Timestamp, removed: Timestamp) {
    let minutes = Int(clamping: (removed.milliseconds - due.milliseconds) / 60_000)
    self =
      minutes < -Self.tolerance
      ? .early(minutes: -minutes) : minutes > Self.tolerance ? .late(minutes: minutes) : .onTime
  }
}

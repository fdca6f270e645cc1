// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The time for which a prescription wants something to be worn: a pure rule.
package enum WearTime {
  /// Returns the minutes that the first dosage states: the length of each use, otherwise the time from one to the next.
  ///
  /// - Returns: nil if it states neither, or one outside ``SiteChoice/wear``.
  package static func minutes(of request: MedicationRequestView) -> Int? {
    guard let times = request.dosages.first?.json["timing"]?["repeat"] else { return nil }
    return minutes(times["duration"], times["durationUnit"]) ?? interval(times)
  }

  private static func interval(_ times: JSONValue) -> Int? {
    guard times["frequency"]?.number?.integer ?? 1 == 1, times["frequencyMax"] == nil,
      times["timeOfDay"]?.array?.count ?? 1 == 1, times["dayOfWeek"] == nil
    else { return nil }
    return minutes(times["period"], times["periodUnit"])
  }

  private static func minutes(_ count: JSONValue?, _ unit: JSONValue?) -> Int? {
    let units = ["min": 1, "h": 60, "d": 1_440, "wk": 10_080]
    guard let count = count?.number?.integer, let unit = unit?.string.flatMap({ units[$0] }) else {
      return nil
    }
    let (minutes, overflow) = count.multipliedReportingOverflow(by: unit)
    return !overflow && SiteChoice.wear.contains(minutes) ? minutes : nil
  }
}

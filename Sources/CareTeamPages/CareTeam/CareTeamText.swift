// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTML
import Localization
import Scheduling
import Storage
import Web

/// Explains the position of a patient in the order of need.
struct CareTeamText: Sendable {
  let localizer: Localizer
  let now: Timestamp

  func text(_ reason: CareReason) -> String {
    switch reason {
    case .missed(let count), .fewMissed(let count): text("missed", count)
    case .refused(let count): text("refused", count)
    case .heartRate(let days): text("heart", days)
    case .outOfStock(let count): text("out", count)
    case .runsOut(let day):
      localizer.text(
        "care-team.runs-out",
        [
          "date": .text(
            localizer.date(
              LocalDay(
                year: day.year, month: day.month, day: day.day, isoWeekday: day.weekday.rawValue),
              .short))
        ])
    case .unanswered: text("unanswered", 1)
    case .silent(let since):
      text("silent", Int(max(1, (now.milliseconds - since.milliseconds) / (24 * 3_600_000))))
    case .waiting(let count): text("waiting", count)
    }
  }

  func name(_ filter: CareFilter) -> String {
    localizer.text("care-team.filter", ["filter": .text(filter.rawValue)])
  }

  /// Returns an icon with words, so that colour is never the only sign.
  func chip(_ reason: CareReason) -> Markup {
    let (style, icon): (Markup, Icon) =
      switch reason {
      case .missed: ("missed", .crossInCircle)
      case .refused: ("missed", .slashInCircle)
      case .outOfStock: ("late", .home)
      case .heartRate, .unanswered: ("late", .heart)
      case .silent: ("late", .phone)
      case .fewMissed: ("skipped", .crossInCircle)
      case .runsOut: ("scheduled", .home)
      case .waiting: ("scheduled", .clock)
      }
    return "<span class=\"chip chip-\(style)\">\(icon)<span>\(text(reason))</span></span>"
  }

  private func text(_ kind: String, _ count: Int) -> String {
    localizer.text("care-team.reason", ["kind": .text(kind), "count": .number(count)])
  }
}

/// A filter of the panel's patients.
enum CareFilter: String, Sendable, CaseIterable {
  case all, pressing, missed, refused, stock, heart, silent, few, waiting

  func shows(_ entry: CarePanelEntry) -> Bool {
    switch self {
    case .all: true
    case .pressing: entry.isPressing
    case .missed, .refused, .stock, .heart, .silent, .few, .waiting:
      entry.reasons.contains { $0.kind.rawValue == rawValue }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Presentation
import Records
import Storage
import Web

/// The page on which a practitioner reads a patient's diary.
package enum CareTeamDiary {
  /// The routes of the page.
  package static let all: [Route] = [.page(.get, "/care/:patient/diary", show)]

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.open(call, signedIn)
    let searching = try access.searching(VitalCommands.resource, part: .diary)
    let (environment, localizer, patient) = (call.environment, call.localizer, access.patient)
    let range = call.queryValue("range").flatMap { CareDiaryRange(rawValue: $0) } ?? .month
    let since = range.start(before: call.now)
    let name = call.queryValue("tracker") ?? ""
    let page = try await environment.database.read { reader in
      let trackers =
        try TrackerStore.all(of: patient, in: reader)
        + TrackerStore.ended(of: patient, in: reader)
      let chosen = trackers.first { $0.id.text == name }
      let found: [(entry: DiaryEntry, tracker: Tracker)]
      if let chosen {
        found = try DiaryQueries.entries(
          of: chosen, patient, limit: CareDiaryPage.most, searching, in: reader
        ).map { ($0, chosen) }
      } else {
        found = try DiaryQueries.latest(
          patient, limit: CareDiaryPage.most, searching, in: reader)
      }
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      return CareDiaryPage(
        access: access, trackers: trackers, chosen: chosen, range: range,
        entries: found.filter { $0.entry.draft.at >= since },
        isCut: found.count == CareDiaryPage.most,
        words: DiaryFormatter(clock: MedicineClock(zone: zone, localizer: localizer)))
    }
    try await environment.readAudit.note(
      searching, patients: [patient], count: max(1, page.entries.count), at: call.now,
      in: environment.database)
    return page.response(call, signedIn)
  }
}

/// The length of time of which entries are listed, which ends now.
enum CareDiaryRange: String, Sendable, Hashable, CaseIterable {
  case week, month, quarter, all

  /// The first instant of the range.
  func start(before now: Timestamp) -> Timestamp {
    switch self {
    case .week: now.adding(milliseconds: -7 * Self.day)
    case .month: now.adding(milliseconds: -30 * Self.day)
    case .quarter: now.adding(milliseconds: -91 * Self.day)
    case .all: Timestamp(milliseconds: .min)
    }
  }

  private static let day: Int64 = 86_400_000
}

/// A patient's diary for a practitioner: the entries, the latest first, of one measure or of all.
struct CareDiaryPage: Sendable {
  /// The maximum number of entries that are read.
  static let most = 200

  let access: PractitionerAccess
  let trackers: [Tracker]
  /// The measure whose entries are listed; nil for all.
  let chosen: Tracker?
  let range: CareDiaryRange
  let entries: [(entry: DiaryEntry, tracker: Tracker)]
  /// True if only the latest entries were read.
  let isCut: Bool
  let words: DiaryFormatter

  private var localizer: Localizer { words.localizer }
  private var path: String { "\(access.address)/diary" }

  func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text("diary.title")
    frame.lead = access.name
    frame.back = .init(access.name, address: access.address)
    return call.page(
      frame,
      """
      <div class="stack-large">\(choice)\(chart)\(list)\(PlaceList(report))</div>
      """)
  }

  /// The form that chooses what is listed; it works without scripts.
  private var choice: Markup {
    let measures =
      [FieldChoice("", localizer.text("diary.care-all"))]
      + trackers.map { FieldChoice($0.id.text, words.name($0)) }
    let ranges = CareDiaryRange.allCases.map {
      FieldChoice(
        $0.rawValue, localizer.text("diary.care-range", ["range": .text($0.rawValue)]))
    }
    return """
      <form class="form stack" method="get" action="\(path)" novalidate>\(FormField(
        "tracker", label: localizer.text("diary.care-measure"), kind: .select(measures),
        value: chosen?.id.text ?? "", isRequired: true, localizer: localizer))\(FormField(
        "range", label: localizer.text("diary.care-period"), kind: .select(ranges),
        value: range.rawValue, isRequired: true, localizer: localizer))\
      \(ButtonRow(Button(localizer.text("report.show"), kind: .secondary, icon: .check).markup))</form>
      """
  }

  private var chart: Markup {
    guard let chosen else { return Markup() }
    return DiaryChart(entries: entries.map(\.entry), tracker: chosen, words: words).markup
  }

  private var list: Markup {
    let lines: Markup =
      entries.isEmpty
      ? "<p>\(localizer.text("diary.care-none"))</p>"
      : """
      <ul class="people-list" role="list">\(each: entries, { line($0.entry, $0.tracker) })</ul>
      """
    return Section(
      localizer.text("diary.entries"),
      """
      \(lines)\(if: isCut, """
        <p class="muted">\(localizer.text("diary.most", ["count": .number(Self.most)]))</p>
        """ as Markup)
      """
    ).markup
  }

  private func line(_ entry: DiaryEntry, _ tracker: Tracker) -> Markup {
    """
    <li><strong>\(words.name(tracker))</strong>: \(words.text(entry.draft.value))<br>\
    <span class="muted">\(words.clock.text(entry.draft.at))</span>\
    \(each: [entry.draft.note, entry.draft.reason].filter { !$0.isEmpty }, { text in
      "<br><span>\(text)</span>" as Markup
    })</li>
    """
  }

  /// The link to the report for a visit, whose comparisons show measures before and after a change.
  private var report: [PlaceList.Place] {
    guard access.reading("Dose") != nil else { return [] }
    return [
      .init(localizer.text("report.link"), address: "\(access.address)/report", icon: .document)
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import Dosing
import HTML
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Presentation
import Scheduling
import SiteMap
import Statistics
import Storage
import Web

/// *Progress*: adherence at a glance, and links to charts, heart rate, history and the report.
package enum ProgressRoutes {
  /// The route of the page.
  package static let all: [Route] = [.page(.get, Address.progress, page)]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let doses = try? call.authorize(.read, "Dose", of: patient)
    let states = doses ?? (try? call.authorize(.read, "DoseState", of: patient))
    let vitals = try? call.authorize(.read, VitalCommands.resource, of: patient)
    let diary = try? call.authorize(
      .read, VitalCommands.resource, of: patient, part: .diary)
    var periods: [ProgressPage.Period] = []
    if let states {
      let (environment, now) = (call.environment, call.now)
      periods = try await environment.database.read { reader in
        let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
        return try ProgressPage.Length.allCases.map { length in
          try ProgressPage.Period.read(length, patient: patient, zone: zone, now: now, in: reader)
        }
      }
      let planned = periods.map(\.counts.planned).max() ?? 0
      try await environment.audit(states, count: max(1, planned), at: now)
    }
    return ProgressPage(
      periods: periods, hasHistory: doses != nil, hasHeartRate: vitals != nil,
      hasDiary: diary != nil,
      hasReport: (try? call.authorizeExport("Dose", of: patient)) != nil,
      hasQuestionnaires: (try? call.authorize(
        .read, QuestionnaireAssignments.resource, of: patient)) != nil
    ).response(call)
  }
}

/// The content of *Progress*.
struct ProgressPage: Sendable {
  /// An interval that ends today.
  enum Length: String, Sendable, CaseIterable {
    case week, month, quarter

    var days: Int {
      switch self {
      case .week: 7
      case .month: 30
      case .quarter: 90
      }
    }
  }

  /// The counts of the doses of an interval.
  struct Period: Sendable {
    let length: Length
    let counts: DoseCounts

    static func read(
      _ length: Length, patient: PatientID, zone: Zone, now: Timestamp, in reader: any SQLReader
    ) throws -> Period {
      let today = zone.date(at: Instant(milliseconds: now.milliseconds))
      func start(_ day: CivilDate) -> Timestamp {
        Timestamp(milliseconds: zone.startOfDay(day).milliseconds)
      }
      return Period(
        length: length,
        counts: try HistoryQueries.counts(
          HistoryFilter(), patient: patient, from: start(today.adding(days: 1 - length.days)),
          until: start(today.adding(days: 1)), now: now, in: reader))
    }
  }

  /// The intervals, the shortest first; empty if adherence is not shared with the viewer.
  let periods: [Period]
  let hasHistory: Bool
  let hasHeartRate: Bool
  let hasDiary: Bool
  let hasReport: Bool
  let hasQuestionnaires: Bool

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("progress.title")
    frame.place = .progress
    let places = places(localizer)
    let name = MessageArgument.text(call.person?.name ?? "")
    let content: Markup =
      periods.isEmpty && places.isEmpty
      ? "\(Notice(.information, title: localizer.text("people.not-shared", ["name": name]), "<p>\(localizer.text("people.not-shared-help"))</p>"))"
      : """
      <div class="narrow stack-large">\
      \(if: isEmpty, EmptyState(
        icon: .chart, text: localizer.text("progress.empty"),
        action: "\(if: call.formToken.mayAct, add(localizer))").markup)\
      \(if: !periods.isEmpty && !isEmpty, Section(
        localizer.text("progress.adherence"), PlaceList(periods.map { place($0, localizer) }).markup
      ).markup)\
      \(if: !places.isEmpty, PlaceList(places).markup)\
      \(if: hasReport, pdf(localizer).markup)</div>
      """
    return call.page(frame, content)
  }

  /// True if there are no doses or intakes to count yet.
  private var isEmpty: Bool {
    !periods.isEmpty
      && periods.allSatisfy { $0.counts.planned == 0 && $0.counts.takenInAll == 0 }
  }

  private func add(_ localizer: Localizer) -> Markup {
    LinkButton(
      localizer.text("today.add"), address: "/medicines/new", kind: .primary, icon: .plus
    ).markup
  }

  private func place(_ period: Period, _ localizer: Localizer) -> PlaceList.Place {
    let counts = period.counts
    let hint =
      counts.percentTaken.map { percent in
        localizer.text(
          "progress.taken",
          [
            "taken": .number(counts.takenInAll), "planned": .number(counts.planned),
            "percent": .number(percent),
          ])
      } ?? localizer.text("progress.none")
    return .init(
      localizer.text("progress.last-days", ["days": .number(period.length.days)]),
      address: "\(Address.charts)?range=\(period.length.rawValue)", icon: .chart, hint: hint)
  }

  private func places(_ localizer: Localizer) -> [PlaceList.Place] {
    var places: [PlaceList.Place] = []
    if hasHeartRate {
      places.append(
        .init(localizer.text("heart-rate.title"), address: Address.heartRate, icon: .heart))
    }
    if hasDiary {
      places.append(
        .init(localizer.text("diary.title"), address: Address.diary, icon: .pencil))
    }
    if hasHistory {
      places.append(
        .init(localizer.text("history.title"), address: Address.history, icon: .calendar))
    }
    if hasReport {
      places.append(.init(localizer.text("report.title"), address: Address.report, icon: .document))
    }
    if hasQuestionnaires {
      places.append(
        .init(
          localizer.text("questionnaires.title"), address: Address.questionnaires, icon: .pencil))
    }
    return places
  }

  /// Returns the link to the report as a file, one tap away on the day of the visit.
  private func pdf(_ localizer: Localizer) -> ButtonRow {
    let days = Length.month.days
    return ButtonRow(
      LinkButton(
        localizer.text("progress.pdf", ["days": .number(days)]),
        address: "\(Address.report).pdf?days=\(days)", icon: .download
      ).markup)
  }
}

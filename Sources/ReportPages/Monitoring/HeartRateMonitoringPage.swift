// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HeartRateMonitoring
import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import Scheduling
import SiteMap
import Web

/// The main page of heart rate monitoring: the limit, today, the week, and what to do.
struct HeartRateMonitoringPage: Sendable {
  let facts: HeartRateFacts
  /// Today's unanswered warning.
  let open: Warning?
  /// The warnings of the last seven days.
  let warnings: [Warning]
  /// The person's own words.
  let words: [(id: WordingID, words: String)]
  let showsDoses: Bool
  let isProvider: Bool

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("heart-rate-monitoring.title")
    frame.lead = localizer.text("heart-rate-monitoring.lead")
    frame.place = .progress
    frame.back = .init(localizer.text("heart-rate.title"), address: Address.heartRate)
    if let done = call.queryValue("done") {
      frame.flash = FlashBar(localizer.text("heart-rate-monitoring.done", ["what": .text(done)]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(notices(call))\(statistics(localizer))\(week(localizer))\
      \(ways(call))\(message(call))\(ownWords(call))\
      <p class="muted">\(localizer.text("heart-rate-monitoring.disclaimer"))</p></div>
      """)
  }

  // MARK: What to do

  private func notices(_ call: Call) -> Markup {
    let localizer = call.localizer
    let mayAct = call.formToken.mayAct
    var notices = Markup()
    if let open, mayAct { notices += WarningNotice(warning: open, localizer: localizer).markup }
    guard facts.settings.isOn else {
      return notices + """
        \(Notice(
          .information, title: localizer.text("heart-rate-monitoring.off"),
          """
          <p>\(localizer.text("heart-rate-monitoring.off-help"))</p>\(if: mayAct, LinkButton(
            localizer.text("heart-rate-monitoring.begin"), address: HeartRateMonitoringRoutes.startPath, kind: .primary).markup)
          """))
        """
    }
    if mayAct, facts.settings.news < HeartRateSettings.latestNews {
      notices += """
        \(Notice(
          .information, title: localizer.text("heart-rate-monitoring.news.title"),
          LinkButton(localizer.text("heart-rate-monitoring.news.open"), address: HeartRateMonitoringRoutes.newsPath).markup))
        """
    }
    if facts.outcome.daysToLearn > 0 {
      notices += """
        \(Notice(
          .information,
          title: localizer.text(
            "heart-rate-monitoring.learning", ["days": .number(facts.outcome.daysToLearn)])))
        """
    }
    if facts.outcome.days.last?.finding.isUnmoved == true {
      notices += UnmovedNotice(localizer: localizer).markup
    }
    if let advice = facts.outcome.advice { notices += self.advice(advice, localizer) }
    return notices
  }

  private func advice(_ advice: BoundaryAdvice, _ localizer: Localizer) -> Markup {
    let title: String =
      switch advice {
      case .seeProvider: localizer.text("heart-rate-monitoring.see-provider")
      case .reset(let over):
        localizer.text("heart-rate-monitoring.reset", ["over": .number(Int(over.rounded()))])
      }
    return Notice(
      .warning, title: title,
      LinkButton(localizer.text("heart-rate-monitoring.limit.title"), address: LimitRoutes.path)
        .markup
    ).markup
  }

  // MARK: Statistics

  private func statistics(_ localizer: Localizer) -> Markup {
    let words = HeartRateText(localizer: localizer)
    let today = facts.values[facts.today.daysSinceEpoch]
    var items = [
      DescriptionList.Item(localizer.text("heart-rate-monitoring.limit"), words.limit(facts)),
      DescriptionList.Item(
        localizer.text("heart-rate-monitoring.today"),
        today.map(localizer.heartRate) ?? localizer.text("heart-rate-monitoring.not-yet")),
      DescriptionList.Item(
        localizer.text("heart-rate-monitoring.week"),
        facts.weekAverage().map { average in
          localizer.text(
            "heart-rate-monitoring.average",
            ["rate": .text(localizer.heartRate(average.bpm)), "days": .number(average.days)])
        } ?? localizer.text("heart-rate-monitoring.not-yet")),
    ]
    if let today {
      items.insert(
        .init(localizer.text("heart-rate-monitoring.verdict"), words.verdict(today, facts)), at: 2)
    }
    if let source = facts.source {
      items.append(.init(localizer.text("heart-rate.source"), source))
    }
    return Card(DescriptionList(items).markup).markup
  }

  private func week(_ localizer: Localizer) -> Markup {
    Section(
      localizer.text("heart-rate-monitoring.last-week"),
      HeartRateFigure(
        series: HeartRateSeries(facts, range: .week, warnings: warnings, showsDoses: showsDoses),
        clock: MedicineClock(zone: facts.zone, localizer: localizer), id: "week-sentence"
      ).markup
    ).markup
  }

  private func ways(_ call: Call) -> Markup {
    let localizer = call.localizer
    let mayAct = call.formToken.mayAct
    var places: [PlaceList.Place] = [
      .init(
        localizer.text("heart-rate-monitoring.graph"), address: Address.heartRateGraph,
        icon: .calendar),
      .init(
        localizer.text("heart-rate-monitoring.log.title"), address: WarningRoutes.path, icon: .list),
    ]
    if mayAct || isProvider {
      places.append(
        .init(
          localizer.text("heart-rate-monitoring.limit.title"), address: LimitRoutes.path,
          icon: .heart))
    }
    if mayAct {
      places.append(
        .init(
          localizer.text("heart-rate-monitoring.settings.title"),
          address: HeartRateSettingsRoutes.path,
          icon: .gear))
    }
    places.append(
      .init(
        localizer.text("heart-rate-monitoring.wearing.title"),
        address: HeartRateMonitoringRoutes.wearingPath, icon: .info))
    if mayAct {
      places.append(
        .init(
          localizer.text("heart-rate-monitoring.symptoms.title"), address: SymptomRoutes.path,
          icon: .pencil))
    }
    return PlaceList(places).markup
  }

  // MARK: Words

  /// Returns the message of the day; a person's message to themselves is shown only to those who
  /// act for them.
  private func message(_ call: Call) -> Markup {
    guard facts.settings.isOn else { return Markup() }
    let localizer = call.localizer
    let all = (1...Self.messages).map {
      localizer.text("heart-rate-monitoring.message", ["which": .text("m\($0)")])
    }
    let pool = all + (call.formToken.mayAct ? words.map(\.words) : [])
    let index = facts.today.daysSinceEpoch % pool.count
    return Card(isQuiet: true, "<p>\(pool[index])</p>").markup
  }

  private static let messages = 6

  private func ownWords(_ call: Call) -> Markup {
    guard call.formToken.mayAct, facts.settings.isOn else { return Markup() }
    let localizer = call.localizer
    let list: Markup = """
      \(if: !words.isEmpty, """
        <ul class="stack" role="list">\(each: words, { entry in
          """
          <li><p>\(entry.words)</p>\(FormButton(
            localizer.text("heart-rate-monitoring.words.remove"),
            action: "\(HeartRateMonitoringRoutes.wordsPath)/\(entry.id)/remove", token: call.formToken,
            kind: .quiet, object: entry.words))</li>
          """ as Markup
        })</ul>
        """ as Markup)
      """
    return Disclosure(
      localizer.text("heart-rate-monitoring.words.title"),
      """
      <div id="words">\(list)\(Form(
        action: HeartRateMonitoringRoutes.wordsPath, token: call.formToken,
        fields: FormField(
          "words", label: localizer.text("heart-rate-monitoring.words.label"), kind: .lines(2),
          hint: localizer.text("heart-rate-monitoring.words.hint"), maximumLength: 200, localizer: localizer
        ).markup,
        buttons: Button(localizer.text("heart-rate-monitoring.words.add"), kind: .secondary).markup))</div>
      """
    ).markup
  }
}

/// The graph over a chosen period.
struct HeartRateGraphPage: Sendable {
  let series: HeartRateSeries
  let range: HeartRateSeries.Range
  /// The last day shown.
  let end: CivilDate
  let today: CivilDate
  /// The day of the first value; nil if there is none.
  let firstValue: CivilDate?

  func response(_ call: Call, zone: Zone) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("heart-rate-monitoring.graph")
    frame.place = .progress
    frame.back = .init(
      localizer.text("heart-rate-monitoring.title"), address: Address.heartRateMonitoring)
    let tabs = HeartRateSeries.Range.allCases.map { range in
      SegmentedTabs.Tab(
        localizer.text("heart-rate-monitoring.range", ["range": .text(range.rawValue)]),
        address: "\(Address.heartRateGraph)?range=\(range.rawValue)",
        isCurrent: range == self.range)
    }
    return call.page(
      frame,
      """
      <div class="stack">\(SegmentedTabs(label: localizer.text("heart-rate-monitoring.graph"), tabs))\
      \(HeartRateFigure(
        series: series, clock: MedicineClock(zone: zone, localizer: localizer),
        id: "graph-sentence"))\(steps(MedicineClock(zone: zone, localizer: localizer)))</div>
      """)
  }

  private func steps(_ clock: MedicineClock) -> Markup {
    guard range != .all, let first = series.points.first?.day else { return Markup() }
    let object = ChartFormatter(localizer: clock.localizer).range(first, end)
    func link(_ key: MessageKey, _ end: CivilDate, _ icon: Icon) -> LinkButton {
      let day = end == today ? "" : "&to=\(end.text)"
      return LinkButton(
        clock.localizer.text(key),
        address: "\(Address.heartRateGraph)?range=\(range.rawValue)\(day)", icon: icon,
        object: object)
    }
    let earlier = firstValue.flatMap { value in
      value < first ? link("chart.earlier", first.adding(days: -1), .arrowLeft) : nil
    }
    let later =
      end < today
      ? link("chart.later", min(end.adding(days: range.days), today), .chevron) : nil
    guard earlier != nil || later != nil else { return Markup() }
    return ButtonRow("\(earlier)\(later)").markup
  }
}

// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HeartRateMonitoring
import HTML
import Hummingbird
import Localization
import Presentation
import Scheduling
import SiteMap
import Web

/// The first page of the watching: the limit, today, the week, and what is to be done.
struct WatchPage: Sendable {
  let facts: WatchFacts
  /// A warning of today that nobody answered.
  let open: Warning?
  /// Those of the last seven days.
  let warnings: [Warning]
  /// The person's own words.
  let words: [(id: String, words: String)]
  let showsDoses: Bool
  let isProvider: Bool

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("watching.title")
    frame.lead = localizer.text("watching.lead")
    frame.place = .history
    frame.back = .init(localizer.text("heart.title"), address: Address.heartRate)
    if let done = call.queryValue("done") {
      frame.flash = FlashBar(localizer.text("watching.done", ["what": .text(done)]))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(notices(call))\(figures(localizer))\(week(localizer))\
      \(ways(call))\(message(call))\(ownWords(call))\
      <p class="muted">\(localizer.text("watching.disclaimer"))</p></div>
      """)
  }

  // MARK: What is to be done

  private func notices(_ call: Call) -> Markup {
    let localizer = call.localizer
    let mayAct = call.formToken.mayAct
    var notices = Markup()
    if let open, mayAct { notices += WarningNotice(warning: open, localizer: localizer).markup }
    guard facts.settings.isOn else {
      return notices + """
        \(Notice(
          .information, title: localizer.text("watching.off"),
          """
          <p>\(localizer.text("watching.off-help"))</p>\(if: mayAct, LinkButton(
            localizer.text("watching.begin"), address: WatchRoutes.startPath, kind: .primary).markup)
          """))
        """
    }
    if mayAct, facts.settings.news < WatchSettings.latestNews {
      notices += """
        \(Notice(
          .information, title: localizer.text("watching.news.title"),
          LinkButton(localizer.text("watching.news.open"), address: WatchRoutes.newsPath).markup))
        """
    }
    if facts.outcome.daysToLearn > 0 {
      notices += """
        \(Notice(
          .information,
          title: localizer.text(
            "watching.learning", ["days": .number(facts.outcome.daysToLearn)])))
        """
    }
    if let advice = facts.outcome.advice { notices += self.advice(advice, localizer) }
    return notices
  }

  private func advice(_ advice: BoundaryAdvice, _ localizer: Localizer) -> Markup {
    let title: String =
      switch advice {
      case .seeProvider: localizer.text("watching.see-provider")
      case .reset(let over):
        localizer.text("watching.reset", ["over": .number(Int(over.rounded()))])
      }
    return Notice(
      .warning, title: title,
      LinkButton(localizer.text("watching.limit.title"), address: LimitRoutes.path).markup
    ).markup
  }

  // MARK: Figures

  private func figures(_ localizer: Localizer) -> Markup {
    let words = WatchWords(localizer: localizer)
    let today = facts.values[facts.today.daysSinceEpoch]
    var items = [
      DescriptionList.Item(localizer.text("watching.limit"), words.limit(facts)),
      DescriptionList.Item(
        localizer.text("watching.today"),
        today.map(localizer.heartRate) ?? localizer.text("watching.not-yet")),
      DescriptionList.Item(
        localizer.text("watching.week"),
        facts.weekAverage().map { average in
          localizer.text(
            "watching.average",
            ["rate": .text(localizer.heartRate(average.bpm)), "days": .number(average.days)])
        } ?? localizer.text("watching.not-yet")),
    ]
    if let today {
      items.insert(
        .init(localizer.text("watching.verdict"), words.verdict(today, facts)), at: 2)
    }
    if let source = facts.source {
      items.append(.init(localizer.text("heart.source"), source))
    }
    return Card(DescriptionList(items).markup).markup
  }

  private func week(_ localizer: Localizer) -> Markup {
    Section(
      localizer.text("watching.last-week"),
      WatchFigure(
        series: WatchSeries(facts, range: .week, warnings: warnings, showsDoses: showsDoses),
        clock: MedicineClock(zone: facts.zone, localizer: localizer), id: "week-sentence"
      ).markup
    ).markup
  }

  private func ways(_ call: Call) -> Markup {
    let localizer = call.localizer
    let mayAct = call.formToken.mayAct
    var places: [PlaceList.Place] = [
      .init(localizer.text("watching.graph"), address: Address.heartRateGraph, icon: .calendar),
      .init(localizer.text("watching.log.title"), address: WarningRoutes.path, icon: .list),
    ]
    if mayAct || isProvider {
      places.append(
        .init(localizer.text("watching.limit.title"), address: LimitRoutes.path, icon: .heart))
    }
    if mayAct {
      places.append(
        .init(
          localizer.text("watching.settings.title"), address: WatchSettingsRoutes.path,
          icon: .gear))
    }
    places.append(
      .init(
        localizer.text("watching.wearing.title"), address: WatchRoutes.wearingPath, icon: .info))
    if mayAct {
      places.append(
        .init(
          localizer.text("watching.symptoms.title"), address: SymptomRoutes.path, icon: .pencil))
    }
    return PlaceList(places).markup
  }

  // MARK: Words

  /// One message each day, in turn; what somebody wrote to themselves is for those who act for them alone.
  private func message(_ call: Call) -> Markup {
    guard facts.settings.isOn else { return Markup() }
    let localizer = call.localizer
    let all = (1...Self.messages).map {
      localizer.text("watching.message", ["which": .text("m\($0)")])
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
            localizer.text("watching.words.remove"),
            action: "\(WatchRoutes.wordsPath)/\(entry.id)/remove", token: call.formToken,
            kind: .quiet, object: entry.words))</li>
          """ as Markup
        })</ul>
        """ as Markup)
      """
    return Disclosure(
      localizer.text("watching.words.title"),
      """
      <div id="words">\(list)\(Form(
        action: WatchRoutes.wordsPath, token: call.formToken,
        fields: FormField(
          "words", label: localizer.text("watching.words.label"), kind: .lines(2),
          hint: localizer.text("watching.words.hint"), maximumLength: 200, localizer: localizer
        ).markup,
        buttons: Button(localizer.text("watching.words.add"), kind: .secondary).markup))</div>
      """
    ).markup
  }
}

/// The graph over a stretch that is chosen.
struct WatchGraphPage: Sendable {
  let series: WatchSeries
  let range: WatchSeries.Range
  /// The last day that is shown.
  let end: CivilDate
  let today: CivilDate
  /// The day of the first value; nil without one.
  let firstValue: CivilDate?

  func response(_ call: Call, zone: Zone) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("watching.graph")
    frame.place = .history
    frame.back = .init(localizer.text("watching.title"), address: Address.heartRateMonitoring)
    let tabs = WatchSeries.Range.allCases.map { range in
      SegmentedTabs.Tab(
        localizer.text("watching.range", ["range": .text(range.rawValue)]),
        address: "\(Address.heartRateGraph)?range=\(range.rawValue)",
        isCurrent: range == self.range)
    }
    return call.page(
      frame,
      """
      <div class="stack">\(SegmentedTabs(label: localizer.text("watching.graph"), tabs))\
      \(WatchFigure(
        series: series, clock: MedicineClock(zone: zone, localizer: localizer),
        id: "graph-sentence"))\(steps(MedicineClock(zone: zone, localizer: localizer)))</div>
      """)
  }

  private func steps(_ clock: MedicineClock) -> Markup {
    guard range != .all, let first = series.points.first?.day else { return Markup() }
    let object = ChartWords(localizer: clock.localizer).range(first, end)
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

// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import Scheduling
import SiteMap
import Statistics
import Web

/// The charts over all medicines, with the controls that choose what they show.
struct ChartsPage: Sendable {
  let model: ChartsModel
  let path: String
  /// The links to other views of the statistics.
  let places: [PlaceList.Place]
  /// The note shown if names of medicines are not shared.
  var note: String?

  func response(_ call: Call, _ known: PageFrame) -> Response {
    let localizer = call.localizer
    var frame = known
    frame.title = localizer.text("charts.title")
    let content: Markup =
      model.statistics.firstDue == nil
      ? """
      \(EmptyState(
        icon: .chart, text: localizer.text("charts.empty"), action: add(call)))\
      \(PlaceList(places))
      """
      : """
      \(choices(localizer))\(steps(localizer))\
      \(ChartsSections(model: model, localizer: localizer))\(weekStart(localizer))\
      \(PlaceList(places))
      """
    let said = note.map { "<p>\($0)</p>" as Markup }
    return call.page(frame, "<div class=\"stack-large\">\(said)\(content)</div>")
  }

  /// Returns the link to add a first medicine, for someone who acts for the person.
  private func add(_ call: Call) -> Markup {
    guard path == Address.charts, call.formToken.mayAct else { return Markup() }
    return LinkButton(
      call.localizer.text("today.add"), address: "/medicines/new", kind: .primary, icon: .plus
    ).markup
  }

  private var today: CivilDate { model.statistics.today }
  private var request: ChartsRequest { model.request }

  // MARK: Choices

  private func choices(_ localizer: Localizer) -> Markup {
    let tabs = ChartsRange.allCases.map { range in
      SegmentedTabs.Tab(
        localizer.text("charts.range", ["range": .text(range.rawValue)]),
        address: request.address(path, range: range, end: request.end),
        isCurrent: range == request.range)
    }
    return """
      <div class="stack">\(SegmentedTabs(label: localizer.text("charts.range-label"), tabs))\
      \(if: model.medicines.count > 1, medicines(localizer))</div>
      """
  }

  private func medicines(_ localizer: Localizer) -> Markup {
    let field = FormField(
      "medicine", label: localizer.text("history.medicine"),
      kind: .select(
        [FieldChoice("", localizer.text("history.all-medicines"))] + model.medicines),
      value: request.medicine?.text ?? "", isRequired: true, localizer: localizer)
    let end: Markup? = request.end.map {
      "<input type=\"hidden\" name=\"to\" value=\"\($0.text)\">"
    }
    return Disclosure(
      localizer.text("charts.one-medicine"), isOpen: request.medicine != nil,
      """
      <form class="form stack" method="get" action="\(path)" novalidate>\
      <input type="hidden" name="range" value="\(request.range.rawValue)">\(end)\(field)\
      \(ButtonRow(Button(localizer.text("report.show"), icon: .check).markup))</form>
      """
    ).markup
  }

  private func steps(_ localizer: Localizer) -> Markup {
    let object = ChartFormatter(localizer: localizer).range(model.first, model.last)
    let earlier = request.earlier(today: today, firstDue: model.statistics.firstDue).map { end in
      LinkButton(
        localizer.text("chart.earlier"), address: request.address(path, end: end),
        icon: .arrowLeft, object: object)
    }
    let later = request.later(today: today).map { end in
      LinkButton(
        localizer.text("chart.later"),
        address: request.address(path, end: end == today ? nil : end), icon: .chevron,
        object: object)
    }
    guard earlier != nil || later != nil else { return Markup() }
    return ButtonRow("\(earlier)\(later)").markup
  }

  private func weekStart(_ localizer: Localizer) -> Markup {
    let here = request.address(path, end: request.end)
    let tabs = WeekStart.choices.map { day in
      SegmentedTabs.Tab(
        localizer.capitalized(localizer.weekday(day.rawValue)),
        address: PreferenceAddress.link(
          PreferenceAddress.weekStart, WeekStart.code(day), from: here),
        isCurrent: day == request.weekStart)
    }
    let label = localizer.text("charts.week-start")
    return """
      <div class="stack-small chart-week-start"><p>\(label)</p>\(SegmentedTabs(label: label, tabs))</div>
      """
  }
}

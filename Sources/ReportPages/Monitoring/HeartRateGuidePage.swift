// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HTML
import Hummingbird
import Localization
import SiteMap
import Web

/// The pages that explain how to start together with a provider, what is new, and how to wear a
/// watch.
struct HeartRateGuidePage: Sendable {
  enum Kind: String, Sendable {
    case start, news, wearing
  }

  let kind: Kind
  let facts: HeartRateFacts

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title =
      switch kind {
      case .start: localizer.text("heart-rate-monitoring.start.title")
      case .news: localizer.text("heart-rate-monitoring.news.title")
      case .wearing: localizer.text("heart-rate-monitoring.wearing.title")
      }
    frame.place = .progress
    frame.back = .init(
      localizer.text("heart-rate-monitoring.title"), address: Address.heartRateMonitoring)
    let content: Markup =
      switch kind {
      case .start: start(call)
      case .news: news(call)
      case .wearing: wearing(localizer)
      }
    return call.page(frame, "<div class=\"narrow stack\">\(content)</div>")
  }

  /// Returns the greeting, the purpose, setup with the provider, and limits.
  private func start(_ call: Call) -> Markup {
    let localizer = call.localizer
    return """
      <p>\(localizer.text("heart-rate-monitoring.start.greeting"))</p>\
      \(Section(localizer.text("heart-rate-monitoring.start.what"), "<p>\(localizer.text("heart-rate-monitoring.start.what-text"))</p>"))\
      \(Section(localizer.text("heart-rate-monitoring.start.together"), steps(3) {
        localizer.text("heart-rate-monitoring.start.step", ["step": .text($0)])
      }))\
      \(Notice(
        .warning, title: localizer.text("heart-rate-monitoring.start.not"),
        "<p>\(localizer.text("heart-rate-monitoring.disclaimer"))</p>"))\
      \(if: facts.plans.monitored.isEmpty, Notice(
        .information, title: localizer.text("heart-rate-monitoring.start.no-plan")).markup)\
      \(FormButton(
        localizer.text("heart-rate-monitoring.start.agree"), action: HeartRateMonitoringRoutes.startPath,
        token: call.formToken))
      """
  }

  private func news(_ call: Call) -> Markup {
    let localizer = call.localizer
    return """
      \(steps(5) { localizer.text("heart-rate-monitoring.news.item", ["item": .text($0)]) })\
      \(if: facts.settings.isOn, FormButton(
        localizer.text("heart-rate-monitoring.news.read"), action: HeartRateMonitoringRoutes.newsPath,
        token: call.formToken).markup)
      """
  }

  private func wearing(_ localizer: Localizer) -> Markup {
    steps(6) { localizer.text("heart-rate-monitoring.wearing.step", ["step": .text($0)]) }
  }

  private func steps(_ count: Int, _ text: (String) -> String) -> Markup {
    let items = (1...count).map { text("s\($0)") }
    return "<ul class=\"stack\" role=\"list\">\(each: items, { "<li>\($0)</li>" as Markup })</ul>"
  }
}

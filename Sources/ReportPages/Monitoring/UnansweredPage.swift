// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HTML
import Hummingbird
import Localization
import Web

/// The page for a family member who was told about an unanswered warning: the observation, without
/// any medicine, and whom to ask.
struct UnansweredPage: Sendable {
  let warning: Warning
  /// True for a professional, who sees the probability too.
  let isProvider: Bool

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let text = WarningText(localizer: localizer)
    let isOpen = warning.answer == nil && warning.kind == .heart
    var frame = call.frame()
    frame.title = localizer.text(
      isOpen ? "heart-rate-monitoring.unanswered.title" : "heart-rate-monitoring.warning.title",
      ["kind": .text(warning.kind.rawValue)])
    frame.place = .progress
    frame.back = .init(
      localizer.text("heart-rate-monitoring.log.title"), address: WarningRoutes.path)
    return call.page(
      frame,
      """
      <div class="narrow stack"><p>\(text.seen(warning))\
      \(if: warning.kind == .heart, " \(localizer.text("heart-rate-monitoring.unanswered.may-be"))")</p>\
      \(if: isProvider, text.probability(warning).map { "<p>\($0)</p>" as Markup } ?? Markup())\
      \(if: isOpen, "<p>\(localizer.text("heart-rate-monitoring.unanswered.help"))</p>")\
      <p class="muted">\(localizer.text("heart-rate-monitoring.disclaimer"))</p></div>
      """)
  }
}

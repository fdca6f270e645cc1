// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Reminders
import Storage
import Web

/// The outcome of a dose's reminders: for each device and mailbox the times sent, shown and
/// answered.
struct DeliveryStory: PagePart {
  let deliveries: [Delivery]
  let words: DoseFormatter

  var markup: Markup {
    guard !deliveries.isEmpty else { return Markup() }
    return """
      \(Section(
        words.localizer.text("device.story.title"), id: "reminders",
        "<ol class=\"stack-small\" role=\"list\">\(each: deliveries, { "<li>\(line($0))</li>" })</ol>"))
      """
  }

  private func line(_ delivery: Delivery) -> Markup {
    let localizer = words.localizer
    let place = localizer.text(
      "device.story.place",
      [
        "channel": .text(delivery.channel.rawValue), "address": .text(delivery.maskedAddress),
      ])
    return """
      <strong><time datetime="\(words.machine(delivery.planned))">\
      \(words.moment(delivery.planned))</time> \(place)</strong><br>\
      <span class="muted">\(steps(delivery).joined(separator: " · "))</span>
      """
  }

  /// Returns the steps in the order in which they happened.
  private func steps(_ delivery: Delivery) -> [String] {
    let moments = [
      ("handed-over", delivery.handedOver), ("shown", delivery.shown),
      ("answered", delivery.answered),
    ]
    var texts = moments.compactMap { name, moment in moment.map { step(name, $0) } }
    // The outcomes without a time, and failures.
    switch delivery.outcome {
    case .handedOver
    where delivery.channel == .push && delivery.shown == nil
      && delivery.answered == nil:
      texts.append(words.localizer.text("device.story.not-shown"))
    case .handedOver: break
    case .answered where delivery.answered != nil: break
    case .planned, .retrying, .gone, .failed, .stale, .answered:
      texts.append(
        words.localizer.text(
          "device.story.outcome", ["outcome": .text(delivery.outcome.rawValue)]))
    }
    if delivery.attempts > 1 {
      texts.append(
        words.localizer.text("device.story.attempts", ["count": .number(Int(delivery.attempts))]))
    }
    return texts
  }

  private func step(_ name: String, _ moment: Timestamp) -> String {
    words.localizer.text(
      "device.story.step", ["step": .text(name), "time": .text(words.moment(moment))])
  }
}
